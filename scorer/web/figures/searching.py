"""A search of deals as chips and as links."""

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from flask import url_for
from flask_babel import format_date
from wtforms import Field

from scorer.services.deals.history import Cursor
from scorer.services.figures.figures import Run
from scorer.texts import Text, as_it_is, say
from scorer.web.base.fields import ChoiceField, DayField
from scorer.web.figures.forms import SearchForm

#: The fields that depend on another field.
BESIDE = {"player": ("with", "part"), "with": ("part",)}


class Chip(NamedTuple):
    """One criterion of the search in words, and the address without it."""

    words: Text
    url: str


def search_url(circle_id: UUID, **criteria: str) -> str:
    """Return the address of a search."""
    given: dict[str, Any] = {name: value for name, value in criteria.items() if value}
    return url_for("history.deals", circle_id=circle_id, **given)


def of_day(day: date) -> dict[str, str]:
    """Return the search for the deals of a day that aren't voided."""
    return {"state": "stands", "from": day.isoformat(), "to": day.isoformat()}


def from_run(run: Run) -> str:
    """Return the cursor of a list whose first deal is the last call of a run."""
    return write_cursor(Cursor(run.last.session_id, run.last.number + 1))


def write_cursor(cursor: Cursor) -> str:
    """Write a cursor: the deal after which a list continues."""
    return f"{cursor.session_id}.{cursor.number}"


def chips(circle_id: UUID, form: SearchForm) -> Iterator[Chip]:
    """Yield the criteria of a search, each with the address of the search without it."""
    criteria = form.criteria
    for field in form:
        words = _words(field)
        if words is not None:
            gone = {field.name, *BESIDE.get(field.name, ())}
            rest = {name: value for name, value in criteria.items() if name not in gone}
            yield Chip(words, search_url(circle_id, **rest))


def _words(field: Field) -> Text | None:
    """Return a criterion in words; None if its field is empty or invalid."""
    match field:
        case DayField(data=date() as data):
            day = format_date(data, "d MMM y")
            return (
                say("from %(day)s", day=day) if field.name == "from" else say("to %(day)s", day=day)
            )
        case ChoiceField(chosen=code) if code:
            words = dict(field.choices)[code]
            if field.name == "bid":
                return say("bid %(level)s", level=words)
            return words if isinstance(words, Text) else as_it_is(words)
    return None
