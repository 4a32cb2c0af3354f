"""Queries of stored sessions: seats, changes, balances (sums, never stored), and house rules."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Dialect,
    Select,
    String,
    and_,
    delete,
    func,
    null,
    or_,
    select,
    tuple_,
    type_coerce,
    update,
)
from sqlalchemy.orm import Bundle, aliased
from sqlalchemy.types import TypeDecorator

from scorer.evening.deal import Review, Started, Timer, Version
from scorer.rules.game import Outcome
from scorer.storage import changes, models
from scorer.storage.database import db
from scorer.storage.models import (
    CardSession,
    Circle,
    DealRow,
    DealVersion,
    Json,
    Note,
    Payout,
    Phone,
    Photo,
    Player,
    RuleSet,
    RuleSetVersion,
    Seat,
    SessionChange,
    StartedDeal,
    TimerRow,
    TournamentRow,
    TournamentTable,
)
from scorer.storage.queries import base
from scorer.storage.queries.base import NO_END, AnySelect, columns, count_of, grouped, same, total
from scorer.storage.queries.circle import in_order


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
    if numbers:
        db.session.execute(delete(Payout).where(*of_deals, Payout.number.in_(numbers)))


def save_deals(rows: Sequence[Mapping[str, Any]]) -> None:
    """Write how deals stand, as searches need it, by their keys."""
    if rows:
        db.session.execute(update(DealRow), rows)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat, who sits there, what was brought in, and how many players came before."""

    seat: int
    player_id: UUID
    name: str
    opening: int
    joined: int
    place: int


@dataclass(frozen=True, slots=True)
class SeatBalance(SeatRow):
    """A seat of a listed session, with the balance as it stands."""

    balance: int


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
    went_on_from: UUID | None


class TableOfTurn(NamedTuple):
    """Which table of a tournament a session is."""

    tournament_id: UUID
    name: str
    turn: int
    number: int


class Head(NamedTuple):
    """A session, the deal under way, its timer, and the hash of its circle's journal.

    ``place`` says which table of a tournament it is, if it is one.
    """

    row: CardSession
    started: Started | None
    timer: Timer | None
    place: TableOfTurn | None
    journal: str


def heads(circle_id: UUID, session_ids: Collection[UUID]) -> list[Head]:
    """Read card sessions into rows of their own, no changes of which are saved."""
    names = CardSession.__table__.columns.keys()
    session: Bundle[Any] = Bundle("session", *(getattr(CardSession, name) for name in names))
    found = db.session.execute(_heads(circle_id, session_ids, session))
    return [
        _head(CardSession(**dict(zip(names, row, strict=True))), *beside) for row, *beside in found
    ]


def head_for_update(circle_id: UUID, session_id: UUID) -> Head | None:
    """Find a session, locked until the transaction ends: every write starts here."""
    locking = _heads(circle_id, [session_id], CardSession).with_for_update(of=CardSession)
    found = db.session.execute(locking, execution_options={"populate_existing": True}).first()
    return None if found is None else _head(*found)


def _heads(circle_id: UUID, session_ids: Collection[UUID], session: Any) -> AnySelect:
    table, tournament = TournamentTable, TournamentRow
    beside: tuple[Bundle[Any], ...] = (
        Bundle("started", *columns(Started, StartedDeal)),
        Bundle("timer", *columns(Timer, TimerRow)),
        Bundle("place", *columns(TableOfTurn, table, tournament)),
    )
    return (
        select(session, *beside, Circle.chain)
        .select_from(CardSession)
        .join(Circle, Circle.circle_id == CardSession.circle_id)
        .outerjoin(table, same(table, CardSession, "session_id"))
        .outerjoin(tournament, same(tournament, table, "tournament_id"))
        .outerjoin(StartedDeal, same(StartedDeal, CardSession, "session_id"))
        .outerjoin(TimerRow, same(TimerRow, CardSession, "session_id"))
        .where(CardSession.circle_id == circle_id, CardSession.session_id.in_(session_ids))
    )


def _head(row: CardSession, started: Any, timer: Any, place: Any, journal: str) -> Head:
    return Head(
        row,
        None if started.deal_id is None else Started(*started),
        None if timer.minutes is None else Timer(*timer),
        None if place.tournament_id is None else TableOfTurn(*place),
        journal,
    )


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
def sessions_before(circle_id: UUID, session_ids: Collection[UUID]) -> Select[CardSession]:
    """List the sessions that these went on from, directly or through others, in no order."""
    of_circle = CardSession.circle_id == circle_id
    first = select(CardSession.went_on_from.label("before"))
    chain = first.where(of_circle, CardSession.session_id.in_(session_ids)).cte(recursive=True)
    further = select(CardSession.went_on_from).join(chain, CardSession.session_id == chain.c.before)
    found = chain.union(further.where(of_circle))
    return select(CardSession).where(of_circle, CardSession.session_id.in_(select(found.c.before)))


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


