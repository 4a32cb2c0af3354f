"""Notes on sessions and deals, and their photos."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select

from scorer.storage.database import db
from scorer.storage.models import Note, Photo
from scorer.storage.queries.base import CIRCLE, SESSION, rows, with_phone


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note, with the name of its phone; ``photo`` is the hash of its photo."""

    note_id: UUID
    number: int | None
    text: str
    photo: str
    phone_id: UUID | None
    phone: str | None
    written_by: str | None
    at: datetime


_NOTES = (
    with_phone(NoteRow, Note)
    .where(Note.circle_id == CIRCLE, Note.session_id == SESSION)
    .order_by(Note.at, Note.note_id)
)


def notes(circle_id: UUID, session_id: UUID) -> list[NoteRow]:
    """List the notes of a session and its deals, oldest first."""
    return [NoteRow(*row) for row in rows(_NOTES, circle_id=circle_id, session_id=session_id)]


_COUNT = select(func.count()).select_from(Photo).where(Photo.circle_id == CIRCLE)


def photo_count(circle_id: UUID) -> int:
    return int(db.session.scalar(_COUNT, {"circle_id": circle_id}) or 0)
