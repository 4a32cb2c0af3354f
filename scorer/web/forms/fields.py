"""Fields that WTForms doesn't have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from flask_babel import lazy_gettext
from wtforms import Field, IntegerField, StringField
from wtforms.widgets import HiddenInput

if TYPE_CHECKING:
    from collections.abc import Iterable


class UUIDField(Field):
    """The key of something on the page; ``data`` is a UUID, or None when nothing was sent."""

    widget = HiddenInput()
    data: UUID | None

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Read the key."""
        self.data = None
        if valuelist and valuelist[0]:
            try:
                self.data = UUID(valuelist[0])
            except ValueError as error:
                message = lazy_gettext("That cannot be read. Load the page again.")
                raise ValueError(message) from error

    def _value(self) -> str:
        return str(self.data or "")


class QuestionField(Field):
    """A question that several fields answer together; it shows what is wrong with the answer."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Ignore what is sent under its name: the fields of its parts have the answer."""


class NumberField(StringField):
    """A whole number; ``data`` is what was typed where that is none, for the rules to refuse."""

    data: int | str | None  # type: ignore[assignment]  # the number where there is one

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Read the number."""
        self.data = number(valuelist[0] if valuelist else None)

    def _value(self) -> str:
        typed: list[Any] = self.raw_data or []
        return str(typed[0]) if typed else ""


class CountField(IntegerField):
    """How many there were on the page; a count that can't be read is none."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Read the count."""
        try:
            super().process_formdata(valuelist)
        except ValueError:
            self.data = None


def choices(values: Iterable[str]) -> Any:
    """List the values of a choice, for a template that says itself what they are called."""
    return list(values)


def number(text: str | None) -> int | str | None:
    """Read a number; what is none is kept as it was typed, for the rules to refuse."""
    found = whole(text or "", digits=6)
    return (text or "").strip() or None if found is None else found


def whole(text: str, *, digits: int = 10) -> int | None:
    """Read a whole number, with a hyphen or a real minus; None where it is none."""
    stripped = text.strip().replace("\N{MINUS SIGN}", "-")
    figures = stripped.removeprefix("-")
    if figures.isascii() and figures.isdigit() and len(figures) <= digits:
        return int(stripped)
    return None
