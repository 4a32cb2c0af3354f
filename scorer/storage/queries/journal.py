"""Questions about the journal of a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from scorer.storage.database import db
from scorer.storage.models import Circle, JournalEntry
from scorer.storage.queries.parameters import CIRCLE
from scorer.storage.queries.rows import rows

if TYPE_CHECKING:
    from uuid import UUID

_CIRCLES = Circle.metadata.tables[Circle.__tablename__]
_END = (
    select(_CIRCLES.c.journaled, _CIRCLES.c.chain)
    .where(_CIRCLES.c.circle_id == CIRCLE)
    .with_for_update()
)
_KEEP_END = (
    update(_CIRCLES)
    .where(_CIRCLES.c.circle_id == bindparam("of"))
    .values(journaled=bindparam("journaled"), chain=bindparam("chain"))
)


def journal_end(circle_id: UUID) -> tuple[int, str]:
    """Count the entries of a circle's journal and give the hash of the last; lock the circle."""
    journaled, chain = rows(_END, {"circle_id": circle_id}).one()
    return journaled, chain


def keep_journal_end(circle_id: UUID, journaled: int, chain: str) -> None:
    """Write where the journal of a circle, which is locked, ends now."""
    db.session.execute(_KEEP_END, {"of": circle_id, "journaled": journaled, "chain": chain})


_ENTRIES = (
    select(JournalEntry).where(JournalEntry.circle_id == CIRCLE).order_by(JournalEntry.serial)
)
_ABOUT = _ENTRIES.where(JournalEntry.subject == bindparam("subject"))
_ABOUT_ONE = _ABOUT.where(JournalEntry.key == bindparam("key"))


def journal_entries(circle_id: UUID) -> list[JournalEntry]:
    """List the whole journal of a circle, oldest first."""
    return list(db.session.scalars(_ENTRIES, {"circle_id": circle_id}))


def entries_about(circle_id: UUID, subject: str, key: str = "") -> list[JournalEntry]:
    """List the entries about one subject, or about all of a table, oldest first."""
    asked = {"circle_id": circle_id, "subject": subject, "key": key}
    return list(db.session.scalars(_ABOUT_ONE if key else _ABOUT, asked))
