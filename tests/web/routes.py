"""Every route as `tests/data/routes.txt` lists it, and its address in a phone's circle."""

import re
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from flask import Flask
from werkzeug.routing import BuildError, Rule

from scorer.routes import facts_of
from scorer.services.base.clock import now
from scorer.settings import CHECKOUT
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.photos import photo_ids
from tests.web.rows import link_ids, phone_ids, player_ids
from tests.web.tables import tables


class Row(NamedTuple):
    """A line of the table.

    ``answer`` is the status for those who may, and after an @ the least role that may in the tests
    where that is not the declared one; a dash lets everybody. ``facts`` are those declared beside
    the view: the least role, the limits, and what else there is.
    """

    endpoint: str
    method: str
    answer: str
    facts: str
    rule: str

    @property
    def status(self) -> int:
        """The status for those who may."""
        return int(self.answer.partition("@")[0])

    @property
    def least(self) -> str | None:
        """The least role that may; None lets everybody."""
        role = self.answer.partition("@")[2] or self.facts.partition(" ")[0]
        return None if role == "-" else role


TABLE = (CHECKOUT / "tests/data/routes.txt").read_text("utf-8")
ROWS = [Row(*re.split(" {2,}", line)) for line in TABLE.splitlines()]


def facts_text(endpoint: str) -> str:
    """Write the facts of a route as the table has them."""
    facts = facts_of(endpoint)
    return " ".join(
        [
            facts.least.value if facts.least else "-",
            ",".join(facts.limits) or "-",
            *(["kept"] if facts.kept else []),
            *([facts.logged] if facts.logged else []),
            *([f"{facts.largest} bytes"] if facts.largest else []),
            *(["sandboxed"] if facts.sandboxed else []),
            *(["at-table"] if facts.at_table else []),
        ]
    )


def values(phone: Phone) -> dict[str, Any]:
    """Give what the addresses of the routes are made of."""
    circle_id, session_id = phone.keys
    player_id, other_id, *_ = player_ids(phone)
    rules = next((own.row.rule_set_id for own in tables(phone)), UUID(int=6))
    absent = ("season_id", "key_id", "note", "page", "notebook_id", "page_id")
    return {
        **dict.fromkeys((*absent, "tournament_id", "tournament"), UUID(int=6)),
        "circle_id": circle_id,
        "circle": circle_id,
        "session_id": session_id,
        "session": session_id,
        "number": 2,
        "link_id": next(iter(link_ids(phone)), UUID(int=6)),
        "phone_id": phone_ids(phone)[0],
        "player_id": player_id,
        "player": player_id,
        "other_id": other_id,
        "rule_set_id": rules,
        "entry_id": UUID(int=5),
        "entry": UUID(int=5),
        "season": now().strftime("%Y-%m"),
        "rule_set": rules,
        "key": now().strftime("%Y-%m"),
        "note_id": next(iter(photo_ids(phone)), UUID(int=6)),
        "secret": "nonsense",
        "slug": "briscola-chiamata",
        "preset": "classic",
        "game": "briscola-chiamata",
        "version": "0",
        "filename": "base/scorer.css",
        "language": "it",
        "ending": "csv",
    }


@lru_cache(2)
def _routes(app: Flask) -> dict[str, Rule]:
    return {route.rule: route for route in app.url_map.iter_rules()}


def address(app: Flask, rule: str, given: dict[str, Any]) -> str:
    """Give the address that a rule leads to."""
    route = _routes(app)[rule]
    built = route.build({name: given[name] for name in route.arguments})
    if built is None:
        raise BuildError(route.endpoint, given, None)
    return str(built[1])


def addresses(app: Flask, method: str, given: dict[str, Any]) -> dict[str, str]:
    """Give an address for every route of pages that takes the method.

    Not for streams, which have no end, nor for circles over HTTP, which heed no cookie, nor for the
    shortcuts, which only lead to other pages, nor for PNG, nor for the status, nor for evenings
    that are over: test_last_page.py, test_end.py. Nor for those of a tournament, that
    is not there: test_tournaments.py.
    """
    return {
        row.endpoint: address(app, row.rule, given)
        for row in ROWS
        if row.method == method
        and not row.rule.endswith("/events")
        and not row.rule.startswith(("/tonight", "/evening/", "/api/v1/circles", "/status"))
        and not row.rule.endswith(".png")
        and "<uuid:tournament_id>" not in row.rule
        and row.endpoint not in {"sessions.last_page", "sessions.go_on"}
    }


def write_a_card(phone: Phone, path: str) -> None:
    """Write down the first card of a deal, so that it can be looked at again."""
    form = phone.page(path).forms[0]
    for done in ({"card": "AB"}, {"do": "stop"}):
        answer = phone.post(path, {"play": form["play"], "seen": form["seen"], **done})
        form = (Page(answer).forms or [form])[0]
