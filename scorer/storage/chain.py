"""The hash chain over a session: its deals' versions and its changes, in the order of writing.

A hash is taken over the hash of what was written before and over everything that is said, so that
nothing can be changed, left out, put in or moved without all later ones telling.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from scorer.storage.models import CardSession, Deal, DealVersion, SessionChange

CHANGE_KEYS = ("circle_id", "session_id", "rule_set_id", "phone_id")
CHANGE_SAYS = (
    "serial",
    "from_number",
    "until_number",
    "rules",
    "rule_set_version",
    "seats",
    "sits_out",
    "dealer",
    "written_by",
    "reason",
)


def append(row: CardSession, deal: Deal, version: DealVersion) -> None:
    """Give a new version its place at the end of the chain; the session's row is locked."""
    version.serial = row.written + 1
    version.chain = link(row.chain, canonical(deal, version))
    row.written, row.chain = version.serial, version.chain


def append_change(row: CardSession, change: SessionChange) -> None:
    """Give a change, which has its serial, its place at the end of the chain."""
    change.chain = link(row.chain, canonical_change(change))
    row.written, row.chain = change.serial, change.chain


def link(previous: str, said: str) -> str:
    """Give the hash of what is said after something else."""
    return hashlib.sha256((previous + said).encode()).hexdigest()


def canonical(deal: Deal, version: DealVersion) -> str:
    """Write down everything that a version says, the same way on both engines."""
    said = {
        "circle_id": str(version.circle_id),
        "session_id": str(deal.session_id),
        "number": deal.number,
        "deal_id": str(version.deal_id),
        "version": version.version,
        "serial": version.serial,
        "act": version.act,
        "outcome": version.outcome,
        "dealer": version.dealer,
        "sits_out": version.sits_out,
        "sheet": version.sheet,
        "voided": version.voided,
        "payouts": version.payouts,
        "phone_id": _text(version.phone_id),
        "written_by": version.written_by,
        "reason": version.reason,
        "at": _moment(version.at),
    }
    return _written(said if version.change is None else {**said, "change": version.change})


def canonical_change(change: SessionChange) -> str:
    """Write down everything that a change of a session says."""
    said = {column: getattr(change, column) for column in CHANGE_SAYS}
    keys = {column: _text(getattr(change, column)) for column in CHANGE_KEYS}
    return _written({**said, **keys, "at": _moment(change.at)})


def _written(said: dict[str, Any]) -> str:
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _text(key: UUID | None) -> str | None:
    return None if key is None else str(key)
