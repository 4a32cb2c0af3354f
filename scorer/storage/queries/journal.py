"""Queries of the journal, and of all the rows that `scorer verify` checks."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    exists,
    false,
    func,
    inspect,
    null,
    or_,
    select,
    tuple_,
    type_coerce,
    union_all,
    update,
)

from scorer.storage import changes
from scorer.storage.database import db
from scorer.storage.models import (
    HIGHEST_SEAT,
    Base,
    CardSession,
    Circle,
    DealRow,
    DealVersion,
    JournalEntry,
    LinkSecret,
    Payout,
    Phone,
    Photo,
    Play,
    ReviewRow,
    Seat,
    SessionChange,
)
from scorer.storage.queries import base
from scorer.storage.queries.base import AnySelect, Columns, UuidText, count_of, grouped, same, total
from scorer.storage.queries.circle import IN_A_CIRCLE

_CIRCLES = Circle.metadata.tables[Circle.__tablename__]


@base.tuples
def journal_end(circle_id: UUID) -> Select[int, str]:
    """Count the entries of a circle's journal and give the hash of the last; lock the circle."""
    end = select(_CIRCLES.c.journaled, _CIRCLES.c.chain)
    return end.where(_CIRCLES.c.circle_id == circle_id).with_for_update()


def keep_journal_end(circle_id: UUID, journaled: int, chain: str) -> None:
    """Store the new end of the journal of a locked circle."""
    changes.touch(circle_id)
    end = update(_CIRCLES).where(_CIRCLES.c.circle_id == circle_id)
    db.session.execute(end.values(journaled=journaled, chain=chain))


@base.entities
def journal_entries(circle_id: UUID) -> Select[JournalEntry]:
    """List the whole journal of a circle, oldest first."""
    return select(JournalEntry).filter_by(circle_id=circle_id).order_by(JournalEntry.serial)


@base.in_order_of(attrgetter("serial"))  # SQLite would read the whole journal in that order
@base.entities
def entries_of_table(circle_id: UUID, subject: str) -> Select[JournalEntry]:
    """List the entries about all rows of a table, oldest first."""
    return select(JournalEntry).filter_by(circle_id=circle_id, subject=subject)


@base.entities
def entries_about(circle_id: UUID, subject: str, key: str) -> Select[JournalEntry]:
    """List the entries about one row, oldest first."""
    about = select(JournalEntry).filter_by(circle_id=circle_id, subject=subject, key=key)
    return about.order_by(JournalEntry.serial)


_key = type_coerce(JournalEntry.key, UuidText)
_of_player = type_coerce(JournalEntry.after["player_id"].as_string(), UuidText)


def _of_kind(circle_id: UUID, kind: str, subject: str) -> ColumnElement[bool]:
    of_circle = JournalEntry.circle_id == circle_id
    return and_(of_circle, JournalEntry.subject == subject, JournalEntry.kind == kind)


@base.mapping
def last_entries(
    circle_id: UUID, kind: str, subject: str, keys: Collection[UUID]
) -> Select[UUID, int]:
    """Return the serial of the last entry of a kind about each of these rows that has one."""
    of_kind = _of_kind(circle_id, kind, subject)
    last = select(_key, func.max(JournalEntry.serial)).where(of_kind, _key.in_(keys))
    return last.group_by(JournalEntry.key)


class Hold(NamedTuple):
    """An entry that says that a phone is a player's."""

    phone_id: UUID
    serial: int
    at: datetime


@base.each(Hold)
def holds_of(circle_id: UUID, kind: str, player_id: UUID, *, limit: int) -> AnySelect:
    """List the entries of a kind that say that a phone is a player's, the newest first."""
    newest_first = JournalEntry.serial.desc()
    holds = select(_key, JournalEntry.serial, JournalEntry.at).order_by(newest_first).limit(limit)
    return holds.where(_of_kind(circle_id, kind, Phone.__tablename__), _of_player == player_id)


@base.entity
def was_held(circle_id: UUID, kind: str, phone_id: UUID, player_id: UUID) -> Select[int]:
    """Find the entry of a kind that says that a phone was ever a player's."""
    of_phone = _key == phone_id
    held = (_of_kind(circle_id, kind, Phone.__tablename__), of_phone, _of_player == player_id)
    return select(JournalEntry.serial).where(*held).limit(1)


def _newest_deciding(
    statement: Select[*Columns], circle_id: UUID, session_id: UUID
) -> Select[*Columns]:
    key = type_coerce(session_id, UuidText)
    keys = [key, *(key + f"/{seat}" for seat in range(HIGHEST_SEAT + 1))]
    subjects = [CardSession.__tablename__, Seat.__tablename__]
    return statement.where(
        JournalEntry.circle_id == circle_id,
        JournalEntry.subject.in_(subjects),
        JournalEntry.key.in_(keys),
        JournalEntry.after.is_not(null()),
    ).order_by(JournalEntry.serial.desc())


@base.entities
def deciding_entries(circle_id: UUID, session_id: UUID) -> Select[JournalEntry]:
    """List the journal's entries about a session and its guests, newest first.

    Files that were taken out change nothing, and are left out.
    """
    return _newest_deciding(select(JournalEntry), circle_id, session_id)


@base.entity
def deciding_chain(circle_id: UUID, session_id: UUID) -> Select[str]:
    """Return the hash of the newest of the `deciding_entries`, if there is one."""
    return _newest_deciding(select(JournalEntry.chain), circle_id, session_id).limit(1)


#: A condition on entries.
Way = ColumnElement[bool]


def by_author(name: str, first: int, last: int) -> Way:
    """Match entries written under a name, as long as it was that of one player."""
    return and_(JournalEntry.written_by == name, JournalEntry.serial.between(first, last))


