"""Questions about the deals of a card session and their versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import aliased

from scorer.rules.game import Outcome
from scorer.storage.database import db
from scorer.storage.models import Deal, DealVersion, Phone
from scorer.storage.queries.parameters import (
    BEFORE,
    CIRCLE,
    DEAL,
    DEALS,
    LIMIT,
    NO_END,
    NUMBER,
    NUMBERS,
    SESSION,
    UNTIL,
)
from scorer.storage.queries.rows import rows, same


@dataclass(frozen=True, slots=True)
class DealRow:
    """A deal as it stands: its line on the sheet and what its current version says.

    `payouts` is what the sheet pays, also for a voided deal, which counts for nothing.
    `recorded_by` wrote it down first; `written_by` wrote the version that stands, on `phone`.
    """

    deal_id: UUID
    session_id: UUID
    number: int
    outcome: str
    dealer: int
    sits_out: tuple[int, ...]
    sheet: dict[str, Any] | None
    payouts: dict[int, int]
    voided: bool
    amended: bool
    disputed: bool
    version: int
    serial: int
    recorded_at: datetime
    recorded_by: str | None
    written_at: datetime
    written_by: str | None
    phone: str | None
    phone_id: UUID | None
    made: bool | None


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a deal: what was written, who did so, when, why and on which phone.

    `change` is the serial of the change of rules or seats that had the deal written anew.
    """

    number: int
    version: int
    serial: int
    act: str
    outcome: str
    dealer: int
    sits_out: tuple[int, ...]
    sheet: dict[str, Any] | None
    voided: bool
    payouts: dict[int, int]
    written_by: str | None
    phone: str | None
    reason: str | None
    change: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class PastDeal:
    """What the next deal needs to know of one that stands: who dealt, what came of it."""

    number: int
    outcome: str
    dealer: int
    sheet: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class SatOutRow:
    """Who sat out a deal that was played and stands, and who dealt it."""

    number: int
    serial: int
    dealer: int
    sits_out: tuple[int, ...]


_Current = aliased(DealVersion, name="current")
_First = aliased(DealVersion, name="first")

_IN_SESSION = (Deal.circle_id == CIRCLE, Deal.session_id == SESSION)
_STANDS = Deal.voided.is_(False)
_PLAYED = (*_IN_SESSION, _STANDS, Deal.outcome == Outcome.PLAYED.value)
_CURRENT = same(_Current, Deal, "deal_id", "version")
# Looked up for the rows of an answer only, whatever the planner knows of the tables.
_RECORDED_BY = (
    select(_First.written_by)
    .where(_First.circle_id == Deal.circle_id, _First.deal_id == Deal.deal_id, _First.version == 1)
    .scalar_subquery()
)
_DEALS = (
    select(
        Deal.deal_id,
        Deal.session_id,
        Deal.number,
        Deal.outcome,
        Deal.dealer,
        _Current.sits_out,
        _Current.sheet,
        _Current.payouts,
        Deal.voided,
        Deal.amended,
        Deal.disputed,
        Deal.version,
        _Current.serial,
        Deal.recorded_at,
        _RECORDED_BY.label("recorded_by"),
        _Current.at.label("written_at"),
        _Current.written_by,
        Phone.name.label("phone"),
        _Current.phone_id,
        Deal.made,
    )
    .join(_Current, _CURRENT)
    .outerjoin(Phone, same(Phone, _Current, "phone_id"))
)

_DEAL = _DEALS.where(*_IN_SESSION, Deal.number == NUMBER)


def deal(circle_id: UUID, session_id: UUID, number: int) -> DealRow | None:
    """Find one deal of a session by its number."""
    found = _rows(_DEAL, circle_id=circle_id, session_id=session_id, number=number)
    return next(iter(found), None)


_DEAL_BY_KEY = _DEALS.where(Deal.circle_id == CIRCLE, Deal.deal_id == DEAL)


def deal_by_key(circle_id: UUID, deal_id: UUID) -> DealRow | None:
    """Find one deal of the circle, of whatever session, by the key that the phone made for it."""
    return next(iter(_rows(_DEAL_BY_KEY, circle_id=circle_id, deal_id=deal_id)), None)


_DEALS_BY_KEY = _DEALS.where(Deal.circle_id == CIRCLE, Deal.deal_id.in_(DEALS))


def deals_by_key(circle_id: UUID, deal_ids: Collection[UUID]) -> dict[UUID, DealRow]:
    """Find several deals of the circle as they stand, each by its own key."""
    found = _rows(_DEALS_BY_KEY, circle_id=circle_id, deal_ids=list(deal_ids))
    return {deal.deal_id: deal for deal in found}


_DEALS_BY_NUMBER = _DEALS.where(*_IN_SESSION, Deal.number.in_(NUMBERS))


def deals_by_number(circle_id: UUID, session_id: UUID, numbers: Collection[int]) -> list[DealRow]:
    """Find several deals of a session as they stand."""
    asked = {"circle_id": circle_id, "session_id": session_id, "numbers": list(numbers)}
    return _rows(_DEALS_BY_NUMBER, **asked)


_DEAL_TO_CHANGE = select(Deal).where(*_IN_SESSION, Deal.number == NUMBER)


def deal_to_change(circle_id: UUID, session_id: UUID, number: int) -> Deal | None:
    """Find one deal by its number, to be changed; the session's row is locked first."""
    asked = {"circle_id": circle_id, "session_id": session_id, "number": number}
    return db.session.scalar(_DEAL_TO_CHANGE, asked)


