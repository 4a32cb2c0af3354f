"""How templates write texts, amounts and times in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_babel import format_date
from flask_babel import format_datetime
from flask_babel import get_locale

from scorer.languages import translate
from scorer.texts import Text
from scorer.texts import signed

if TYPE_CHECKING:
    from datetime import datetime

    from flask import Flask


def register(app: Flask) -> None:
    """Add the filters to the templates."""
    app.add_template_filter(in_words, "say")
    app.add_template_filter(signed)
    app.add_template_filter(when)
    app.add_template_filter(day)


def in_words(text: Text | str) -> str:
    """Say a text in the reader's language; names and numbers stay as they are."""
    return translate(text, get_locale().language) if isinstance(text, Text) else text


def when(moment: datetime) -> str:
    """Write a day and a time, short."""
    return str(format_datetime(moment, "EEE d MMM, HH:mm"))


def day(moment: datetime) -> str:
    """Write a day."""
    return str(format_date(moment, "EEEE d MMMM"))
