"""The forms of notes and of public pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self
from uuid import uuid4

from flask_babel import gettext, lazy_gettext
from werkzeug.datastructures import FileStorage
from wtforms import BooleanField, FileField, TextAreaField
from wtforms.validators import InputRequired, NumberRange, Optional

from scorer.errors import Problem
from scorer.services.album.notes import MOST_SENT, NewNote
from scorer.texts import say
from scorer.web.base.fields import ChoiceField, HiddenNumberField, UUIDField
from scorer.web.base.forms import MOST_DEALS, PageForm


class NoteForm(PageForm):
    """A note on the deal ``number``, or on the session without one."""

    key = UUIDField(validators=[InputRequired()])
    number = HiddenNumberField(validators=[Optional(), NumberRange(1, MOST_DEALS)])
    photo = FileField(lazy_gettext("Photo"), id="note-photo")
    text = TextAreaField(lazy_gettext("What it shows, or a note"), default="", id="note-text")

    @classmethod
    def new(cls, number: int | None = None) -> Self:
        return cls(key=uuid4(), number=number)

    def note(self, sent: FileStorage | None) -> NewNote:
        """Return the note of a form that has validated, with the photo that was sent."""
        photo = sent.read(MOST_SENT + 1) if sent else b""
        return NewNote(self.key.data or uuid4(), self.number.data, self.text.data or "", photo)

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show each problem at its field; a photo that was sent has to be chosen again."""
        super().refuse(problems)
        if self.photo.data and not self.photo.errors:
            self.photo.errors = [gettext("Choose the photo again: a page can’t keep it.")]


SHOWN_NAMES = {"full": say("Full names"), "initials": say("Initials")}


class PublishForm(PageForm):
    """The content of a public page: names, money."""

    names = ChoiceField(lazy_gettext("Names"), None, SHOWN_NAMES, default="full")
    money = BooleanField(lazy_gettext("Say who hands what to whom"))
