"""Notes on an evening or one of its deals: a text, a photo or both.

A withdrawn note is deleted with its photo; the journal keeps its text and the hash of the photo.
"""

import hashlib
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from scorer.errors import InvalidError, Problem, RefusedError, existing, refuse
from scorer.rules.questions import Ask, SentKey
from scorer.services.album.photos import cleaned, small
from scorer.services.base import journal
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.journal import Author, authored, may_void
from scorer.services.circle.circles import locked_circle
from scorer.services.session.state import lock_state
from scorer.storage import db, models, queries, transaction, write
from scorer.texts import say
from scorer.typed_text import TypedText, one_line

NOTE = TypedText(500, say("A note has at most 500 letters."), "too-long")
#: Maximum of an evening and its deals together.
MOST_NOTES, MOST_PHOTOS = 100, 12


@dataclass(frozen=True, slots=True)
class NewNote:
    """A text, a photo or both, for a deal or for the session."""

    key: SentKey
    number: Annotated[int | None, Ask("The deal that it is about, or null for the session")] = None
    text: Annotated[str, Ask(say("What it shows, or a note"), typed=NOTE)] = ""
    photo: Annotated[bytes | None, Ask("A JPEG, PNG or WebP of at most 2 MB")] = None


def notes_of(circle_id: UUID, session_id: UUID, number: int | None = None) -> list[models.Note]:
    """List the notes of a session and its deals, or of one deal, oldest first."""
    rows = queries.session.notes(circle_id, session_id)
    return [row for row in rows if number is None or row.number == number]


def photo_of(circle_id: UUID, session_id: UUID, note_id: UUID, *, in_list: bool = False) -> bytes:
    """Return the photo of a note as a JPEG, small for a list; raise NotFoundError."""
    jpeg = existing(queries.find(models.Photo, circle_id, session_id, note_id)).jpeg
    return small(jpeg) if in_list else jpeg


def add_note(circle_id: UUID, session_id: UUID, new: NewNote, *, by: Author = None) -> None:
    """Add a note, once for each key; raise InvalidError, BusyError."""
    if new.photo and not _was_there(circle_id, session_id, new.key):
        refuse_full(CircleLimit.PHOTOS, circle_id)
    db.session.close()  # a child reads the photo: wait for it without a connection
    text, jpeg = _read(new)
    note = models.Note(
        circle_id=circle_id,
        note_id=new.key,
        session_id=session_id,
        number=new.number,
        text=text,
        photo=hashlib.sha256(jpeg).hexdigest() if jpeg else "",
        **authored(by),
    )
    _add(note, jpeg, by)


@transaction
def _add(note: models.Note, jpeg: bytes, by: Author) -> None:
    keys = note.circle_id, note.session_id
    with lock_state(*keys) as state:
        if _was_there(*keys, note.note_id):
            return
        if note.number is not None:
            state.evening.deal(note.number)
        locked_circle(note.circle_id)
        _check_room(note)
        journal.create(journal.Kind.PHOTO_ADDED if jpeg else journal.Kind.NOTE_ADDED, note, by)
        if jpeg:
            write(models.Photo(**state.key_columns, note_id=note.note_id, jpeg=jpeg))
        state.row.version += 1


@transaction
def take_back(circle_id: UUID, session_id: UUID, note_id: UUID, *, by: Author = None) -> None:
    """Delete a note with its photo, once; raise RefusedError."""
    with lock_state(circle_id, session_id) as state:
        note = queries.find(models.Note, circle_id, session_id, note_id)
        if note is None and _was_there(circle_id, session_id, note_id):
            return
        note = existing(note)
        if not may_void(by, note.phone_id):
            raise RefusedError(say("Only whoever added it, or has the pen, can take it back."))
        kind = journal.Kind.PHOTO_TAKEN_BACK if note.photo else journal.Kind.NOTE_TAKEN_BACK
        journal.remove(kind, note, by)
        queries.drop(models.Note, circle_id, session_id, note_id)
        state.row.version += 1


def _was_there(circle_id: UUID, session_id: UUID, note_id: UUID) -> bool:
    """Whether a note was ever added, deleted ones included."""
    return bool(queries.journal.entries_about(circle_id, "note", f"{session_id}/{note_id}"))


def _read(new: NewNote) -> tuple[str, bytes]:
    """Read a text and a photo; raise InvalidError with the problems of both."""
    problems, jpeg = NOTE.problems(new.text, "text"), b""
    text = one_line(new.text)
    if not text and not new.photo:
        message = say("Write something, or choose a photo.")
        problems.append(Problem("nothing", "text", message))
    try:
        jpeg = cleaned(new.photo) if new.photo else b""
    except InvalidError as error:
        problems += error.problems
    refuse(problems)
    return text, jpeg


def _check_room(note: models.Note) -> None:
    """Raise InvalidError if the evening or the circle has too many notes or photos."""
    notes, message = queries.session.notes(note.circle_id, note.session_id), None
    if len(notes) >= MOST_NOTES:
        message = say("An evening has at most 100 notes. Take one back first.")
    elif note.photo and sum(bool(row.photo) for row in notes) >= MOST_PHOTOS:
        message = say("An evening has at most 12 photos. Take one back first.")
    if message:
        raise InvalidError.of("too-many", "photo" if note.photo else "text", message)
    if note.photo:
        refuse_full(CircleLimit.PHOTOS, note.circle_id)
