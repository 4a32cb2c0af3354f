"""The forms about the cards of a deal: what was tapped on the grid, and what is done about them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from flask_babel import lazy_gettext
from wtforms import FileField, StringField, TextAreaField
from wtforms.validators import InputRequired

from scorer.errors import Problem
from scorer.texts import say
from scorer.web.base.fields import HiddenNumberField, JSONField
from scorer.web.base.forms import PageForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class TricksForm(PageForm):
    """The play that the page carries along, the version it saw, and what was tapped.

    That is a card to play or to lay aside, who leads, or a button: ``do`` is its name.
    """

    play = JSONField(validators=[InputRequired()])
    seen = HiddenNumberField(validators=[InputRequired()])
    card = StringField()
    lay = StringField()
    leader = HiddenNumberField()
    do = StringField(default="")
    text = TextAreaField(lazy_gettext("A line for each trick: 7B 2D 4S KS JB"), default="")

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show what is wrong with a text beside it, and everything else above the grid."""
        shown = "text" if self.do.data == "text" else ""
        super().refuse(replace(problem, field=shown) for problem in problems)


class DealFileForm(PageForm):
    """A file of deals, pasted or sent; ``seen`` are the versions of their cards by number."""

    text = TextAreaField(lazy_gettext("Paste it here"), default="")
    file = FileField(lazy_gettext("Or a file: .smazzate"))
    seen = JSONField()
    action = StringField(default="")

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show everything that is wrong beside the text, with its line and column."""
        super().refuse(map(_with_column, problems))


def _with_column(problem: Problem) -> Problem:
    """Say the column of a problem, too; its field is the line and the column."""
    line, _, column = problem.field.partition(":")
    inner = problem.message.values.get("message")
    if inner is None:
        return replace(problem, field="text")
    message = say(
        "Line %(line)s, column %(column)s: %(message)s", line=line, column=column, message=inner
    )
    return Problem(problem.code, "text", message)


class KeepTricksForm(PageForm):
    """Why the cards are kept all the same, by a phone that saw version ``seen`` of them."""

    shown_at: ClassVar[Mapping[str, str]] = {"reason": "note"}

    seen = HiddenNumberField(validators=[InputRequired()])
    note = StringField(lazy_gettext("Why they are kept"))
