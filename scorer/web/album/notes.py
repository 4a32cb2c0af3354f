"""Pages of the notes on an evening and its deals, and their photos."""

from collections.abc import Iterable
from functools import partial
from http import HTTPStatus
from typing import Any, Self
from uuid import UUID, uuid4

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from wtforms import Field

from scorer.errors import Problem
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.album import notes
from scorer.services.album.notes import NewNote
from scorer.services.album.photos import MOST_SENT
from scorer.services.base.journal import may_void
from scorer.services.session.state import load_state
from scorer.web.base.access import current_holder
from scorer.web.base.fields import UploadField
from scorer.web.base.forms import BodyForm
from scorer.web.base.pages import SESSION, deal_url, place

pages = Routes("notes", __name__, url_prefix=f"{SESSION}/notes")
#: A photo never changes; leaving the circle deletes it from the browser.
KEPT = "private, max-age=604800, immutable"


class NoteForm(BodyForm):
    """A note on the deal ``number``, or on the session without one."""

    body_type, ids = NewNote, "note-"
    photo = UploadField(lazy_gettext("Photo"), id="note-photo")

    @classmethod
    def new(cls, number: int | None = None) -> Self:
        return cls(key=uuid4(), number=number)

    def value(self, field: Field) -> Any:
        """Return the answer of a field: of the photo the bytes that were sent."""
        if field is not self.photo:
            return super().value(field)
        sent = request.files.get("photo")
        return sent.read(MOST_SENT + 1) if sent else None

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show each problem at its field; a photo that was sent has to be chosen again."""
        super().refuse(problems)
        if self.photo.data and not self.photo.errors:
            self.photo.errors = [gettext("Choose the photo again: a page can’t keep it.")]


def shown_notes(circle_id: UUID, session_id: UUID, number: int | None = None) -> dict[str, Any]:
    """Return the template variables for the notes of a session, or of one deal."""
    return {
        "notes": notes.notes_of(circle_id, session_id, number),
        "may_take_back": partial(may_void, current_holder()),
    }


#: Bytes of a form with a photo.
LARGEST = MOST_SENT + 64 * 1024


@pages.get("/", least=Role.SPECTATOR)
def show(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    return _page(circle_id, session_id, NoteForm.new())


def _page(circle_id: UUID, session_id: UUID, form: NoteForm) -> str:
    state = load_state(circle_id, session_id)
    return render_template(
        "album/notes.html", **place(state), **shown_notes(circle_id, session_id), form=form
    )


@pages.post("/", least=Role.PLAYER, limit=("note", "picture"), largest=LARGEST, sandboxed=True)
def add(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    form = NoteForm.sent()
    new, by = form.body, current_holder()
    if not form.attempt(notes.add_note, circle_id, session_id, new, by=by):
        return _page(circle_id, session_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    if new.number is None:
        following = url_for("notes.show", circle_id=circle_id, session_id=session_id)
    else:
        following = deal_url(circle_id, session_id, new.number) + "#notes"
    return redirect(following, HTTPStatus.SEE_OTHER)


@pages.get("/<uuid:note_id>.jpg", least=Role.SPECTATOR, limit="picture")
def photo(circle_id: UUID, session_id: UUID, note_id: UUID) -> ResponseReturnValue:
    in_list = "small" in request.args
    jpeg = notes.photo_of(circle_id, session_id, note_id, in_list=in_list)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": KEPT})


@pages.post("/<uuid:note_id>/back", least=Role.PLAYER)
def take_back(circle_id: UUID, session_id: UUID, note_id: UUID) -> ResponseReturnValue:
    notes.take_back(circle_id, session_id, note_id, by=current_holder())
    following = url_for("notes.show", circle_id=circle_id, session_id=session_id)
    return redirect(following, HTTPStatus.SEE_OTHER)
