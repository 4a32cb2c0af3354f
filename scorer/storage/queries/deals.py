"""Questions about the deals of a card session and their versions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from typing import Any
from uuid import UUID

from sqlalchemy import and_
from sqlalchemy import func
from sqlalchemy import select
from sqlalchemy.orm import aliased

from scorer.rules.game import Outcome
from scorer.storage.database import db
from scorer.storage.models import Deal
from scorer.storage.models import DealVersion
from scorer.storage.models import Phone

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy import Select


@dataclass(frozen=True, slots=True)
class DealRow:
    """A deal as it stands: its line on the sheet and what its current version says.

    `payouts` is what the sheet pays, also for a voided deal, which counts for nothing.
    `recorded_by` wrote it down first, `written_by` wrote the version that stands.
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
    version: int
    recorded_at: datetime
    recorded_by: str | None
    written_at: datetime
    written_by: str | None
    phone: str | None


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a deal: what was written, who did so, when, why and on which phone."""

    version: int
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
    at: datetime


@dataclass(frozen=True, slots=True)
class PastDeal:
    """What the next deal needs to know of one that stands: who dealt, what came of it."""

    number: int
    outcome: str
    dealer: int
    sits_out: tuple[int, ...]
    sheet: dict[str, Any] | None


_Current = aliased(DealVersion, name="current")
_First = aliased(DealVersion, name="first")


def deal(circle_id: UUID, session_id: UUID, number: int) -> DealRow | None:
    """Find one deal of a session by its number."""
    asked = _deals().where(
        Deal.circle_id == circle_id, Deal.session_id == session_id, Deal.number == number
    )
    return next(iter(_rows(asked)), None)


def deal_by_key(circle_id: UUID, deal_id: UUID) -> DealRow | None:
    """Find one deal of the circle, of whatever session, by the key that the phone made for it."""
    asked = _deals().where(Deal.circle_id == circle_id, Deal.deal_id == deal_id)
    return next(iter(_rows(asked)), None)


def deal_to_change(circle_id: UUID, session_id: UUID, number: int) -> Deal | None:
    """Find one deal by its number, to be changed; the session's row is locked first."""
    return db.session.scalar(
        select(Deal).where(
            Deal.circle_id == circle_id, Deal.session_id == session_id, Deal.number == number
        )
    )


def newest_deals(
    circle_id: UUID, session_id: UUID, *, limit: int, before: int | None = None
) -> list[DealRow]:
    """List a page of the sheet, newest first, of the deals numbered below `before`."""
    asked = _deals().where(Deal.circle_id == circle_id, Deal.session_id == session_id)
    if before is not None:
        asked = asked.where(Deal.number < before)
    return _rows(asked.order_by(Deal.number.desc()).limit(limit))


def all_deals(circle_id: UUID, session_id: UUID) -> list[DealRow]:
    """List every deal of a session in order, the voided ones too."""
    asked = _deals().where(Deal.circle_id == circle_id, Deal.session_id == session_id)
    return _rows(asked.order_by(Deal.number))


def deal_versions(circle_id: UUID, deal_id: UUID) -> list[VersionRow]:
    """List the versions of a deal, oldest first."""
    found = db.session.execute(
        select(DealVersion, Phone.name)
        .outerjoin(Phone, _wrote(DealVersion))
        .where(DealVersion.circle_id == circle_id, DealVersion.deal_id == deal_id)
        .order_by(DealVersion.version)
    )
    return [_version_row(version, phone) for version, phone in found]


def played_count(circle_id: UUID, session_id: UUID, *, until: int | None = None) -> int:
    """Count the deals of a session, up to deal `until` or all, that were played and stand."""
    counted = select(func.count()).select_from(Deal).where(*_played(circle_id, session_id))
    if until is not None:
        counted = counted.where(Deal.number <= until)
    return db.session.scalars(counted).one()


def standing_outcomes(circle_id: UUID, session_id: UUID) -> list[tuple[int, str]]:
    """List the number and the outcome of every deal that stands, in order."""
    found = db.session.execute(
        select(Deal.number, Deal.outcome)
        .where(Deal.circle_id == circle_id, Deal.session_id == session_id, Deal.voided.is_(False))
        .order_by(Deal.number)
    )
    return list(found.tuples())


def deals_since_last_played(circle_id: UUID, session_id: UUID) -> list[PastDeal]:
    """List the deals that stand, from the last played one on, in order.

    They say who deals next and which multiplier is carried over. Before the first played deal
    they are all that stand.
    """
    last = select(func.coalesce(func.max(Deal.number), 0)).where(*_played(circle_id, session_id))
    found = db.session.execute(
        select(
            Deal.number,
            Deal.outcome,
            Deal.dealer,
            _Current.sits_out,
            _Current.sheet,
        )
        .join(_Current, _stands())
        .where(
            Deal.circle_id == circle_id,
            Deal.session_id == session_id,
            Deal.voided.is_(False),
            Deal.number >= last.scalar_subquery(),
        )
        .order_by(Deal.number)
    )
    return [
        PastDeal(number, outcome, dealer, tuple(sits_out), sheet)
        for number, outcome, dealer, sits_out, sheet in found
    ]


def _played(circle_id: UUID, session_id: UUID) -> tuple[ColumnElement[bool], ...]:
    """Keep the deals of a session that were played and stand."""
    return (
        Deal.circle_id == circle_id,
        Deal.session_id == session_id,
        Deal.voided.is_(False),
        Deal.outcome == Outcome.PLAYED,
    )


def _stands() -> ColumnElement[bool]:
    """Say how a deal finds its current version."""
    return and_(
        _Current.circle_id == Deal.circle_id,
        _Current.deal_id == Deal.deal_id,
        _Current.version == Deal.version,
    )


def _recorded_by() -> ColumnElement[str | None]:
    """Ask who wrote the first version, looked up for the rows of the answer only."""
    first = select(_First.written_by).where(
        _First.circle_id == Deal.circle_id,
        _First.deal_id == Deal.deal_id,
        _First.version == 1,
    )
    return first.scalar_subquery().label("recorded_by")


def _wrote(version: type[DealVersion]) -> ColumnElement[bool]:
    """Say how a version finds the phone that wrote it."""
    return and_(Phone.circle_id == version.circle_id, Phone.phone_id == version.phone_id)


def _deals() -> Select[Any]:
    """Ask for the columns of a `DealRow`, in its order."""
    return (
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
            Deal.version,
            Deal.recorded_at,
            _recorded_by(),
            _Current.at.label("written_at"),
            _Current.written_by,
            Phone.name.label("phone"),
        )
        .join(_Current, _stands())
        .outerjoin(Phone, _wrote(_Current))
    )


def _rows(asked: Select[Any]) -> list[DealRow]:
    """Read deals, with seats as numbers."""
    return [_deal_row(row._asdict()) for row in db.session.execute(asked)]


def _deal_row(columns: dict[str, Any]) -> DealRow:
    """Make the row of one deal."""
    sits_out = tuple(columns.pop("sits_out"))
    payouts = _by_seat(columns.pop("payouts"))
    return DealRow(**columns, sits_out=sits_out, payouts=payouts)


def _version_row(version: DealVersion, phone: str | None) -> VersionRow:
    """Make the row of one version."""
    return VersionRow(
        version=version.version,
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
        at=version.at,
    )


def _by_seat(payouts: dict[str, int]) -> dict[int, int]:
    """Read payouts as they are stored, with the seats as numbers."""
    return {int(seat): amount for seat, amount in payouts.items()}
