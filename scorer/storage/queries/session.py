"""Queries of stored sessions: seats, changes, balances (sums, never stored), and house rules."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Dialect,
    Select,
    String,
    bindparam,
    delete,
    func,
    select,
    tuple_,
    type_coerce,
    update,
)
from sqlalchemy.orm import aliased
from sqlalchemy.orm.exc import StaleDataError
from sqlalchemy.types import TypeDecorator

from scorer.evening.deal import Review, Version
from scorer.rules.game import Outcome
from scorer.storage import changes, models
from scorer.storage.database import db
from scorer.storage.models import (
    CardSession,
    Circle,
    Deal,
    DealVersion,
    Json,
    Payout,
    Phone,
    Player,
    RuleSet,
    RuleSetVersion,
    Seat,
    SessionChange,
    StartedDeal,
)
from scorer.storage.queries import base
from scorer.storage.queries.base import (
    NO_END,
    AnySelect,
    Kind,
    columns,
    count_of,
    grouped,
    same,
    total,
)
from scorer.storage.queries.circle import in_order
from scorer.storage.transactions import execute


class BySeat(TypeDecorator[dict[int, int]]):
    """Amounts by seat, read from JSON, where the seats are texts."""

    impl = Json
    cache_ok = True

    def process_result_value(self, value: Any, _dialect: Dialect) -> dict[int, int]:
        return {int(seat): amount for seat, amount in value.items()}


class OutcomeText(TypeDecorator[Outcome]):
    """The outcome of a deal, stored as its word."""

    impl = String
    cache_ok = True

    def process_result_value(self, value: Any, _dialect: Dialect) -> Outcome:
        return Outcome(value)


def balance(*which: ColumnElement[bool]) -> ColumnElement[int]:
    """Make the column of a seat's balance: the opening and its payouts, all or matching ones."""
    paid = select(func.coalesce(total(Payout.amount), 0)).where(
        Payout.circle_id == Seat.circle_id,
        Payout.session_id == Seat.session_id,
        Payout.seat == Seat.seat,
        *which,
    )
    return Seat.opening + paid.correlate(Seat).scalar_subquery()


@base.mapping
def balances(circle_id: UUID, session_id: UUID, *, until: int = NO_END) -> AnySelect:
    """Return the balance of each seat after deal `until`, or after the last one."""
    standing = select(Seat.seat, balance(Payout.number <= until)).order_by(Seat.seat)
    return standing.where(Seat.circle_id == circle_id, Seat.session_id == session_id)


def drop_payouts(circle_id: UUID, session_id: UUID, numbers: Collection[int]) -> None:
    """Delete the payouts of deals, before those of their new versions are written."""
    of_deals = Payout.circle_id == circle_id, Payout.session_id == session_id
    db.session.execute(delete(Payout).where(*of_deals, Payout.number.in_(numbers)))


_DEAL = Deal.metadata.tables[Deal.__tablename__]
_SAVE_DEAL = update(_DEAL).where(
    _DEAL.c.circle_id == bindparam("of"), _DEAL.c.deal_id == bindparam("which")
)


def save_deals(rows: Sequence[Mapping[str, Any]]) -> None:
    """Write how deals stand, as searches need it; a row has its circle ``of`` and key ``which``."""
    if rows:
        execute(_SAVE_DEAL, rows)


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
    """A card session in a list, with its number of deals played and its state."""

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


_STARTED = StartedDeal.metadata.tables[StartedDeal.__tablename__]
_TABLE = CardSession.metadata.tables[CardSession.__tablename__]
#: What a session begins with and keeps for good.
_FIXED = {"circle_id", "session_id", "game", "rules", "started_at"}
_COLUMNS = _TABLE.columns.keys()
_CHANGING = [name for name in _COLUMNS if name not in _FIXED]
_SAVE_SESSION = update(_TABLE).where(
    _TABLE.c.circle_id == bindparam("of"),
    _TABLE.c.session_id == bindparam("which"),
    _TABLE.c.version == bindparam("seen"),
)


