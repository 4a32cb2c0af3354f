"""How templates write texts, amounts, times and phones in the reader's language."""

import datetime as dt
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from babel.numbers import get_currency_precision
from flask import Flask, g, request, url_for
from flask_babel import format_currency, format_date, format_datetime
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from scorer.languages import catalogue, filled, page_language, translate
from scorer.services.base.clock import zone_called
from scorer.services.circle.circles import phone_words, players_of_phones
from scorer.services.circle.names import Titled, title_of
from scorer.texts import MINUS, Text, joined, say, signed, visible
from scorer.web.base.access import currency, current_holder, short_name, zone_here
from scorer.web.base.addresses import this_page
from scorer.web.base.names import FittedNames, fitted, text_width

#: The room for a name in a row of its own, or in one of so many columns, where a phone is 360
#: pixels wide: in heights of its letters, of which CSS has the two sizes, ``.tight`` the smaller.
ROOMS = {1: 7.5, 2: 10.8, 3: 7.0, 4: 5.2, 5: 4.15}
NARROWEST = 3.56
SMALLER = {1: 15 / 17}
SMALL = 12 / 13
#: The room for all columns together where they are wide: there a short name that fits is not cut.
WIDE, BETWEEN = 44, 0.5


def register(app: Flask) -> None:
    """Add the filters to the templates, ``_`` for their own sentences, and ``url_for``."""
    app.add_template_global(sentence, "_")
    app.add_template_global(address, "url_for")
    app.add_template_global(this_page)
    app.add_template_filter(in_words, "say")
    app.add_template_filter(phone_words, "phone")
    app.add_template_filter(called_short, "short")
    own = (
        whatsapp,
        joined,
        signed,
        amount,
        gain,
        when,
        hour,
        day,
        date,
        iso,
        called,
        money,
        visible,
        whose,
        brief,
    )
    for template_filter in own:
        app.add_template_filter(template_filter)


def sentence(template: str, /, **values: object) -> Markup:
    """Translate a sentence of a template.

    It replaces Flask-Babel's ``_``, which looks up the language and formats the sentence on each
    call; a page has hundreds.
    """
    language = page_language.get()
    translated = Markup(catalogue(language).gettext(template))  # noqa: S704  # a text of our own
    if not values:
        return translated % {} if "%" in translated else translated
    values = _short_values(values)
    return Markup(filled(translated, values, language))  # noqa: S704  # it is one


def address(endpoint: str, **values: object) -> str:
    """Return the address of a page, as Flask's ``url_for`` does, cached."""
    return _address(request.script_root, endpoint, tuple(values.items()))


@lru_cache(maxsize=2_048)  # a page has some 150: 4 ms
def _address(_root: str, endpoint: str, values: tuple[tuple[str, Any], ...]) -> str:
    return url_for(endpoint, **dict(values))


@pass_context
def amount(context: Context, number: int | None, burden: object = None) -> Markup:
    """Format points with their sign, in its colour; None is for who did not play.

    Penalty points, and those that are only counted, have no plus; the page or the caller says so.
    """
    burden = context.get("burden") or context.get("counted") if burden is None else burden
    if number is None:
        label = in_words(say("did not play"))
        return Markup('<span class="none" aria-label="{}">–</span>').format(label)
    return _coloured(number, signed(number, burden=bool(burden)))


def _coloured(number: int, written: str) -> Markup:
    sign = "plus" if number > 0 else "minus" if number < 0 else "zero"
    return Markup(f'<span class="{sign}">{escape(written)}</span>')  # noqa: S704  # escaped


def in_words(text: Text | str) -> str:
    """Translate a text, with people by their short names; other words stay as they are."""
    return translate(_short(text), page_language.get()) if isinstance(text, Text) else text


def called_short(name: Text | str) -> str:
    """Write who somebody is, or partners, by the short names of the circle."""
    return in_words(name) if isinstance(name, Text) else short_name(name)


def _short(value: object) -> Any:
    if isinstance(value, Text):
        return Text(value.template, _short_values(value.values))
    return short_name(value) if type(value) is str else value


def _short_values(values: Mapping[str, object]) -> dict[str, object]:
    return {key: _short(value) for key, value in values.items()}


