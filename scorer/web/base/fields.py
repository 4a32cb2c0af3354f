"""Fields that WTForms doesn't have."""

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from itertools import zip_longest
from typing import Any
from uuid import UUID

from flask import request
from flask_babel import format_decimal, lazy_gettext
from flask_babel.speaklater import LazyString
from werkzeug.datastructures import MultiDict
from wtforms import Field, FileField, Form, StringField
from wtforms.validators import ValidationError
from wtforms.widgets import DateInput, HiddenInput, TextArea, TextInput
from wtforms.widgets.core import Input

from scorer.documents import decode
from scorer.ledger.money import read_amount
from scorer.texts import Text
from scorer.typed_text import TypedText, read_day
from scorer.web.base.filters import decimals, in_words

UNREADABLE = lazy_gettext("That cannot be read. Load the page again.")
CHOOSE = lazy_gettext("Choose one of these.")


class UUIDField(Field):
    """The key of something on the page; ``data`` is a UUID, or None when nothing was sent."""

    widget = HiddenInput()
    data: UUID | None

    def process_formdata(self, valuelist: list[Any]) -> None:
        if valuelist and valuelist[0]:
            try:
                self.data = UUID(valuelist[0])
            except ValueError as error:
                raise ValueError(UNREADABLE) from error

    def _value(self) -> str:
        return str(self.data or "")


class UploadField(FileField):
    """A file that was sent. Only these fields read files, so no file stands for a text."""

    def process(self, formdata: Any, *others: Any, **named: Any) -> None:
        super().process(None if formdata is None else request.files, *others, **named)


class QuestionField(Field):
    """A question that several fields answer together; it shows their problems."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Ignore data sent under its own name: the fields of its parts have the answer."""


class TypedField(Field):
    """A field that is shown again as it was typed, without blanks around it, or as stored."""

    widget: Input = TextInput()

    @property
    def typed(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0]).strip()
        return "" if self.data is None else str(self.data)

    def _value(self) -> str:
        return self.typed


#: Letters that a line shows.
ON_A_LINE = 200


class LineField(StringField):
    """A line of text, of as many letters as it may have; a long one is shown in a box."""

    def __init__(self, label: Any, line: TypedText, **more: Any) -> None:
        needed = {} if line.blank else {"required": True}
        told = {"maxlength": line.longest, **needed}
        super().__init__(label, render_kw=told, default="", **more)
        if line.longest > ON_A_LINE:
            self.widget = TextArea()


class NumberField(TypedField):
    """A whole number; other text stays in ``data``, for the rules to refuse."""

    data: int | str | None

    def __init__(
        self, label: Any = None, otherwise: Text | None = None, *, digits: int = 6, **more: Any
    ) -> None:
        """Ask for a number of some digits, or for none, which is called ``otherwise``."""
        super().__init__(label, **more)
        self.otherwise, self.digits = otherwise, digits

    def process_formdata(self, valuelist: list[Any]) -> None:
        self.data = number(valuelist[0] if valuelist else None, digits=self.digits)


class DayField(TypedField):
    """A day; ``data`` is a date, or None when nothing was sent."""

    widget = DateInput()
    data: date | None

    def process_formdata(self, valuelist: list[Any]) -> None:
        text = str(valuelist[0]).strip() if valuelist else ""
        if text:
            try:
                self.data = read_day(text)
            except ValueError:
                raise ValueError(lazy_gettext("A date like 2026-11-20 is needed.")) from None


class ChoiceField(Field):
    """One of some codes, each with its words; ``data`` is what was sent."""

    data: str

    def __init__(
        self,
        label: Any = "",
        otherwise: str | Text | None = None,
        words: Mapping[Any, Text] | None = None,
        unknown: LazyString = CHOOSE,
        **more: Any,
    ) -> None:
        """Offer some words and, if none may be chosen, a word for that."""
        super().__init__(label, **{"default": "", **more})
        self.unknown = unknown
        offered = [] if otherwise is None else [("", otherwise)]
        self.choices: list[tuple[str, Text | str]] = [*offered, *(words or {}).items()]

    def process_formdata(self, valuelist: list[Any]) -> None:
        if valuelist:
            self.data = str(valuelist[0]).strip()

    def pre_validate(self, _form: object) -> None:
        if self.data and not self.chosen:
            raise ValidationError(self.unknown)

    @property
    def chosen(self) -> str:
        """The choice that was made; "" where there is no such choice."""
        typed = {self.data, self.data.lower()}
        return next((code for code, _ in self.choices if code in typed), "")