def _untracked(kind: type[Kind], values: Sequence[Any]) -> Kind:
    """Make a row whose changes are not tracked.

    It is made as SQLAlchemy makes those that it loads, in a tenth of the time of the constructor.
    """
    row: Kind = kind.__mapper__.class_manager.new_instance()
    row.__dict__.update(zip(kind.__table__.columns.keys(), values, strict=True))
    return row


_HEADS = (
    select(_TABLE, Circle.chain, _STARTED)
    .join(Circle, Circle.circle_id == _TABLE.c.circle_id)
    .outerjoin(_STARTED, same(_STARTED.c, _TABLE.c, "session_id"))
)


def _head(*values: Any) -> tuple[CardSession, StartedDeal | None, str]:
    row, journal, started = (
        values[: len(_TABLE.c)],
        values[len(_TABLE.c)],
        values[len(_TABLE.c) + 1 :],
    )
    under_way = None if started[0] is None else _untracked(StartedDeal, started)
    return _untracked(CardSession, row), under_way, journal


def _head_of(circle_id: UUID, session_id: UUID) -> AnySelect:
    return _HEADS.where(_TABLE.c.circle_id == circle_id, _TABLE.c.session_id == session_id)


@base.first(_head)
def head(circle_id: UUID, session_id: UUID) -> AnySelect:
    """Find a card session, its deal under way, and the hash of its circle's journal; untracked."""
    return _head_of(circle_id, session_id)


@base.each(_head)
def heads(circle_id: UUID, session_ids: Collection[UUID]) -> Select[Any]:
    """Find several card sessions as `head` does; those that are gone are left out."""
    return _HEADS.where(_TABLE.c.circle_id == circle_id, _TABLE.c.session_id.in_(session_ids))


@base.first(_head)
def head_for_update(circle_id: UUID, session_id: UUID) -> Select[Any]:
    """Find a session as `head` does, locked until the transaction ends: every write starts here."""
    return _head_of(circle_id, session_id).with_for_update(of=_TABLE)


def copied_session(row: CardSession) -> CardSession:
    """Copy a session's row, to change the copy."""
    columns = vars(row)
    return _untracked(CardSession, [columns[name] for name in _COLUMNS])


def save_session(row: CardSession, before: Mapping[str, Any]) -> None:
    """Write what has changed in a session's row, by its values ``before``; its rules never change.

    Raise StaleDataError if the table no longer has the version from before.
    """
    columns = vars(row)
    changed = {name: columns[name] for name in _CHANGING if columns[name] != before[name]}
    changes.touch(row.circle_id)
    key = {"of": row.circle_id, "which": row.session_id, "seen": before["version"]}
    if not execute(_SAVE_SESSION, key | changed).rowcount:
        raise StaleDataError


@base.column
def session_ids(circle_id: UUID) -> Select[UUID]:
    """List every card session of the circle, oldest first."""
    oldest_first = (CardSession.started_at, CardSession.session_id)
    return select(CardSession.session_id).filter_by(circle_id=circle_id).order_by(*oldest_first)


@base.mapping
def newest_by_game(circle_id: UUID) -> Select[str, UUID]:
    """Return the card session of each game that began last: of equal keys the later one stays."""
    of_circle = select(CardSession.game, CardSession.session_id).filter_by(circle_id=circle_id)
    return of_circle.order_by(CardSession.started_at, CardSession.session_id)


@base.column
def titles_between(circle_id: UUID, first: datetime, end: datetime) -> Select[str]:
    """List the titles of the sessions that began between two moments, the second exclusive."""
    between = (CardSession.started_at >= first, CardSession.started_at < end)
    return select(CardSession.title).where(CardSession.circle_id == circle_id, *between)


@base.figure
def session_count(circle_id: UUID) -> Select[int]:
    return count_of(CardSession).filter_by(circle_id=circle_id)


@base.column
def games_played(circle_id: UUID) -> Select[str]:
    games = select(CardSession.game).distinct().order_by(CardSession.game)
    return games.filter_by(circle_id=circle_id)


