"""The languages of the pages: catalogues read from the .po files, and texts put into words.

A language is there because its folder has a catalogue (docs/translating.md). No compiled catalogue
is kept anywhere: a .po file is turned into its lookup table in memory, once.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.texts import Day, Text, TypedAmount, visible, with_euphonic_d, with_one_stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from babel.support import NullTranslations

SOURCE = "en"
FOLDER = Path(__file__).parent / "translations"
LANGUAGES = (SOURCE, *sorted(file.parts[-3] for file in FOLDER.glob("*/LC_MESSAGES/messages.po")))
#: The language of the page that is rendered.
page_language: ContextVar[str] = ContextVar("page_language")


def catalogue_file(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / "messages.po"


@cache  # a .po file takes a fifth of a second to read
def catalogue(language: str) -> NullTranslations:
    """Return the lookup table of a language; that of the source language changes nothing."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po
    from babel.support import NullTranslations, Translations

    if language == SOURCE:
        return NullTranslations()
    with catalogue_file(language).open("rb") as file:
        messages = read_po(file, locale=language)
    table = BytesIO()
    write_mo(table, messages)
    table.seek(0)
    return Translations(table)


def own_name(language: str) -> str:
    """Return what a language calls itself.

    >>> own_name("it")
    'Italiano'
    """
    from babel import Locale

    return (Locale.parse(language).get_display_name() or language).capitalize()


def translate(text: Text, language: str) -> str:
    if language == SOURCE:
        return str(text)
    template = catalogue(language).gettext(text.template) if text.template else ""
    return visible(filled(template, text.values, language))


def filled(template: str, values: Mapping[str, object], language: str) -> str:
    """Fill values, and the texts among them, into a template of a language."""
    words = {name: _said(value, language) for name, value in values.items()}
    written = with_one_stop(template, words)
    if language == "it":
        written = with_euphonic_d(written, words)
    return type(template)(written) % words


def _said(value: object, language: str) -> object:
    if isinstance(value, Day):
        from babel.dates import format_date

        return format_date(value.day, "EEEE d MMMM", locale=language)
    if isinstance(value, TypedAmount):
        from babel.numbers import format_decimal

        return format_decimal(value.value, f"0.{'0' * value.decimals}".rstrip("."), locale=language)
    return translate(value, language) if isinstance(value, Text) else value
