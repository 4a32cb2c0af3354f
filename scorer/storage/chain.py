"""The hash chain over the versions of a session's deals, in the order they were written.

A version's hash is taken over the hash of the version before it and over everything that it says
itself, so that none can be changed, left out, put in or moved without all later ones telling.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.storage.models import CardSession
    from scorer.storage.models import Deal
    from scorer.storage.models import DealVersion

#: The hash before the first version of a session.
START = "0" * 64


def append(row: CardSession, deal: Deal, version: DealVersion) -> None:
    """Give a new version its place at the end of the chain; the session's row is locked."""
    version.serial = row.written + 1
    version.chain = link(row.chain, deal, version)
    row.written, row.chain = version.serial, version.chain


def link(previous: str, deal: Deal, version: DealVersion) -> str:
    """Give the hash of a version that follows on another one's."""
    return hashlib.sha256((previous + canonical(deal, version)).encode()).hexdigest()


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
        "at": version.at.astimezone(UTC).isoformat(timespec="microseconds"),
    }
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def _text(key: UUID | None) -> str | None:
    return None if key is None else str(key)