@base.entities
def sessions_by_key(circle_id: UUID, session_ids: Collection[UUID]) -> Select[CardSession]:
    """List the card sessions of these keys that belong to the circle, in no order."""
    of_circle = select(CardSession).filter_by(circle_id=circle_id)
    return of_circle.where(CardSession.session_id.in_(session_ids))


@base.groups(SeatRow)
def seats_by_session(circle_id: UUID, session_ids: Collection[UUID]) -> AnySelect:
    """List the seats of several card sessions, each in order of play."""
    people = in_order(Player.circle_id == circle_id)
    return (
        select(Seat.session_id, *columns(SeatRow, Seat, people.c))
        .join(people, same(people.c, Seat, "player_id"))
        .where(Seat.circle_id == circle_id, Seat.session_id.in_(session_ids))
        .order_by(Seat.seat)
    )


def seats(circle_id: UUID, session_id: UUID) -> list[SeatRow]:
    """List the seats of a card session in order of play, with the players' names."""
    return seats_by_session(circle_id, [session_id]).get(session_id, [])


def _facts(table: Any, rows: Any, circle_id: UUID, keys: Collection[UUID], after: int) -> AnySelect:
    """Select rows of sessions' deals after a place in their chains, in their order."""
    return (
        select(Deal.session_id, *rows)
        .join(Deal, same(Deal, table, "deal_id"))
        .outerjoin(Phone, same(Phone, table, "phone_id"))
        .where(Deal.circle_id == circle_id, Deal.session_id.in_(keys), table.serial > after)
        .order_by(table.serial)
    )


@base.groups(Version)
def versions_since(circle_id: UUID, session_ids: Collection[UUID], after: int) -> AnySelect:
    """List by session the versions of its deals after a place in its chain, in their order."""
    rows = columns(
        Version,
        DealVersion,
        outcome=type_coerce(DealVersion.outcome, OutcomeText),
        payouts=type_coerce(DealVersion.payouts, BySeat),
        phone=Phone.name,
    )
    return _facts(DealVersion, rows, circle_id, session_ids, after)


@base.groups(Review)
def reviews_since(circle_id: UUID, session_ids: Collection[UUID], after: int) -> AnySelect:
    """List by session the reviews of its deals after a place in its chain, in their order."""
    rows = columns(Review, models.Review, phone=Phone.name)
    return _facts(models.Review, rows, circle_id, session_ids, after)


@base.then(lambda changes: grouped((change.session_id, change) for change in changes))
@base.entities
def changes_since(
    circle_id: UUID, session_ids: Collection[UUID], after: int
) -> Select[SessionChange]:
    """List by session the changes of its rules and seats after a place in its chain."""
    written = select(SessionChange).filter_by(circle_id=circle_id).order_by(SessionChange.serial)
    later = SessionChange.serial > after
    return written.where(SessionChange.session_id.in_(session_ids), later)


def drop_sessions(circle_id: UUID, session_ids: Collection[UUID]) -> None:
    """Delete card sessions with all their rows; the journal already has the entry."""
    changes.touch(circle_id)
    db.session.execute(
        delete(_TABLE).where(_TABLE.c.circle_id == circle_id, _TABLE.c.session_id.in_(session_ids))
    )


_PLAYED = count_of(Deal).where(
    same(Deal, CardSession, "session_id"),
    Deal.voided.is_(False),
    Deal.outcome == Outcome.PLAYED.value,
)
_LISTED = select(
    *columns(SessionRow, CardSession, played=_PLAYED.scalar_subquery(), standings=None)[:-1]
).order_by(CardSession.started_at.desc(), CardSession.session_id.desc())


@base.groups(SeatBalance)
def _standings(circle_ids: Collection[UUID], session_ids: Collection[UUID]) -> AnySelect:
    people = in_order(Player.circle_id.in_(circle_ids))
    return (
        select(Seat.session_id, *columns(SeatBalance, Seat, people.c, balance=balance()))
        .join(people, same(people.c, Seat, "player_id"))
        .where(Seat.circle_id.in_(circle_ids), Seat.session_id.in_(session_ids))
        .order_by(Seat.seat)
    )