_NEWEST = _DEALS.where(*_IN_SESSION, Deal.number < BEFORE).order_by(Deal.number.desc()).limit(LIMIT)


def newest_deals(
    circle_id: UUID, session_id: UUID, *, limit: int, before: int | None = None
) -> list[DealRow]:
    """List a page of the sheet, newest first, of the deals numbered below `before`."""
    below = NO_END if before is None else before
    return _rows(_NEWEST, circle_id=circle_id, session_id=session_id, limit=limit, before=below)


_ALL = _DEALS.where(*_IN_SESSION).order_by(Deal.number)


def all_deals(circle_id: UUID, session_id: UUID) -> list[DealRow]:
    """List every deal of a session in order, the voided ones too."""
    return _rows(_ALL, circle_id=circle_id, session_id=session_id)


_VERSIONS = (
    select(Deal.number, DealVersion, Phone.name)
    .join(Deal, same(Deal, DealVersion, "deal_id"))
    .outerjoin(Phone, same(Phone, DealVersion, "phone_id"))
    .where(DealVersion.circle_id == CIRCLE, DealVersion.deal_id == DEAL)
    .order_by(DealVersion.version)
)


def deal_versions(circle_id: UUID, deal_id: UUID) -> list[VersionRow]:
    """List the versions of a deal, oldest first."""
    found = db.session.execute(_VERSIONS, {"circle_id": circle_id, "deal_id": deal_id})
    return [_version_row(number, version, phone) for number, version, phone in found]


_COUNT = select(func.count()).select_from(Deal)
_PLAYED_COUNT = _COUNT.where(*_PLAYED, Deal.number <= UNTIL)


def played_count(circle_id: UUID, session_id: UUID, *, until: int = NO_END) -> int:
    """Count the deals of a session, up to deal `until` or all, that were played and stand."""
    found = rows(_PLAYED_COUNT, circle_id=circle_id, session_id=session_id, until=until)
    return found.scalar_one()


_SHEET_COUNTS = select(
    _COUNT.where(*_PLAYED).scalar_subquery().label("played"),
    _COUNT.where(*_IN_SESSION, Deal.disputed.is_(True)).scalar_subquery().label("disputed"),
)


def sheet_counts(circle_id: UUID, session_id: UUID) -> Counter[str]:
    """Count the deals of a session that were ``played`` and stand, and those ``disputed``."""
    found = rows(_SHEET_COUNTS, circle_id=circle_id, session_id=session_id)
    return +Counter(found.mappings().one())


_OUTCOMES = select(Deal.number, Deal.outcome).where(*_IN_SESSION, _STANDS).order_by(Deal.number)


def standing_outcomes(circle_id: UUID, session_id: UUID) -> list[tuple[int, str]]:
    """List the number and the outcome of every deal that stands, in order."""
    return list(rows(_OUTCOMES, circle_id=circle_id, session_id=session_id).tuples())


_LAST_PLAYED = select(func.coalesce(func.max(Deal.number), 0)).where(*_PLAYED).scalar_subquery()
_SINCE_LAST_PLAYED = (
    select(Deal.number, Deal.outcome, Deal.dealer, _Current.sheet)
    .join(_Current, _CURRENT)
    .where(*_IN_SESSION, _STANDS, Deal.number >= _LAST_PLAYED)
    .order_by(Deal.number)
)


def deals_since_last_played(circle_id: UUID, session_id: UUID) -> list[PastDeal]:
    """List the deals that stand, from the last played one on, in order.

    They say who deals next and which multiplier is carried over. Before the first played deal
    they are all that stand.
    """
    found = rows(_SINCE_LAST_PLAYED, circle_id=circle_id, session_id=session_id)
    return [PastDeal(*row) for row in found]


_SAT_OUT = (
    select(Deal.number, _Current.serial, Deal.dealer, _Current.sits_out)
    .join(_Current, _CURRENT)
    .where(*_PLAYED)
    .order_by(Deal.number)
)


def sat_out(circle_id: UUID, session_id: UUID) -> list[SatOutRow]:
    """List who sat out each deal that was played and stands, in order."""
    found = rows(_SAT_OUT, circle_id=circle_id, session_id=session_id)
    return [SatOutRow(number, serial, dealer, tuple(out)) for number, serial, dealer, out in found]


def _rows(statement: Select[Any], **asked: object) -> list[DealRow]:
    """Read deals as `_DEALS` gives them, with seats as numbers."""
    return [_deal_row(row) for row in rows(statement, **asked)]


def _deal_row(row: Row[Any]) -> DealRow:
    key, session, number, outcome, dealer, sits_out, sheet, payouts, *rest = row
    return DealRow(
        key, session, number, outcome, dealer, tuple(sits_out), sheet, _by_seat(payouts), *rest
    )


def _version_row(number: int, version: DealVersion, phone: str | None) -> VersionRow:
    """Make the row of one version."""
    return VersionRow(
        number=number,
        version=version.version,
        serial=version.serial,
        act=version.act,
        outcome=version.outcome,
        dealer=version.dealer,
        sits_out=tuple(version.sits_out),
        sheet=version.sheet,
        voided=version.voided,
        payouts=_by_seat(version.payouts),
        written_by=version.written_by,
        phone=phone,
        reason=version.reason,
        change=version.change,
        at=version.at,
    )


def _by_seat(payouts: dict[str, int]) -> dict[int, int]:
    """Read payouts as they are stored, with the seats as numbers."""
    return {int(seat): amount for seat, amount in payouts.items()}