def on_phone(phone_id: UUID | None) -> Way:
    """Match entries written on a phone, or on none: at the command line."""
    return JournalEntry.phone_id == phone_id


def about(subject: str, key: str, first: int, last: int) -> Way:
    """Match entries about one row, from one serial to another."""
    of_row = and_(JournalEntry.subject == subject, JournalEntry.key == key)
    return and_(of_row, JournalEntry.serial.between(first, last))


@base.entities
def search_entries(
    circle_id: UUID,
    *,
    limit: int,
    acts: Collection[tuple[str, str]] | None = None,
    person: Sequence[Way] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
) -> Select[JournalEntry]:
    """List some entries of a journal, newest first, below a serial if ``before`` is one.

    ``acts`` are kinds, each with a subject; ``person`` lists the relations of an entry to a person.
    """
    entries = select(JournalEntry).where(JournalEntry.circle_id == circle_id)
    if acts is not None:
        entries = entries.where(tuple_(JournalEntry.kind, JournalEntry.subject).in_([*acts]))
    if person is not None:
        entries = entries.where(or_(false(), *person))
    if since is not None:
        entries = entries.where(JournalEntry.at >= since)
    if until is not None:
        entries = entries.where(JournalEntry.at < until)
    if before is not None:
        entries = entries.where(JournalEntry.serial < before)
    return entries.order_by(JournalEntry.serial.desc()).limit(limit)


OfDeal = TypeVar("OfDeal", DealVersion, ReviewRow)
Own = TypeVar("Own", DealRow, Payout, Play)


def stored(circle_id: UUID, session_id: UUID, table: type[Own], *order: Any) -> list[Own]:
    """List the rows of a session in a table, sorted by some columns or else by their keys."""
    of_session = select(table).where(table.circle_id == circle_id, table.session_id == session_id)
    return list(db.session.scalars(of_session.order_by(*order or inspect(table).primary_key)))


def stored_by_deal(
    circle_id: UUID, session_id: UUID, table: type[OfDeal]
) -> defaultdict[UUID, list[OfDeal]]:
    """List the rows of a table about a session's deals, oldest first, by the key of the deal."""
    deals = base.deals_of(circle_id, session_id)
    of_deals = select(table).where(table.circle_id == circle_id, table.deal_id.in_(deals))
    written = db.session.scalars(of_deals.order_by(*inspect(table).primary_key))
    return grouped((row.deal_id, row) for row in written)


def stored_rows(circle_id: UUID, name: str) -> Sequence[Row[Any]]:
    """List the rows of a circle in a table, sorted by their keys."""
    table = Base.metadata.tables[name]
    of_circle = select(table).where(table.c.circle_id == circle_id)
    return db.session.execute(of_circle.order_by(*table.primary_key)).all()


@base.groups(str)
def secret_hashes(circle_id: UUID) -> Select[UUID, str]:
    return select(LinkSecret.link_id, LinkSecret.secret_hash).filter_by(circle_id=circle_id)


def strays() -> list[tuple[str, str, int]]:
    """Count dangling references, none if sound: from which table, to which, how many."""
    counts = ((table, named, db.session.scalars(count).one()) for table, named, count in _counts())
    return [(table, named, count) for table, named, count in counts if count]


def _counts() -> list[tuple[str, str, Select[int]]]:
    """List which table references which, and the query that counts the dangling references."""
    secrets, circles = Base.metadata.tables["link_secret"], Base.metadata.tables["circle"]
    references = [
        (table, key.referred_table, [(element.parent, element.column) for element in key.elements])
        for table in Base.metadata.sorted_tables
        for key in sorted(table.foreign_key_constraints, key=lambda key: str(key.name))
    ]
    references.append((secrets, circles, [(secrets.c.circle_id, circles.c.circle_id)]))
    counts = []
    for table, other, pairs in references:
        there = exists().where(*(column == named for column, named in pairs)).select_from(other)
        named = (column.is_not(None) for column, _ in pairs)
        dangling = count_of(table).where(*named, ~there.correlate(table))
        counts.append((table.name, other.name, dangling))
    return counts


@dataclass(frozen=True, slots=True)
class ServerSizes:
    """The number of rows of all circles."""

    circles: int
    phones: int
    sessions: int
    open_sessions: int
    deals_today: int
    photos_bytes: int


@base.each(ServerSizes)
def server_sizes(day: datetime) -> AnySelect:
    """Count the rows of all circles, in one row; of deals those recorded since a moment.

    Deals are looked up only in sessions that were open since then, as all others have none.
    """
    since_then = or_(CardSession.ended_at.is_(None), CardSession.ended_at >= day)
    of_session = same(DealRow, CardSession, "session_id")
    parts = (
        count_of(Circle),
        count_of(Phone).where(*IN_A_CIRCLE),
        count_of(CardSession),
        count_of(CardSession).where(CardSession.ended_at.is_(None)),
        count_of(CardSession)
        .join(DealRow, of_session)
        .where(since_then, DealRow.recorded_at >= day),
        select(func.coalesce(total(func.octet_length(Photo.jpeg)), 0)),
    )
    return select(*(part.scalar_subquery() for part in parts))


@base.first
@base.column
def chain_at(circle_id: UUID, session_id: UUID, serial: int) -> Any:
    """Return the hash of the row with a serial in a session's chain; None if it has none."""
    deals = base.deals_of(circle_id, session_id)

    def at(row: Any, of_session: Any) -> Any:
        return select(row.chain).where(row.circle_id == circle_id, of_session, row.serial == serial)

    return union_all(
        at(DealVersion, DealVersion.deal_id.in_(deals)),
        at(ReviewRow, ReviewRow.deal_id.in_(deals)),
        at(SessionChange, SessionChange.session_id == session_id),
        at(Play, Play.session_id == session_id),
    )
