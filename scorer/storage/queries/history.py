"""The search of a circle's deals.

A search reads a few sessions at a time, newest first, so that a page costs the same however many
deals there are. The indexes of deals and payouts cover it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, tuple_
from sqlalchemy.orm import aliased

from scorer.ledger.records import CALLING
from scorer.rules.game import Outcome
from scorer.storage.models import HIGHEST_SEAT, CardSession, Deal, DealVersion, Payout, Seat
from scorer.storage.queries.parameters import CIRCLE, LIMIT, SESSION, SESSIONS
from scorer.storage.queries.players import seated
from scorer.storage.queries.rows import rows, same

Found = Select[tuple[UUID, UUID, int]]


@dataclass(frozen=True, slots=True)
class Sought:
    """The criteria of a search; what is left out may be anything.

    ``role`` is a part of the player, or of anybody where there is no player: a role of payouts, or
    "calls" (caller or alone), "defender", "dealer". ``other`` is another player, in ``other_role``:
    one of these, or "against" (points went between the two). ``bids`` are alternatives. ``until``
    is exclusive. ``state`` is "stands", "voided", "amended" or "disputed".
    """

    game: str = ""
    since: datetime | None = None
    until: datetime | None = None
    player: UUID | None = None
    role: str = ""
    other: UUID | None = None
    other_role: str = ""
    bids: tuple[str, ...] = ()
    made: bool | None = None
    outcome: str = ""
    state: str = ""


class DealKey(NamedTuple):
    """The keys of a deal."""

    deal_id: UUID
    session_id: UUID
    number: int


_NEWEST_FIRST = (CardSession.started_at.desc(), CardSession.session_id.desc())
_LAST = (
    select(CardSession.started_at, CardSession.session_id)
    .where(CardSession.circle_id == CIRCLE, CardSession.session_id == SESSION)
    .scalar_subquery()
)


def sought_sessions(
    circle_id: UUID, sought: Sought, *, limit: int, after: UUID | None = None
) -> list[UUID]:
    """List the sessions that match, newest first, after one of them."""
    found = select(CardSession.session_id).where(
        CardSession.circle_id == CIRCLE, *_of_sessions(sought)
    )
    if after is not None:
        found = found.where(tuple_(CardSession.started_at, CardSession.session_id) < _LAST)
    newest = found.order_by(*_NEWEST_FIRST).limit(LIMIT)
    return list(rows(newest, circle_id=circle_id, session_id=after, limit=limit).scalars())


def _of_sessions(sought: Sought) -> Iterator[ColumnElement[bool]]:
    if sought.game:
        yield CardSession.game == sought.game
    if sought.since is not None:
        yield CardSession.started_at >= sought.since
    if sought.until is not None:
        yield CardSession.started_at < sought.until
    for person in (sought.player, sought.other):
        if person is not None:
            yield seated(person)


def sought_deals(
    circle_id: UUID,
    sought: Sought,
    session_ids: Collection[UUID],
    *,
    limit: int,
    below: int | None = None,
) -> list[DealKey]:
    """Find the deals of these sessions that match, newest first, below a number."""
    found: Found = (
        select(Deal.deal_id, Deal.session_id, Deal.number)
        .join(CardSession, same(CardSession, Deal, "session_id"))
        .where(Deal.circle_id == CIRCLE, Deal.session_id.in_(SESSIONS))
        .where(*_of_sessions(sought), *_of_deals(sought))
    )
    if below is not None:
        found = found.where(Deal.number < below)
    if sought.player is not None or sought.role:
        found = _with_part(found, sought)
    newest = found.order_by(*_NEWEST_FIRST, Deal.number.desc()).limit(LIMIT)
    asked = {"circle_id": circle_id, "session_ids": list(session_ids), "limit": limit}
    return [DealKey(*row) for row in rows(newest, **asked)]


def _of_deals(sought: Sought) -> Iterator[ColumnElement[bool]]:
    if sought.bids:
        yield Deal.bid.in_(sought.bids)
    if sought.made is not None:
        yield Deal.made.is_(sought.made)
    if sought.outcome:
        yield Deal.outcome == sought.outcome
    if sought.state:
        yield {
            "stands": Deal.voided.is_(False),
            "voided": Deal.voided.is_(True),
            "amended": Deal.amended.is_(True),
            "disputed": Deal.disputed.is_(True),
        }[sought.state]


_Seat, _OtherSeat = aliased(Seat), aliased(Seat)
_Paid, _OtherPaid = aliased(Payout), aliased(Payout)


def _with_part(found: Found, sought: Sought) -> Found:
    """Narrow to deals in which the player and the other one had their roles."""
    if sought.player is None:
        part = select(_Paid.seat).where(_of_deal(_Paid), _role(_Paid, sought.role))
        return found.where(part.correlate(Deal).exists())
    found = _with_player(found, _Seat, _Paid, sought.player, sought.role)
    if sought.other is None:
        return found
    role = "" if sought.other_role == "against" else sought.other_role
    found = _with_player(found, _OtherSeat, _OtherPaid, sought.other, role)
    return found.where(*_against()) if sought.other_role == "against" else found


def _with_player(found: Found, seat: Any, paid: Any, player: UUID, role: str) -> Found:
    found = found.join(
        seat,
        and_(
            seat.circle_id == Deal.circle_id,
            seat.session_id == Deal.session_id,
            seat.player_id == player,
        ),
    )
    if role == "dealer":
        return found.where(Deal.dealer == seat.seat)
    of_seat = and_(_of_deal(paid), paid.seat == seat.seat)
    if role:
        return found.join(paid, of_seat).where(_role(paid, role))
    would = and_(Deal.voided.is_(True), _would_be_paid(seat))
    return found.outerjoin(paid, of_seat).where(or_(paid.amount.is_not(None), would))


def _of_deal(paid: Any) -> ColumnElement[bool]:
    return same(paid, Deal, "session_id", "number")


def _role(paid: Any, role: str) -> ColumnElement[bool]:
    """Make the condition that a payout is for a role; that of a defender has none."""
    match role:
        case "calls":
            part: ColumnElement[bool] = paid.role.in_(CALLING)
        case "defender":
            played = Deal.outcome == Outcome.PLAYED.value
            part = and_(paid.role == "", played, Deal.bid.is_not(None))
        case _:
            part = paid.role == role
    return part


def _would_be_paid(seat: Any) -> ColumnElement[bool]:
    """Make the condition that the version of a voided deal has a payout for a seat."""
    figures = (
        and_(seat.seat == number, DealVersion.payouts[str(number)].as_integer().is_not(None))
        for number in range(HIGHEST_SEAT + 1)
    )
    current = select(DealVersion.version).where(
        DealVersion.circle_id == Deal.circle_id,
        DealVersion.deal_id == Deal.deal_id,
        DealVersion.version == Deal.version,
        or_(*figures),
    )
    return current.correlate(Deal, seat).exists()


def _against() -> Iterator[ColumnElement[bool]]:
    """Make the conditions that one won and the other lost, in a deal that sums to zero."""
    everybody = aliased(Payout)
    together = select(func.sum(everybody.amount)).where(_of_deal(everybody))
    yield _Paid.amount * _OtherPaid.amount < 0
    yield together.correlate(Deal).scalar_subquery() == 0
