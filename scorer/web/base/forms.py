"""The forms of the pages: their fields, how they are read, and their problems.

Every form is a WTForms form. Its validators say what a field needs to be readable at all; whether
the answers are right is for the services and the rules to say, and `PageForm.refuse` shows their
problems at the fields. Tokens against forgery are checked for the whole app, before any view runs;
the macro `ui.csrf` sends them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING
from datetime import date, datetime, time, timedelta
from enum import Enum
from http import HTTPStatus
from typing import Any, ClassVar, ParamSpec, Self
from uuid import UUID

from flask import abort, request
from flask_babel import lazy_gettext
from flask_babel.speaklater import LazyString
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, Form, HiddenField, StringField
from wtforms.validators import InputRequired, ValidationError

from scorer.errors import InvalidError, Problem
from scorer.rules.questions import NO_ANSWER, Question, missing, questions
from scorer.storage.models import Player
from scorer.web.base.access import zone_here
from scorer.web.base.fields import (
    AmountField,
    ChoiceField,
    DayField,
    HiddenNumberField,
    LineField,
    PlayerField,
    UploadField,
    UUIDField,
)
from scorer.web.base.filters import in_words

Given = ParamSpec("Given")


class PageForm(Form):
    """A form that a page shows and reads back."""

    #: The field that shows a problem whose path names none of the form's own.
    shown_at: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def sent(cls) -> Self:
        """Read the form of the request; abort with 400 if no page of ours could send it."""
        form = cls(request.form)
        if not form.validate():
            abort(HTTPStatus.BAD_REQUEST)
        return form

    @property
    def problems(self) -> dict[str, Sequence[str]]:
        """Return the problems by field; "" is the form as a whole."""
        errors = {field.name: field.errors for field in self if field.errors}
        return errors | ({"": self.form_errors} if self.form_errors else {})

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show each problem at the field that its path names, or else at the form as a whole."""
        for problem in problems:
            path = problem.field.removeprefix("sheet.").removeprefix("rules.")
            name = self.shown_at.get(path, path)
            message = in_words(problem.message)
            if name in self:
                plain = problem.message.template == missing("").template
                self[name].errors = [*self[name].errors, in_words(NO_ANSWER) if plain else message]
            else:
                self.form_errors.append(message)

    def attempt(
        self, act: Callable[Given, object], *values: Given.args, **named: Given.kwargs
    ) -> bool:
        """Carry out an act; where it raises InvalidError, show the problems and return False."""
        try:
            act(*values, **named)
        except InvalidError as error:
            self.refuse(error.problems)
            return False
        return True

    def as_json(self) -> list[dict[str, str]]:
        """List the problems for a script: the field, empty for the whole form, and the message."""
        return [
            {"field": name, "message": str(error)}
            for name, errors in self.problems.items()
            for error in errors
        ]


class BodyForm(PageForm):
    """A form that has a field for each question of ``body_type``, but for those it has itself.

    The ids of its fields begin with ``ids``, where a page has several such forms.
    """

    body_type: ClassVar[type[Any]]
    ids: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "body_type"):
            for question in questions(cls.body_type):
                if not hasattr(cls, question.name):
                    setattr(cls, question.name, _field(question, cls.ids + question.name))

    @property
    def answers(self) -> dict[str, Any]:
        """What was sent, by the names of the questions; what a field lacks is None."""
        names = [question.name for question in questions(self.body_type)]
        return {name: self.value(self[name]) for name in names}

    @property
    def body(self) -> Any:
        return self.body_type(**self.answers)

    def value(self, field: Field) -> Any:
        """Return the answer of a field."""
        if isinstance(field, PlayerField):
            return field.key
        return field.chosen if isinstance(field, ChoiceField) else field.data


class PeopleForm(BodyForm):
    """A form in which players of the circle are chosen."""

    def __init__(
        self, sent: MultiDict[str, str] | None, people: Sequence[Player], **values: Any
    ) -> None:
        super().__init__(sent, **values)
        self.people = [(str(player.player_id), player.name) for player in people]
        for field in self:
            if isinstance(field, PlayerField):
                field.choices += self.people


#: The fields of plain types; a number is one that our page sends back.
FIELDS: dict[Any, type[Field]] = {
    bool: BooleanField,
    bytes: UploadField,
    date: DayField,
    int: HiddenNumberField,
    str: StringField,
}


def field_for(body_type: type[Any], name: str) -> Any:
    """Return the field for a question of a body, for a form that has others of its own, too."""
    return next(_field(each, name) for each in questions(body_type) if each.name == name)


def _field(question: Question, field_id: str) -> Any:
    kind, ask, label = question.kind, question.ask, LazyString(in_words, question.label)
    usual = question.default if question.default is not MISSING else "" if kind is str else None
    if ask.player:
        return PlayerField(label, LazyString(in_words, ask.none), id=field_id)
    if ask.typed:
        return LineField(label, ask.typed, id=field_id)
    if ask.cents:
        return AmountField(label, default=usual, id=field_id)
    if kind is UUID:
        return UUIDField(validators=[InputRequired()])
    if issubclass(kind, Enum):
        words = {choice: choice.words for choice in kind}
        must = [InputRequired()] if question.required else []
        return ChoiceField(label, None, words, default=usual, validators=must, id=field_id)
    return FIELDS[kind](label, default=usual, id=field_id)


MOST_DEALS = 1_000_000


class FileForm(PageForm):
    """A session file to preview, or the previewed document to keep, once for each key."""

    key = UUIDField(validators=[InputRequired()])
    document = HiddenField()
    file = UploadField(lazy_gettext("Bring in a session file"))


class DatesForm(PageForm):
    """A search with a span of dates; what is left empty may be anything."""

    since = DayField(lazy_gettext("From"), name="from", id="from")
    until = DayField(lazy_gettext("To"), name="to", id="to")

    def validate_until(self, field: DayField) -> None:
        if self.since.data and field.data and field.data < self.since.data:
            raise ValidationError(lazy_gettext("The end is before the beginning."))

    @property
    def criteria(self) -> dict[str, str]:
        """The criteria as they were typed, by the names of the fields."""
        typed = {
            field.name: field.typed if isinstance(field, DayField) else field.data for field in self
        }
        return {name: value for name, value in typed.items() if value}

    @property
    def moments(self) -> dict[str, datetime | None]:
        """The span as moments, the second one exclusive."""
        days = {"since": self.since.data, "until": self.until.data}
        if days["until"]:
            days["until"] += timedelta(days=1)
        return {
            name: datetime.combine(day, time(), zone_here()) if day else None
            for name, day in days.items()
        }
