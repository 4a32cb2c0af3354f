"""Queries of stored sessions: seats, changes, and balances, which are sums and never stored."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, bindparam, delete, func, select, tuple_, update

from scorer.rules.game import Outcome
from scorer.rules.seats import Seat as SeatNumber
from scorer.storage import changes
from scorer.storage.database import db
from scorer.storage.models import (
    CardSession,
    Deal,
    Payout,
    Player,
    Seat,
    SessionChange,
    StartedDeal,
    UtcTime,
)
from scorer.storage.queries.base import (
    CIRCLE,
    CIRCLES,
    LIMIT,
    NO_END,
    SESSION,
    SESSIONS,
    UNTIL,
    columns,
    rows,
    same,
)
from scorer.storage.queries.circle import in_order


def balance(*which: ColumnElement[bool]) -> ColumnElement[int]:
    """Make the balance of the seat of a row, of all its payouts or those that match."""
    paid = select(func.coalesce(func.sum(Payout.amount), 0)).where(
        Payout.circle_id == Seat.circle_id,
        Payout.session_id == Seat.session_id,
        Payout.seat == Seat.seat,
        *which,
    )
    return Seat.opening + paid.correlate(Seat).scalar_subquery()


_BALANCES = (
    select(Seat.seat, balance(Payout.number <= UNTIL))
    .where(Seat.circle_id == CIRCLE, Seat.session_id == SESSION)
    .order_by(Seat.seat)
)


def balances(circle_id: UUID, session_id: UUID, *, until: int = NO_END) -> dict[SeatNumber, int]:
    """Return the balance of each seat after deal `until`, or after the last one."""
    result = rows(_BALANCES, circle_id=circle_id, session_id=session_id, until=until)
    return {SeatNumber(seat): int(balance) for seat, balance in result}


_OF_SESSION = (Payout.circle_id == CIRCLE, Payout.session_id == SESSION)
_LAST_PAYOUTS = select(Payout.seat, Payout.amount).where(
    *_OF_SESSION,
    Payout.number == select(func.max(Payout.number)).where(*_OF_SESSION).scalar_subquery(),
)


def last_payouts(circle_id: UUID, session_id: UUID) -> dict[int, int]:
    return dict(rows(_LAST_PAYOUTS, circle_id=circle_id, session_id=session_id).tuples().all())


_MATRIX = (
    select(Payout.number, Payout.seat, Payout.amount)
    .where(*_OF_SESSION)
    .order_by(Payout.number, Payout.seat)
)


def payout_matrix(circle_id: UUID, session_id: UUID) -> dict[int, dict[SeatNumber, int]]:
    """Return the payouts of the deals that have any, in order: number -> seat -> amount."""
    result = rows(_MATRIX, circle_id=circle_id, session_id=session_id)
    matrix: dict[int, dict[SeatNumber, int]] = {}
    for number, seat, amount in result:
        matrix.setdefault(number, {})[seat] = amount
    return matrix


def drop_payouts(circle_id: UUID, session_id: UUID, number: int) -> None:
    """Delete the payouts of a deal, before those of its new version are written."""
    db.session.execute(
        delete(Payout).where(
            Payout.circle_id == circle_id, Payout.session_id == session_id, Payout.number == number
        )
    )


_AMENDED = select(Deal.number).where(
    Deal.circle_id == CIRCLE,
    Deal.session_id == SESSION,
    Deal.voided.is_(False),
    Deal.amended.is_(True),
)


def amended_numbers(circle_id: UUID, session_id: UUID) -> set[int]:
    return set(rows(_AMENDED, circle_id=circle_id, session_id=session_id).scalars())


Key = tuple[UUID, UUID]
Listed = tuple[UUID, UUID, str, dict[str, Any], str, datetime, datetime | None, int]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat, who sits there, what was brought in, and how many players came before."""

    seat: int
    player_id: UUID
    name: str
    opening: int
    joined: int
    place: int
    nickname: str