def _with_standings(sessions: list[Any]) -> list[SessionRow]:
    standings = _standings({row[0] for row in sessions}, {row[1] for row in sessions})
    return [SessionRow(*(*row, tuple(standings[row.session_id]))) for row in sessions]


@base.then(_with_standings)
@base.tuples
def _newest(circle_id: UUID, limit: int) -> AnySelect:
    return _LISTED.where(CardSession.circle_id == circle_id).limit(limit)


@base.then(_with_standings)
@base.tuples
def _next(circle_id: UUID, before: UUID, limit: int) -> AnySelect:
    place = (CardSession.started_at, CardSession.session_id)
    of_circle = CardSession.circle_id == circle_id
    shown = select(*place).where(of_circle, CardSession.session_id == before).scalar_subquery()
    return _LISTED.where(of_circle, tuple_(*place) < shown).limit(limit)


def sessions(circle_id: UUID, *, limit: int, before: UUID | None = None) -> list[SessionRow]:
    """List a page of the circle's card sessions, newest first, after the one called `before`."""
    return _newest(circle_id, limit) if before is None else _next(circle_id, before, limit)


@base.then(_with_standings)
@base.tuples
def open_sessions(circle_ids: Collection[UUID]) -> AnySelect:
    """List the card sessions of these circles that have not ended, newest first."""
    return _LISTED.where(CardSession.circle_id.in_(circle_ids), CardSession.ended_at.is_(None))


@dataclass(frozen=True, slots=True)
class RuleSetRow:
    """A rule set as one of its versions says, who wrote that version, when and on which phone."""

    rule_set_id: UUID
    game: str
    name: str
    retired_at: datetime | None
    version: int
    rules: dict[str, Any]
    at: datetime
    written_by: str | None
    phone: str | None


_Later = aliased(RuleSetVersion, name="later")

_VERSIONS = (
    select(*base.columns(RuleSetRow, RuleSet, RuleSetVersion, phone=Phone.name))
    .join(RuleSetVersion, base.same(RuleSetVersion, RuleSet, "rule_set_id"))
    .outerjoin(Phone, base.same(Phone, RuleSetVersion, "phone_id"))
)


@base.in_order_of(lambda row: (row.name.casefold(), row.name, row.game))
@base.each(RuleSetRow)
def rule_sets(circle_id: UUID) -> AnySelect:
    """List the circle's own rules by name, as the newest versions say, the retired ones too."""
    newest = (
        select(func.max(_Later.version))
        .where(_Later.circle_id == RuleSet.circle_id, _Later.rule_set_id == RuleSet.rule_set_id)
        .scalar_subquery()
    )
    return _VERSIONS.where(RuleSet.circle_id == circle_id, RuleSetVersion.version == newest)


@base.each(RuleSetRow)
def rule_set_versions(circle_id: UUID, rule_set_id: UUID) -> AnySelect:
    of_rule_set = (RuleSet.circle_id == circle_id, RuleSet.rule_set_id == rule_set_id)
    return _VERSIONS.where(*of_rule_set).order_by(RuleSetVersion.version)


@base.mapping
def rule_set_names(circle_id: UUID) -> Select[UUID, str]:
    """Return the names of the circle's rule sets, of those without any version too."""
    return (
        select(RuleSet.rule_set_id, RuleSet.name)
        .where(RuleSet.circle_id == circle_id)
        .order_by(RuleSet.name, RuleSet.rule_set_id)
    )


@base.entity
def rule_set_for_update(circle_id: UUID, rule_set_id: UUID) -> Select[RuleSet]:
    """Find a rule set of the circle, locked until the transaction ends."""
    of_key = select(RuleSet).filter_by(circle_id=circle_id, rule_set_id=rule_set_id)
    return of_key.with_for_update()
