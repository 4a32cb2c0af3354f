"""Notes on sessions and deals, and their photos."""

from uuid import UUID

from sqlalchemy import Select

from scorer.storage.models import Note, Photo
from scorer.storage.queries import base


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
