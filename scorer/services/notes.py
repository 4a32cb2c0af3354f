"""Notes on an evening or one of its deals: a text, a photo or both.

A note that is taken back is deleted with its photo; the journal keeps its text and the hash of the
photo.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, Problem, RefusedError, existing
from scorer.services import journal
from scorer.services.circles import locked_circle
from scorer.services.clock import now
from scorer.services.journal import Kind
from scorer.services.ledger import may_void
from scorer.services.photos import cleaned, small
from scorer.services.roles import Holder
from scorer.services.state import lock_row
from scorer.services.typed_text import one_line
from scorer.storage import db, in_transaction, models, queries, write
from scorer.storage.queries import NoteRow
from scorer.texts import say

LONGEST_NOTE = 500
#: What an evening has at most, with its deals.
MOST_NOTES, MOST_PHOTOS = 100, 12


class NewNote(NamedTuple):
    """A note to be added to a deal, or to the session without ``number``."""

    key: UUID
    number: int | None
    text: str
    photo: bytes = b""


def notes_of(circle_id: UUID, session_id: UUID, number: int | None = None) -> list[NoteRow]:
    """List the notes of a session and its deals, or of one deal, oldest first."""
    found = queries.notes(circle_id, session_id)
    return [one for one in found if number is None or one.number == number]


def photo_of(circle_id: UUID, session_id: UUID, note_id: UUID, *, in_list: bool = False) -> bytes:
    """Return the photo of a note as a JPEG, small for a list; raise NotFoundError."""
    jpeg = existing(queries.photo(circle_id, session_id, note_id), note_id)
    return small(jpeg) if in_list else jpeg


def add_note(
    circle_id: UUID, session_id: UUID, new: NewNote, *, most: int, by: Holder | None = None
) -> None:
    """Add a note; raise InvalidError, BusyError. The same key again is the same note.

    ``most`` is the number of photos that a circle may have.
    """
    db.session.close()  # a child reads the photo: wait for it without a connection
    text, jpeg = _read(new)
    note = models.Note(
        circle_id=circle_id,
        note_id=new.key,
        session_id=session_id,
        number=new.number,
        text=text,
        photo=hashlib.sha256(jpeg).hexdigest() if jpeg else "",
        phone_id=by.phone_id if by else None,
        written_by=by.player if by else None,
        at=now(),
    )

    def work() -> bool:
        if _was_there(circle_id, session_id, new.key):
            return False
        if new.number is not None:
            existing(queries.deal(circle_id, session_id, new.number), new.number)
        locked_circle(circle_id)
        _check_room(note, most)
        journal.create(Kind.PHOTO_ADDED if jpeg else Kind.NOTE_ADDED, note, by)
        if jpeg:
            key = {"circle_id": circle_id, "session_id": session_id, "note_id": new.key}
            write(models.Photo(**key, jpeg=jpeg))
        return True

    _in_session(circle_id, session_id, work)


def take_back(
    circle_id: UUID, session_id: UUID, note_id: UUID, *, by: Holder | None = None
) -> None:
    """Delete a note with its photo, unless that was done before; raise RefusedError."""

    def work() -> bool:
        note = queries.note(circle_id, session_id, note_id)
        if note is None and _was_there(circle_id, session_id, note_id):
            return False
        note = existing(note, note_id)
        if not may_void(by, note.phone_id):
            raise RefusedError(say("Only whoever added it, or has the pen, can take it back."))
        kind = Kind.PHOTO_WITHDRAWN if note.photo else Kind.NOTE_WITHDRAWN
        journal.remove(kind, note, by)
        queries.drop_note(circle_id, session_id, note_id)
        return True

    _in_session(circle_id, session_id, work)


def _was_there(circle_id: UUID, session_id: UUID, note_id: UUID) -> bool:
    """Whether a note was added once, even if it was taken back since."""
    return bool(queries.entries_about(circle_id, "note", f"{session_id}/{note_id}"))


def _in_session(circle_id: UUID, session_id: UUID, work: Callable[[], bool]) -> None:
    """Work on a locked session; raise its version where the work wrote something."""

    def locked() -> None:
        with lock_row(circle_id, session_id) as row:
            if work():
                row.version += 1

    in_transaction(locked)


def _read(new: NewNote) -> tuple[str, bytes]:
    """Read a text and a photo; raise InvalidError with the problems of both."""
    text, jpeg, problems = one_line(new.text), b"", list[Problem]()
    if len(text) > LONGEST_NOTE:
        problems.append(Problem("too-long", "text", say("A note has at most 500 letters.")))
    if not text and not new.photo:
        message = say("Write something, or choose a photo.")
        problems.append(Problem("nothing", "text", message))
    try:
        jpeg = cleaned(new.photo) if new.photo else b""
    except InvalidError as error:
        problems += error.problems
    if problems:
        raise InvalidError(problems)
    return text, jpeg


def _check_room(note: models.Note, most: int) -> None:
    """Raise InvalidError where the evening or the circle has too many notes or photos."""
    there, message = queries.notes(note.circle_id, note.session_id), None
    if len(there) >= MOST_NOTES:
        message = say("An evening has at most 100 notes. Take one back first.")
    elif note.photo and sum(bool(one.photo) for one in there) >= MOST_PHOTOS:
        message = say("An evening has at most 12 photos. Take one back first.")
    elif note.photo and queries.photo_count(note.circle_id) >= most:
        message = say("The circle has %(most)s photos, and may have no more.", most=most)
    if message:
        raise InvalidError([Problem("too-many", "photo" if note.photo else "text", message)])