def when(moment: dt.datetime) -> str:
    return str(format_datetime(moment.astimezone(zone_here()), "EEE d MMM, HH:mm", rebase=False))


def hour(moment: dt.datetime) -> str:
    return str(format_datetime(moment.astimezone(zone_here()), "HH:mm", rebase=False))


def day(moment: dt.datetime, zone: str = "") -> str:
    """Format a day in a zone, by default the one of the page."""
    local = moment.astimezone(zone_called(zone) if zone else zone_here())
    return str(format_date(local, "EEEE d MMMM", rebase=False))


def date(moment: dt.date, pattern: str = "d MMM y") -> str:
    """Format a day, or that of a moment, by a CLDR pattern."""
    local = moment.astimezone(zone_here()).date() if isinstance(moment, dt.datetime) else moment
    return str(format_date(local, pattern, rebase=False))


def iso(moment: dt.datetime) -> str:
    return moment.astimezone(zone_here()).date().isoformat()


def called(session: Titled, zone: str = "") -> str:
    return in_words(title_of(session, zone_called(zone) if zone else zone_here()))


def money(cents: int) -> str:
    """Format an amount in the currency of the page's circle, with a real minus sign."""
    amount = Decimal(cents).scaleb(-decimals())
    return str(format_currency(amount, currency())).replace("-", MINUS)


def gain(cents: int) -> Markup:
    return _coloured(cents, ("+" if cents > 0 else "") + money(cents))


def decimals() -> int:
    return get_currency_precision(currency())


def whatsapp(text: str) -> str:
    """Return the address at which WhatsApp asks whom to send a text to."""
    return f"https://wa.me/?text={quote(text, safe='')}"


def whose(name: str | None) -> Text | str | None:
    """Name a phone by its number and its player: ``#2`` is phone 2 (Bea)."""
    if "players_of_phones" not in g:
        g.players_of_phones = players_of_phones(current_holder().circle_id)
    words, player = phone_words(name), g.players_of_phones.get(name or "")
    return say("%(phone)s (%(name)s)", phone=words, name=player) if player else words


def brief(name: Text | str, group: Iterable[Any], columns: int = 0) -> Markup:
    """Write the short name of a person in a column, shorter yet if a name of the group is too long.

    Partners who share a column stand in it one below the other. Screen readers get whole names.
    """
    sides = tuple(tuple(map(short_name, _people(getattr(item, "name", item)))) for item in group)
    people = _people(name)
    called = tuple(map(short_name, people))
    return _in_column(people, called, sides, columns or len(sides), page_language.get())


@lru_cache(maxsize=2_048)  # half a millisecond each, and a page has twenty
def _in_column(
    people: tuple[str, ...],
    called: tuple[str, ...],
    sides: tuple[tuple[str, ...], ...],
    columns: int,
    language: str,
) -> Markup:
    """Write people whole, by what they are called where there is room, or else shorter."""
    names = _fitted(sides, columns)
    whole, own, short = (
        translate(joined(written), language)
        for written in (people, called, [names.written.get(each, each) for each in called])
    )
    tight = names.size != 1
    if short == whole:
        size = "tight" if tight else "usual"
        return Markup('<span class="{}">{}</span>').format(size, whole)
    roomy = " roomy" if own != short and text_width(own) <= WIDE / columns - BETWEEN else ""
    return Markup(
        '<span class="brief{}{}" data-short="{}" data-own="{}" title="{}">'
        '<span class="sr">{}</span></span>'
    ).format(" tight" if tight else "", roomy, short, own, whole, whole)


def _people(name: Text | str) -> tuple[str, ...]:
    if isinstance(name, Text) and "last" in name.values:
        return (*str(name.values["names"]).split(", "), str(name.values["last"]))
    return (str(name),)


def _fitted(sides: tuple[tuple[str, ...], ...], columns: int) -> FittedNames:
    """Fit names into columns; a single name, and partners in a column, may wrap at spaces."""
    wraps = columns == 1 or max(map(len, sides), default=1) > 1
    return fitted(
        [name for side in sides for name in side],
        ROOMS.get(columns, NARROWEST),
        (lambda name: max(map(text_width, name.split()), default=0)) if wraps else text_width,
        least=SMALLER.get(columns, SMALL),
    )