@dataclass(frozen=True, slots=True)
class SeatBalance:
    """A seat of a listed session, who sits on it and the balance as it stands."""

    seat: int
    player_id: UUID
    name: str
    balance: int
    joined: int
    place: int


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A card session in a list: what it is, how many deals were played, how it stands."""

    circle_id: UUID
    session_id: UUID
    game: str
    rules: dict[str, Any]
    title: str
    started_at: datetime
    ended_at: datetime | None
    next_number: int
    played: int
    standings: tuple[SeatBalance, ...]


_OF_CIRCLE = CardSession.circle_id == CIRCLE
_TABLE = CardSession.metadata.tables[CardSession.__tablename__]
_SESSION_FOR_UPDATE = (
    select(_TABLE)
    .where(_TABLE.c.circle_id == CIRCLE, _TABLE.c.session_id == SESSION)
    .with_for_update()
)
#: What a session begins with and keeps for good.
_FIXED = {"circle_id", "session_id", "game", "rules", "started_at"}
_CHANGING = [column.name for column in _TABLE.c if column.name not in _FIXED]
_SAVE_SESSION = (
    update(_TABLE)
    .where(_TABLE.c.circle_id == bindparam("of"), _TABLE.c.session_id == bindparam("which"))
    .values({name: bindparam(name) for name in _CHANGING})
)


def session_for_update(circle_id: UUID, session_id: UUID) -> CardSession | None:
    """Find one card session, locked until the transaction ends: every write to it starts here.

    What changes in its row is not followed: `save_session` writes it.
    """
    values = (
        rows(_SESSION_FOR_UPDATE, circle_id=circle_id, session_id=session_id)
        .mappings()
        .one_or_none()
    )
    return None if values is None else CardSession(**values)


def save_session(row: CardSession) -> None:
    """Write what was changed in the row of a session that is locked; its rules never are."""
    changing = {name: getattr(row, name) for name in _CHANGING}
    changes.touch(row.circle_id)
    db.session.execute(_SAVE_SESSION, {"of": row.circle_id, "which": row.session_id, **changing})


_SESSION_IDS = (
    select(CardSession.session_id)
    .where(_OF_CIRCLE)
    .order_by(CardSession.started_at, CardSession.session_id)
)


def session_ids(circle_id: UUID) -> list[UUID]:
    """List every card session of the circle, oldest first."""
    return list(rows(_SESSION_IDS, circle_id=circle_id).scalars())


_TITLES_BETWEEN = select(CardSession.title).where(
    _OF_CIRCLE,
    CardSession.started_at >= bindparam("first", type_=UtcTime()),
    CardSession.started_at < bindparam("end", type_=UtcTime()),
)


def titles_between(circle_id: UUID, first: datetime, end: datetime) -> list[str]:
    """List the titles of the sessions that began from one moment to before another."""
    return list(rows(_TITLES_BETWEEN, circle_id=circle_id, first=first, end=end).scalars())


_SESSION_COUNT = select(func.count()).select_from(CardSession).where(_OF_CIRCLE)


def session_count(circle_id: UUID) -> int:
    return rows(_SESSION_COUNT, circle_id=circle_id).scalar_one()


_GAMES = select(CardSession.game).where(_OF_CIRCLE).distinct().order_by(CardSession.game)


def games_played(circle_id: UUID) -> list[str]:
    return list(rows(_GAMES, circle_id=circle_id).scalars())


_SESSIONS_BY_KEY = select(CardSession).where(_OF_CIRCLE, CardSession.session_id.in_(SESSIONS))


def sessions_by_key(circle_id: UUID, session_ids: Collection[UUID]) -> list[CardSession]:
    """List those of these card sessions that are the circle's, in no order."""
    parameters = {"circle_id": circle_id, "session_ids": list(session_ids)}
    return list(db.session.scalars(_SESSIONS_BY_KEY, parameters))


_PEOPLE = in_order(Player.circle_id == CIRCLE)
_SEATS_BY_SESSION = (
    select(
        Seat.session_id,
        *columns(
            SeatRow, Seat, name=_PEOPLE.c.name, place=_PEOPLE.c.place, nickname=_PEOPLE.c.nickname
        ),
    )
    .join(_PEOPLE, same(_PEOPLE.c, Seat, "player_id"))
    .where(Seat.circle_id == CIRCLE, Seat.session_id.in_(SESSIONS))
    .order_by(Seat.seat)
)


def seats_by_session(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, list[SeatRow]]:
    """List the seats of several card sessions, each in order of play."""
    seats: dict[UUID, list[SeatRow]] = {}
    result = rows(_SEATS_BY_SESSION, circle_id=circle_id, session_ids=list(session_ids))
    for session_id, *row in result:
        seats.setdefault(session_id, []).append(SeatRow(*row))
    return seats


def seats(circle_id: UUID, session_id: UUID) -> list[SeatRow]:
    """List the seats of a card session in order of play, with the players' names."""
    return seats_by_session(circle_id, [session_id]).get(session_id, [])


_CHANGES_BY_SESSION = (
    select(SessionChange)
    .where(SessionChange.circle_id == CIRCLE, SessionChange.session_id.in_(SESSIONS))
    .order_by(SessionChange.serial)
)