class OpenChoiceField(ChoiceField):
    """A choice whose value the services validate: one that is not listed is kept as it was sent."""

    def pre_validate(self, _form: object) -> None:
        """Accept any value."""


def number(text: str | None, *, digits: int = 6) -> int | str | None:
    """Read a number; other text stays as typed, for the rules to refuse."""
    value = whole(text or "", digits=digits)
    return (text or "").strip() or None if value is None else value


class WholeField(TypedField):
    """A whole number, with a hyphen or a real minus; ``data`` is None when nothing was typed."""

    data: int | None

    def process_formdata(self, valuelist: list[Any]) -> None:
        if not valuelist:
            return
        self.data = whole(valuelist[0])
        if self.data is None and valuelist[0].strip():
            raise ValueError(lazy_gettext("A whole number is needed."))


class HiddenNumberField(WholeField):
    """A whole number that our page sends back."""

    widget = HiddenInput()

    def _value(self) -> str:
        return "" if self.data is None else str(self.data)


class AmountField(TypedField):
    """An amount of money; ``data`` is in cents, or the smallest unit of the currency."""

    data: int | None

    @property
    def example(self) -> str:
        """An amount as one writes it in this language: a tenth, or 1 without decimals."""
        return typed_amount(10 ** max(0, decimals() - 1))

    @property
    def typed(self) -> str:
        """Return the typed text, or the amount with the decimal sign of the language."""
        return super().typed if self.raw_data or self.data is None else typed_amount(self.data)

    def process_formdata(self, valuelist: list[str]) -> None:
        if not valuelist:
            return
        self.data = None
        if not valuelist[0].strip():
            return
        cents = read_amount(valuelist[0], decimals())
        if isinstance(cents, Text):
            raise ValueError(in_words(cents))  # noqa: TRY004  # WTForms shows a ValueError
        self.data = cents


def typed_amount(cents: int) -> str:
    pattern = f"0.{'0' * decimals()}".rstrip(".")
    return str(format_decimal(Decimal(cents).scaleb(-decimals()), format=pattern))


class PrefixedField(Field):
    """The values sent under names that begin with its own, by the rest: ``right-partner=2``.

    Of several under one name the last is meant: that of a button below the field.
    """

    data: dict[str, str]

    def process(self, formdata: Any, *_: Any, **__: Any) -> None:
        self.process_errors, head = [], f"{self.name}-"
        self.data = {
            name.removeprefix(head): value
            for name in formdata or ()
            if name.startswith(head) and (value := formdata.getlist(name)[-1]).strip()
        }


class RowsField(Field):
    """A list of small forms, whose names are repeated; the first field counts the rows."""

    data: list[Any]

    def __init__(self, row: type[Form], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.row = row

    def process(self, formdata: Any, data: Any = None, *_: Any, **__: Any) -> None:
        """Read the rows as they were sent, or show those of ``data``."""
        self.process_errors = []
        if formdata is None:
            self.data = [self.row(data=values) for values in data] if isinstance(data, list) else []
            return
        names = [field.name for field in self.row()]
        columns = [formdata.getlist(name) for name in names]
        rows = list(zip_longest(*columns, fillvalue=""))[: len(columns[0])]
        self.data = [self.row(MultiDict(zip(names, cells, strict=True))) for cells in rows]


def whole(text: str, *, digits: int = 10) -> int | None:
    """Read a whole number, with a hyphen or a real minus; None for other text."""
    stripped = text.strip().replace("\N{MINUS SIGN}", "-")
    figures = stripped.removeprefix("-")
    if figures.isascii() and figures.isdigit() and len(figures) <= digits:
        return int(stripped)
    return None


class JSONField(Field):
    """An object that the page carries along as JSON; ``data`` is None when nothing was sent."""

    widget = HiddenInput()
    data: dict[str, Any] | None

    def process_formdata(self, valuelist: list[Any]) -> None:
        if valuelist:
            read = decode(valuelist[0])
            if not isinstance(read, dict):
                raise ValueError(UNREADABLE)
            self.data = read

    def _value(self) -> str:
        return json.dumps(self.data)


ANYBODY, ANYTHING, ANY = lazy_gettext("anybody"), lazy_gettext("anything"), lazy_gettext("any")
NO_SUCH_PLAYER = lazy_gettext("There is no such player here.")


class PlayerField(ChoiceField):
    """A player of the circle, or nobody."""

    def __init__(self, label: Any, otherwise: Any, **more: Any) -> None:
        super().__init__(label, otherwise, unknown=NO_SUCH_PLAYER, **more)

    @property
    def key(self) -> UUID | None:
        return UUID(self.chosen) if self.chosen else None
