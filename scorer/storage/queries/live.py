"""Questions of those who wait for changes: how far each session is, and what was written since."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import (
    Integer,
    String,
    Uuid,
    bindparam,
    case,
    func,
    literal,
    null,
    select,
    union_all,
)

from scorer.storage.database import db
from scorer.storage.models import (
    CardSession,
    Circle,
    Deal,
    DealVersion,
    JournalEntry,
    Link,
    Note,
    Phone,
    Play,
    Review,
    SessionChange,
    StartedDeal,
)
from scorer.storage.queries.base import CIRCLE, CIRCLES, NUMBER, SESSION, SESSIONS, rows, same

#: What is written in a session beside the acts on its deals.
REVIEW, RULES, SEATS, CARDS = "review", "rules", "seats", "cards"
_SINCE = bindparam("since", type_=Integer())


class Mark(NamedTuple):
    """How far a session is: its version, what is in its chain and in its circle's journal.

    With the hashes of both it says what the session is like, also where a backup was restored.
    """

    session_id: UUID
    version: int = 0
    written: int = 0
    journaled: int = 0
    ended_at: datetime | None = None
    chain: str = ""
    journal: str = ""


_MARKS = (
    select(
        CardSession.circle_id,
        CardSession.session_id,
        CardSession.version,
        CardSession.written,
        Circle.journaled,
        CardSession.ended_at,
        CardSession.chain,
        Circle.chain,
    )
    .join(Circle, Circle.circle_id == CardSession.circle_id)
    .where(CardSession.circle_id.in_(CIRCLES))
)
_MARKS_OF_SOME = _MARKS.where(CardSession.session_id.in_(SESSIONS))


def marks(
    circle_ids: Collection[UUID], session_ids: Collection[UUID] | None = None
) -> defaultdict[UUID, list[Mark]]:
    """Return by circle the marks of their sessions, or of these, in no order."""
    marks: defaultdict[UUID, list[Mark]] = defaultdict(list)
    statement = _MARKS if session_ids is None else _MARKS_OF_SOME
    parameters = {} if session_ids is None else {"session_ids": list(session_ids)}
    for circle_id, *mark in rows(statement, circle_ids=list(circle_ids), **parameters):
        marks[circle_id].append(Mark(*mark))
    return marks


_CIRCLE_VERSION = (
    select(Circle.journaled + func.coalesce(func.sum(CardSession.version), 0))
    .outerjoin(CardSession, CardSession.circle_id == Circle.circle_id)
    .where(Circle.circle_id == CIRCLE)
    .group_by(Circle.journaled)
)


def circle_version(circle_id: UUID) -> int:
    """Count what was written in a circle: entries of its journal, and versions of its sessions."""
    return int(db.session.scalar(_CIRCLE_VERSION, {"circle_id": circle_id}) or 0)


class Chained(NamedTuple):
    """Something in the chain of a session; ``because`` is the change that had it written."""

    what: str
    number: int | None
    serial: int
    because: int | None
    at: datetime


_PLAYED = same(Deal, Play, "deal_id")
# Joined to the deals, SQLite would read what was ever written in the circle.
_DEALS = select(Deal.deal_id).where(Deal.circle_id == CIRCLE, Deal.session_id == SESSION)
_CHAINED = union_all(
    select(
        DealVersion.act, DealVersion.number, DealVersion.serial, DealVersion.change, DealVersion.at
    ).where(
        DealVersion.circle_id == CIRCLE,
        DealVersion.deal_id.in_(_DEALS),
        DealVersion.serial > _SINCE,
    ),
    select(literal(REVIEW), Review.number, Review.serial, null(), Review.at).where(
        Review.circle_id == CIRCLE, Review.deal_id.in_(_DEALS), Review.serial > _SINCE
    ),
    select(
        case((SessionChange.rules.is_(None), SEATS), else_=RULES),
        SessionChange.from_number,
        SessionChange.serial,
        null(),
        SessionChange.at,
    ).where(
        SessionChange.circle_id == CIRCLE,
        SessionChange.session_id == SESSION,
        SessionChange.serial > _SINCE,
    ),
    select(literal(CARDS), Deal.number, Play.serial, null(), Play.at)
    .outerjoin(Deal, _PLAYED)
    .where(
        Play.circle_id == CIRCLE,
        Play.session_id == SESSION,
        Play.serial > _SINCE,
    ),
)


def chained_since(circle_id: UUID, session_id: UUID, after: int) -> list[Chained]:
    """List what was chained in a session after a place in its chain, in the order of the chain."""
    parameters = {"circle_id": circle_id, "session_id": session_id, "since": after}
    result = db.session.execute(_CHAINED, parameters)
    return sorted((Chained(*row) for row in result), key=lambda row: row.serial)


_KEY = bindparam("key", type_=String())
_SERIALS = select(JournalEntry.serial).where(
    JournalEntry.circle_id == CIRCLE, JournalEntry.serial > _SINCE
)
_OF_SESSION = union_all(
    _SERIALS.where(
        JournalEntry.subject.in_([CardSession.__tablename__, StartedDeal.__tablename__]),
        JournalEntry.key == _KEY,
    ),
    _SERIALS.where(
        JournalEntry.subject == Note.__tablename__,
        func.substr(JournalEntry.key, 1, func.length(_KEY)) == _KEY,
    ),
)
_ENTRIES = (
    select(JournalEntry)
    .where(JournalEntry.circle_id == CIRCLE, JournalEntry.serial.in_(_OF_SESSION))
    .order_by(JournalEntry.serial.desc())
    .limit(NUMBER)
)


def session_entries(
    circle_id: UUID, session_id: UUID, since: int = 0, *, limit: int
) -> list[JournalEntry]:
    """List what the journal has of a session, its deals under way and notes, the newest first."""
    parameters = {"circle_id": circle_id, "key": str(session_id), "since": since, "number": limit}
    return list(db.session.scalars(_ENTRIES, parameters))


_HERE = bindparam("of", type_=Uuid(), expanding=True)
_STAY = union_all(
    select(Phone.phone_id).where(
        Phone.circle_id == CIRCLE, Phone.phone_id.in_(_HERE), Phone.revoked_at.is_(None)
    ),
    select(Link.link_id).where(
        Link.circle_id == CIRCLE, Link.link_id.in_(_HERE), Link.revoked_at.is_(None)
    ),
)


def still_inside(circle_id: UUID, keys: Collection[UUID]) -> set[UUID]:
    """Return those of these phones and links that are the circle's and were not revoked."""
    parameters = {"circle_id": circle_id, "of": list(keys)}
    return set(db.session.execute(_STAY, parameters).scalars())
