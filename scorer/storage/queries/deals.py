"""Queries of deals: their versions, reviews and payouts, and the search of the history."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from sys import intern
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Select, String, and_, cast, func, or_, select, tuple_
from sqlalchemy.orm import aliased

from scorer.ledger.records import CALLING, DealKey, DealResult, DealSearch
from scorer.rules.game import Outcome
from scorer.storage.models import (
    HIGHEST_SEAT,
    CardSession,
    DealRow,
    DealVersion,
    JournalEntry,
    Payout,
    Play,
    Seat,
)
from scorer.storage.queries import base
from scorer.storage.queries.base import AnySelect, columns, count_of, same
from scorer.storage.queries.circle import seated

_PLACE = (CardSession.started_at, CardSession.session_id)


@base.figure
def has_key(circle_id: UUID, deal_id: UUID) -> Select[int]:
    """Count the deals of the circle, of whatever session, with the key that a phone made."""
    return count_of(DealRow).where(DealRow.circle_id == circle_id, DealRow.deal_id == deal_id)


@base.figure
def circle_count(circle_id: UUID) -> Select[int]:
    return count_of(DealRow).where(DealRow.circle_id == circle_id)


class OrderedSession(NamedTuple):
    """A session of a circle, to be listed in order."""

    session_id: UUID
    game: str
    started_at: datetime
    title: str


def sessions_in_order(circle_id: UUID) -> list[OrderedSession]:
    """List the sessions of the circle, oldest first.

    Sessions of one moment, such as files of one day, are sorted by when they were recorded, then by
    title.
    """
    sessions = _ordered(circle_id)
    times = Counter(session.started_at for session in sessions)
    level = [str(session.session_id) for session in sessions if times[session.started_at] > 1]
    if level:
        entries = _recorded(circle_id, level)
        sessions.sort(
            key=lambda session: (
                session.started_at,
                entries.get(str(session.session_id), 0),
                session.title,
            )
        )
    return sessions


@base.each(OrderedSession)
def _ordered(circle_id: UUID) -> AnySelect:
    ordered = select(*columns(OrderedSession, CardSession)).order_by(*_PLACE)
    return ordered.where(CardSession.circle_id == circle_id)


@base.mapping
def _recorded(circle_id: UUID, keys: Collection[str]) -> Select[str, int]:
    return (
        select(JournalEntry.key, func.min(JournalEntry.serial))
        .where(
            JournalEntry.circle_id == circle_id,
            JournalEntry.subject == CardSession.__tablename__,
            JournalEntry.key.in_(keys),
        )
        .group_by(JournalEntry.key)
    )


@base.tuples
def session_starts(
    circle_id: UUID, session_ids: Collection[UUID]
) -> Select[UUID, str, datetime, dict[str, Any], int, bool, UUID | None]:
    """List some sessions, in no order: key, game, beginning, and the rules that they began with.

    The last values are the number of the next deal, whether it has ended, and from which one it
    went on.
    """
    known = (CardSession.circle_id == circle_id, CardSession.session_id.in_(session_ids))
    return select(
        CardSession.session_id,
        CardSession.game,
        CardSession.started_at,
        CardSession.rules,
        CardSession.next_number,
        or_(CardSession.ended_at.is_not(None), CardSession.finished_number.is_not(None)),
        CardSession.went_on_from,
    ).where(*known)


def _by_session(paid: Iterable[Sequence[Any]]) -> dict[UUID, list[DealResult]]:
    sessions: dict[str, dict[int, DealResult]] = {}
    for session_id, number, outcome, bid, made, seat, amount, role in paid:
        deals = sessions.setdefault(session_id, {})
        if number not in deals:
            penalty = outcome == Outcome.PENALTY
            deals[number] = DealResult(number, penalty, bid and intern(bid), made, {}, {})
        deals[number].payouts[seat] = amount
        if role:
            deals[number].roles[seat] = role
    return {UUID(session_id): [*deals.values()] for session_id, deals in sessions.items()}


@base.then(_by_session)
@base.tuples
def paid_deals(circle_id: UUID, session_ids: Collection[UUID]) -> AnySelect:
    """Return the deals of some sessions that have payouts, in order, by session.

    The session's key is text, to be parsed once a session and not once a row.
    """
    return (
        select(
            cast(Payout.session_id, String),
            Payout.number,
            DealRow.outcome,
            DealRow.bid,
            DealRow.made,
            Payout.seat,
            Payout.amount,
            Payout.role,
        )
        .join(DealRow, same(DealRow, Payout, "session_id", "number"))
        .where(Payout.circle_id == circle_id, Payout.session_id.in_(session_ids))
        .order_by(Payout.session_id, Payout.number)
    )


@base.groups(lambda *sheet: sheet)
def played_sheets(circle_id: UUID, session_ids: Collection[UUID]) -> AnySelect:
    """Return by session the deals that count in some sessions, each its number and its sheet."""
    current = same(DealVersion, DealRow, "deal_id", "version")
    sheets = select(DealRow.session_id, DealRow.number, DealVersion.stored).join(
        DealVersion, current
    )
    return sheets.where(
        DealRow.circle_id == circle_id,
        DealRow.session_id.in_(session_ids),
        DealRow.voided.is_(False),
        DealRow.outcome.in_([outcome.value for outcome in Outcome if outcome.counts]),
    )


DealKeys = Select[UUID, int]
_NEWEST_FIRST = tuple(column.desc() for column in _PLACE)


def _of_sessions(search: DealSearch) -> Iterator[ColumnElement[bool]]:
    if search.game:
        yield CardSession.game == search.game
    if search.since is not None:
        yield CardSession.started_at >= search.since
    if search.until is not None:
        yield CardSession.started_at < search.until
    for person in (search.player, search.other):
        if person is not None:
            yield seated(person)


@base.each(DealKey)
def find_deals(
    circle_id: UUID, search: DealSearch, *, limit: int, before: DealKey | None = None
) -> DealKeys:
    """Find the deals that match, newest first, after one of them."""
    found = _found(circle_id, search)
    if before is not None:
        of_last = CardSession.circle_id == circle_id, CardSession.session_id == before.session_id
        last = select(*_PLACE).where(*of_last).scalar_subquery()
        is_other = CardSession.session_id != before.session_id
        earlier = or_(is_other, DealRow.number < before.number)
        found = found.where(tuple_(*_PLACE) <= last, earlier)
    return found.order_by(*_NEWEST_FIRST, DealRow.number.desc()).limit(limit)


@base.figure
def count_deals(circle_id: UUID, search: DealSearch, *, limit: int) -> Select[int]:
    """Count the deals that match, up to a limit."""
    return count_of(_found(circle_id, search).limit(limit).subquery())


def _found(circle_id: UUID, search: DealSearch) -> DealKeys:
    """Select the deals that match."""
    found: DealKeys = (
        select(DealRow.session_id, DealRow.number)
        .join(CardSession, same(CardSession, DealRow, "session_id"))
        .where(DealRow.circle_id == circle_id, *_of_sessions(search), *_of_deals(search))
    )
    return _with_part(found, search) if search.player or search.role else found


def _of_deals(search: DealSearch) -> Iterator[ColumnElement[bool]]:
    if search.bids:
        yield DealRow.bid.in_(search.bids)
    if search.made is not None:
        yield DealRow.made.is_(search.made)
    if search.outcome:
        yield DealRow.outcome == search.outcome
    if search.state:
        yield {
            "stands": DealRow.voided.is_(False),
            "voided": DealRow.voided.is_(True),
            "amended": DealRow.amended.is_(True),
            "disputed": DealRow.disputed.is_(True),
        }[search.state]


_Seat, _OtherSeat = aliased(Seat), aliased(Seat)
_Paid, _OtherPaid = aliased(Payout), aliased(Payout)


def _with_part(statement: DealKeys, search: DealSearch) -> DealKeys:
    """Narrow to deals in which the player and the other one had their roles."""
    if search.player is None:
        part = select(_Paid.seat).where(_of_deal(_Paid), _role(_Paid, search.role))
        return statement.where(part.correlate(DealRow).exists())
    statement = _with_player(statement, _Seat, _Paid, search.player, search.role)
    if search.other is None:
        return statement
    role = "" if search.other_role == "against" else search.other_role
    statement = _with_player(statement, _OtherSeat, _OtherPaid, search.other, role)
    if search.other_role != "against":
        return statement
    # One won and the other lost, in a deal that sums to zero.
    everybody = aliased(Payout)
    together = select(func.sum(everybody.amount)).where(_of_deal(everybody)).correlate(DealRow)
    opposed = _Paid.amount * _OtherPaid.amount < 0
    return statement.where(opposed, together.scalar_subquery() == 0)


def _with_player(statement: DealKeys, seat: Any, paid: Any, player: UUID, role: str) -> DealKeys:
    statement = statement.join(
        seat,
        and_(
            seat.circle_id == DealRow.circle_id,
            seat.session_id == DealRow.session_id,
            seat.player_id == player,
        ),
    )
    if role == "dealer":
        return statement.where(DealRow.dealer == seat.seat)
    of_seat = and_(_of_deal(paid), paid.seat == seat.seat)
    if role:
        return statement.join(paid, of_seat).where(_role(paid, role))
    pays = (
        and_(seat.seat == number, DealVersion.payouts[str(number)].as_integer().is_not(None))
        for number in range(HIGHEST_SEAT + 1)
    )
    current = select(DealVersion.version).where(
        DealVersion.circle_id == DealRow.circle_id,
        DealVersion.deal_id == DealRow.deal_id,
        DealVersion.version == DealRow.version,
        or_(*pays),
    )
    would_pay = and_(DealRow.voided.is_(True), current.correlate(DealRow, seat).exists())
    return statement.outerjoin(paid, of_seat).where(or_(paid.amount.is_not(None), would_pay))


def _of_deal(paid: Any) -> ColumnElement[bool]:
    return same(paid, DealRow, "session_id", "number")


def _role(paid: Any, role: str) -> ColumnElement[bool]:
    """Make the condition that a payout is for a role; a defender's has no role."""
    match role:
        case "calls":
            part: ColumnElement[bool] = paid.role.in_(CALLING)
        case "defender":
            played = DealRow.outcome == Outcome.PLAYED.value
            part = and_(paid.role == "", played, DealRow.bid.is_not(None))
        case _:
            part = paid.role == role
    return part


@base.entity
def tricks(circle_id: UUID, deal_id: UUID) -> Select[Play]:
    """Find the newest version of the cards of a deal."""
    return (
        base.with_phone(Play)
        .where(Play.circle_id == circle_id, Play.deal_id == deal_id)
        .order_by(Play.version.desc())
        .limit(1)
    )


def _with_note(cards: dict[str, Any], reason: str | None) -> dict[str, Any]:
    return cards | ({} if reason is None else {"note": reason})


@base.then(lambda rows: {deal_id: _with_note(*written) for deal_id, *written in rows})
@base.tuples
def session_plays(circle_id: UUID, session_id: UUID) -> AnySelect:
    """Return the newest version of the cards of each deal of a session, with its note."""
    newest = (
        select(Play.deal_id, func.max(Play.version).label("version"))
        .where(Play.circle_id == circle_id, Play.session_id == session_id)
        .group_by(Play.deal_id)
        .subquery()
    )
    of_newest = and_(Play.deal_id == newest.c.deal_id, Play.version == newest.c.version)
    selected = select(Play.deal_id, Play.cards, Play.reason).join(newest, of_newest)
    return selected.where(Play.circle_id == circle_id)