@base.tuples
def partners_at_four(circle_id: UUID, games: Collection[str]) -> Select[UUID, UUID, int]:
    """Count how often two sat opposite each other at tables of four, by both players."""
    partner, fifth = aliased(Seat), aliased(Seat)
    more = select(fifth.seat).where(same(fifth, Seat, "session_id"), fifth.seat >= 4)
    opposite = and_(same(partner, Seat, "session_id"), partner.seat == Seat.seat + 2)
    return (
        select(Seat.player_id, partner.player_id, func.count())
        .join(partner, opposite)
        .join(CardSession, same(CardSession, Seat, "session_id"))
        .where(Seat.circle_id == circle_id, Seat.seat < 2, CardSession.game.in_(games))
        .where(~more.correlate(Seat).exists())
        .group_by(Seat.player_id, partner.player_id)
    )


def _facts(table: Any, rows: Any, circle_id: UUID, keys: Collection[UUID], after: int) -> AnySelect:
    """Select rows of sessions' deals after a place in their chains, in their order."""
    return (
        select(DealRow.session_id, *rows)
        .join(DealRow, same(DealRow, table, "deal_id"))
        .outerjoin(Phone, same(Phone, table, "phone_id"))
        .where(DealRow.circle_id == circle_id, DealRow.session_id.in_(keys), table.serial > after)
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
    rows = columns(Review, models.ReviewRow, phone=Phone.name)
    return _facts(models.ReviewRow, rows, circle_id, session_ids, after)


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
        delete(CardSession).where(
            CardSession.circle_id == circle_id, CardSession.session_id.in_(session_ids)
        )
    )


_PLAYED = count_of(DealRow).where(
    same(DealRow, CardSession, "session_id"),
    DealRow.voided.is_(False),
    DealRow.outcome.in_([outcome.value for outcome in Outcome if outcome.counts]),
)
_LISTED = select(
    *columns(SessionRow, CardSession, played=_PLAYED.scalar_subquery(), standings=null())
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


def _with_standings(sessions: list[SessionRow]) -> list[SessionRow]:
    standings = _standings(
        {row.circle_id for row in sessions}, {row.session_id for row in sessions}
    )
    return [replace(row, standings=tuple(standings[row.session_id])) for row in sessions]


@base.then(_with_standings)
@base.each(SessionRow)
def sessions(
    circle_id: UUID,
    *,
    limit: int,
    before: UUID | None = None,
    until: datetime | None = None,
    tables: bool = True,
) -> AnySelect:
    """List a page of the circle's card sessions, newest first, after the one called `before`.

    Those from the moment `until` on are left out. Without its `tables` a tournament has only the
    first one, which stands for its evening.
    """
    of_circle = CardSession.circle_id == circle_id
    listed = _LISTED.where(of_circle).limit(limit)
    if not tables:
        later = or_(TournamentTable.turn > 1, TournamentTable.number > 1)
        listed = listed.where(~_is_table(later))
    if until is not None:
        listed = listed.where(CardSession.started_at < until)
    if before is not None:
        place = CardSession.started_at, CardSession.session_id
        last = select(*place).where(of_circle, CardSession.session_id == before).scalar_subquery()
        listed = listed.where(tuple_(*place) < last)
    return listed


def _is_table(*where: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether a session is a table of a tournament, one of those meant."""
    table = select(TournamentTable.number).where(
        same(TournamentTable, CardSession, "session_id"), *where
    )
    return table.correlate(CardSession).exists()


@base.tuples
def first_and_last_start(circle_id: UUID) -> Select[datetime, datetime]:
    """Return when the first and the last session of a circle began, in one row, or in none."""
    began = func.min(CardSession.started_at), func.max(CardSession.started_at)
    of_circle = CardSession.circle_id
    return select(*began).where(of_circle == circle_id).group_by(of_circle)


@base.then(_with_standings)
@base.each(SessionRow)
def open_sessions(circle_ids: Collection[UUID]) -> AnySelect:
    """List the card sessions of these circles that have not ended, newest first.

    Tables of a tournament are left out: its page lists them.
    """
    return _LISTED.where(
        CardSession.circle_id.in_(circle_ids),
        CardSession.ended_at.is_(None),
        ~_is_table(),
    )


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


@base.entities
def notes(circle_id: UUID, session_id: UUID) -> Select[Note]:
    """List the notes of a session and its deals, oldest first."""
    return (
        base.with_phone(Note)
        .where(Note.circle_id == circle_id, Note.session_id == session_id)
        .order_by(Note.at, Note.note_id)
    )


@base.figure
def photo_count(circle_id: UUID) -> Select[int]:
    return base.count_of(Photo).where(Photo.circle_id == circle_id)