def changes_by_session(
    circle_id: UUID, session_ids: Collection[UUID]
) -> dict[UUID, list[SessionChange]]:
    """List the changes of several card sessions, each in the order they were written."""
    parameters = {"circle_id": circle_id, "session_ids": list(session_ids)}
    changes: dict[UUID, list[SessionChange]] = {}
    for change in db.session.scalars(_CHANGES_BY_SESSION, parameters):
        changes.setdefault(change.session_id, []).append(change)
    return changes


def session_changes(circle_id: UUID, session_id: UUID) -> list[SessionChange]:
    """List the changes of a card session's rules and seats in the order they were written."""
    return changes_by_session(circle_id, [session_id]).get(session_id, [])


_WITH_STARTED = (
    select(CardSession, StartedDeal)
    .outerjoin(StartedDeal, same(StartedDeal, CardSession, "session_id"))
    .where(_OF_CIRCLE, CardSession.session_id == SESSION)
)


def session_and_started(
    circle_id: UUID, session_id: UUID
) -> tuple[CardSession, StartedDeal | None] | None:
    parameters = {"circle_id": circle_id, "session_id": session_id}
    row = db.session.execute(_WITH_STARTED, parameters).one_or_none()
    return None if row is None else (row[0], row[1])


_DROP = delete(_TABLE).where(_TABLE.c.circle_id == CIRCLE, _TABLE.c.session_id.in_(SESSIONS))


def drop_sessions(circle_id: UUID, session_ids: Collection[UUID]) -> None:
    """Delete card sessions with all that is theirs; the journal has said so before."""
    changes.touch(circle_id)
    db.session.execute(_DROP, {"circle_id": circle_id, "session_ids": list(session_ids)})


_LISTED = select(
    CardSession.circle_id,
    CardSession.session_id,
    CardSession.game,
    CardSession.rules,
    CardSession.title,
    CardSession.started_at,
    CardSession.ended_at,
    CardSession.next_number,
).order_by(CardSession.started_at.desc(), CardSession.session_id.desc())
_NEWEST = _LISTED.where(_OF_CIRCLE).limit(LIMIT)
_LAST_SHOWN = (
    select(CardSession.started_at, CardSession.session_id)
    .where(_OF_CIRCLE, CardSession.session_id == SESSION)
    .scalar_subquery()
)
_NEXT = _NEWEST.where(tuple_(CardSession.started_at, CardSession.session_id) < _LAST_SHOWN)
_OPEN = _LISTED.where(CardSession.circle_id.in_(CIRCLES), CardSession.ended_at.is_(None))


def sessions(circle_id: UUID, *, limit: int, before: UUID | None = None) -> list[SessionRow]:
    """List a page of the circle's card sessions, newest first, after the one called `before`."""
    page = _NEXT if before else _NEWEST
    return _with_standings(page, circle_id=circle_id, limit=limit, session_id=before)


def open_sessions(circle_ids: Collection[UUID]) -> list[SessionRow]:
    """List the card sessions of these circles that have not ended, newest first."""
    return _with_standings(_OPEN, circle_ids=list(circle_ids))


_PLAYED = (
    select(Deal.circle_id, Deal.session_id, func.count())
    .where(
        Deal.circle_id.in_(CIRCLES),
        Deal.session_id.in_(SESSIONS),
        Deal.voided.is_(False),
        Deal.outcome == Outcome.PLAYED.value,
    )
    .group_by(Deal.circle_id, Deal.session_id)
)
_EVERYBODY = in_order(Player.circle_id.in_(CIRCLES))
_STANDINGS = (
    select(
        Seat.circle_id,
        Seat.session_id,
        *columns(
            SeatBalance,
            Seat,
            name=_EVERYBODY.c.name,
            balance=balance(),
            place=_EVERYBODY.c.place,
        ),
    )
    .join(_EVERYBODY, same(_EVERYBODY.c, Seat, "player_id"))
    .where(Seat.circle_id.in_(CIRCLES), Seat.session_id.in_(SESSIONS))
    .order_by(Seat.seat)
)


def _with_standings(statement: Select[Listed], **parameters: object) -> list[SessionRow]:
    sessions = rows(statement, **parameters).tuples().all()
    keys = {
        "circle_ids": list({row[0] for row in sessions}),
        "session_ids": list({row[1] for row in sessions}),
    }
    played = {tuple(key): count for *key, count in rows(_PLAYED, **keys)}
    standings: defaultdict[Key, list[SeatBalance]] = defaultdict(list)
    for circle_id, session_id, *standing in rows(_STANDINGS, **keys):
        standings[circle_id, session_id].append(SeatBalance(*standing))
    return [
        SessionRow(*row, played=played.get(row[:2], 0), standings=tuple(standings[row[:2]]))
        for row in sessions
    ]
