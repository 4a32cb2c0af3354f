"""Queries for streams of events: how far each session is, and what was written since."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    Select,
    case,
    exists,
    func,
    literal,
    null,
    or_,
    select,
    type_coerce,
    union_all,
)

from scorer.roles import PROGRAM
from scorer.storage.models import (
    CardSession,
    Circle,
    DealRow,
    DealVersion,
    JournalEntry,
    Link,
    Note,
    Phone,
    Play,
    ReviewRow,
    SessionChange,
    StartedDeal,
    TimerRow,
)
from scorer.storage.queries import base
from scorer.storage.queries.base import MARK, AnySelect, Mark, UuidText, same
from scorer.storage.queries.tournament import table_of_phone

#: What is written in a session beside the acts on its deals.
REVIEW, RULES, SEATS, CARDS = "review", "rules", "seats", "cards"
#: The tables with one row a session, of which its entries in the journal are.
OF_SESSION = [table.__tablename__ for table in (CardSession, StartedDeal, TimerRow)]


_MARKS = select(CardSession.circle_id, *MARK).join(
    Circle, Circle.circle_id == CardSession.circle_id
)


@base.groups(Mark)
def marks(circle_ids: Collection[UUID]) -> AnySelect:
    """Return by circle the marks of their sessions, in no order."""
    return _MARKS.where(CardSession.circle_id.in_(circle_ids))


@base.groups(Mark)
def marks_of(circle_ids: Collection[UUID], session_ids: Collection[UUID]) -> AnySelect:
    """Return by circle the marks of these sessions, in no order."""
    of_circles = CardSession.circle_id.in_(circle_ids)
    return _MARKS.where(of_circles, CardSession.session_id.in_(session_ids))


@base.figure
def circle_version(circle_id: UUID) -> Select[int]:
    """Count what was written in a circle: entries of its journal, and versions of its sessions."""
    return (
        select(Circle.journaled + func.coalesce(func.sum(CardSession.version), 0))
        .outerjoin(CardSession, CardSession.circle_id == Circle.circle_id)
        .where(Circle.circle_id == circle_id)
        .group_by(Circle.journaled)
    )


class Chained(NamedTuple):
    """A row in the chain of a session, and who wrote it; ``because`` is what caused it."""

    what: str
    number: int | None
    serial: int
    because: int | None
    at: datetime
    written_by: str | None
    phone_id: UUID | None


@base.each(Chained)
def chained_since(circle_id: UUID, session_id: UUID, after: int) -> Any:
    """List the rows of a session's chain after a place in it, in the order of the chain."""
    deals = base.deals_of(circle_id, session_id)

    def chained(row: Any, what: Any, number: Any, of_session: Any, because: Any = None) -> Any:
        caused = null() if because is None else because
        author = row.written_by, row.phone_id
        selected = select(what, number, row.serial, caused, row.at, *author)
        return selected.where(row.circle_id == circle_id, of_session, row.serial > after)

    kind = case((SessionChange.rules.is_(None), SEATS), else_=RULES)
    change = SessionChange.session_id == session_id
    played = chained(Play, literal(CARDS), DealRow.number, Play.session_id == session_id)
    version = DealVersion.deal_id.in_(deals)
    return union_all(
        chained(DealVersion, DealVersion.act, DealVersion.number, version, DealVersion.change),
        chained(ReviewRow, literal(REVIEW), ReviewRow.number, ReviewRow.deal_id.in_(deals)),
        chained(SessionChange, kind, SessionChange.from_number, change),
        played.outerjoin(DealRow, same(DealRow, Play, "deal_id")),
    ).order_by("serial")


@base.entities
def session_entries(
    circle_id: UUID, session_id: UUID, since: int = 0, *, limit: int
) -> Select[JournalEntry]:
    """List the journal's entries about a session, its deals under way, timer and notes.

    The newest is the first.
    """
    serials = select(JournalEntry.serial).where(
        JournalEntry.circle_id == circle_id, JournalEntry.serial > since
    )
    of_session = union_all(
        serials.where(
            JournalEntry.subject.in_(OF_SESSION),
            type_coerce(JournalEntry.key, UuidText) == session_id,
        ),
        serials.where(
            JournalEntry.subject == Note.__tablename__,
            type_coerce(func.substr(JournalEntry.key, 1, 36), UuidText) == session_id,
        ),
    )
    of_circle = (JournalEntry.circle_id == circle_id, JournalEntry.serial.in_(of_session))
    newest_first = JournalEntry.serial.desc()
    return select(JournalEntry).where(*of_circle).order_by(newest_first).limit(limit)


@base.column
def still_inside(circle_id: UUID, keys: Collection[UUID]) -> Any:
    """List the phones and links of these keys that belong to the circle and were not revoked.

    A phone that is only at a table belongs to it while its turn is played. A link admits no program
    any more once the phone that its programs write as was removed.
    """
    removed = exists().where(
        same(Phone, Link, "link_id"),
        Phone.name.startswith(PROGRAM, autoescape=True),
        Phone.revoked_at.is_not(None),
    )
    return union_all(
        select(Phone.phone_id).where(
            Phone.circle_id == circle_id,
            Phone.phone_id.in_(keys),
            or_(Phone.revoked_at.is_(None), table_of_phone().is_not(None)),
        ),
        select(Link.link_id).where(
            Link.circle_id == circle_id,
            Link.link_id.in_(keys),
            Link.revoked_at.is_(None),
            ~removed,
        ),
    )
