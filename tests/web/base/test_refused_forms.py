"""A refused form of any page: why stands at its fields, what was typed is kept, nothing written.

What is refused is tested where it is decided; here each field of a form has one wrong answer.
"""

from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from tests.services.evenings import FIVE
from tests.services.tournaments import PAIRS
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import player_ids, rows

LONG = "è" * 999
HUGE = "9" * 999
NOBODY = str(UUID(int=7))
Typed = dict[str, Any]
Evenings = tuple[Phone, dict[str, str], Callable[[str], Page]]
#: A deal as it is typed, a new session and a tournament, each with one wrong answer below.
DEAL: Typed = {"caller": "0", "bid_points": "62", "partner": "1", "card_points": "70"}
SESSION: Typed = {"player": [*FIVE], "place": [*"12345"], "first_dealer": "4", "end": "rules"}
POINTS: Typed = {**SESSION, "rules": "highest", "called": "Hearts"}
CLUB: Typed = {"name": "Tuesday", "names": "\n".join(PAIRS), "people": "2", "rounds": "2"}
COST: Typed = {"payer": "{Ada}", "among": ["{Ada}", "{Bea}"], "amount": "5"}


def each(
    at: str, ending: str, typed: Typed, *wrong: tuple[Typed, str]
) -> list[tuple[str, str, Typed, str]]:
    """Give a row for each wrong answer of a form."""
    return [(at, ending, typed | answer, fields) for answer, fields in wrong]


#: The page, the end of the address of its form, what is typed, the fields at which something is
#: wrong.
REFUSED: list[tuple[str, str, Typed, str]] = [
    # the circle
    ("{circle}more", "/rename", {"name": LONG}, "name"),
    ("{circle}more", "/zone", {"zone": "Atlantis"}, "zone"),
    ("{circle}links", "/links", {"name": LONG}, "name"),
    ("{circle}keys", "/keys", {"name": LONG}, "name"),
    ("{circle}players/{Ada}/", "/rename", {"name": "bea"}, "name"),
    ("{circle}players/{Ada}/", "/nickname", {"nickname": "x" * 21}, "nickname"),
    (
        "{circle}seasons/",
        "/seasons/",
        {"name": "Fall", "first": "soon", "last": "2099-12-31"},
        "first",
    ),
    ("{circle}seasons/{season}", "/rename", {"name": LONG}, "name"),
    ("{circle}seasons/{season}", "/points", {"points": "30 x", "best": "0"}, "best points"),
    # its money
    ("{circle}ledger", "/payments", {"amount": "1,000"}, "amount"),
    ("{circle}ledger", "/payments", {"day": "soon"}, "day"),
    ("{circle}ledger", "/payments", {"note": LONG}, "note"),
    ("{circle}ledger", "/payments", {"payer": "nobody"}, "payer"),
    ("{circle}ledger", "/costs", {**COST, "amount": "1E2"}, "amount"),
    ("{circle}ledger", "/costs", {**COST, "note": "Pizza", "parts-{Bea}": "two"}, "among"),
    ("{ended}money", "/money", {"way": "points", "stake": "1E2"}, "stake"),
    ("{ended}money", "/money", {"way": "place", "stake": ""}, "stake"),
    ("{ended}money", "/money", {"way": "pot", "stake": "2", "fee": "99999"}, "fee"),
    # a new session
    *each(
        "/sessions/new",
        "/sessions/new",
        SESSION,
        ({"player": [*FIVE[:4], "ADA"]}, "players"),
        ({"openings": "1", "opening": ["1", "many"]}, "opening.1"),
        ({"openings": "1", "opening": ["9999999999"]}, "opening"),
        ({"rules": "poker"}, "rules"),
        ({"kind": "cards", "rules": "classic"}, "rules"),
        ({"end": "points", "target": HUGE}, "target"),
        ({"end": "deals", "deals": "1.5"}, "deals"),
        ({"stake": LONG}, "stake"),
        ({"title": LONG}, "title"),
        (
            {"player": ["Ada", "ada"], "end": "points", "target": "0", "title": LONG},
            "players target title",
        ),
    ),
    *each(
        "/sessions/new?game=points",
        "/sessions/new",
        POINTS,
        ({"end": "points", "target": "0"}, "target"),
        ({"end": "deals", "deals": ""}, "deals"),
        ({"called": LONG}, "called"),
    ),
    # a session
    ("{open}", "/rename", {"title": LONG}, "title"),
    ("{open}", "/stake", {"stake": "1E2"}, "stake"),
    ("{open}", "/start-timer", {"minutes": "1000"}, "minutes"),
    ("{open}notes/", "/notes/", {"text": LONG}, "text"),
    *each(
        "{open}rules/change?rules=classic-plain&from=2",
        "/rules/change",
        {},
        ({"from": "²"}, "from"),
        ({"rules": "poker"}, "rules"),
        ({"reason": LONG}, "reason"),
    ),
    *each(
        "{open}table",
        "/table",
        {},
        ({"guest": [LONG]}, "guest"),
        ({"guest": ["Zoe"], "opening": ["many"]}, "opening"),
        ({"here": ["0"]}, "people"),
        ({"rules": ["poker"]}, "rules"),
    ),
    *each(
        "{open}table?since=2",
        "/table",
        {},
        ({"until": ["99"]}, "until"),
        ({"belongs": ["nobody"]}, "belongs"),
        ({"reason": [LONG]}, "reason"),
    ),
    # a deal
    *each(
        "{open}record",
        "/record",
        DEAL,
        ({"caller": "9"}, "caller"),
        ({"bid_points": "sixty"}, "bid"),
        ({"partner": ""}, "partner"),
        ({"card_points": "many"}, "card_points"),
        ({"card_points": "", "other_points": "121"}, "card_points"),
        ({"suit": "X", "called_rank": "K"}, "called_card"),
        ({"times": "often"}, "times"),
        ({"tricks_won": "9"}, "tricks_won"),
        ({"cappotto": "others", "card_points": "120"}, "card_points"),
        ({"shown": "y"}, "called_card"),
    ),
    ("{open}deals/1/amend", "/amend", {"partner": "0", "reason": "Counted again"}, "partner"),
    ("{open}deals/1/amend", "/amend", {"reason": LONG}, "reason"),
    # the rules of the circle
    *each(
        "{circle}rules/new",
        "/rules/new",
        {"name": "Ours", "action": "save"},
        ({"name": LONG}, "name"),
        ({"rules.score.bands.0": ["5"]}, "rules.score.bands"),
        ({"rules.score.caller": HUGE}, "rules.score.caller"),
        ({"rules.players": "seven"}, "rules.players"),
        ({"rules.session.end": "target", "rules.session.target": ""}, "rules.session.target"),
    ),
    # a tournament
    *each(
        "{circle}tournaments/new",
        "/tournaments/new",
        CLUB,
        ({"name": ""}, "name"),
        ({"names": "Ada, Bea\nCiro"}, "names"),
        ({"rounds": "9"}, "rounds"),
        ({"rules": "unheard-of"}, "rules"),
        ({"game": "burraco", "rules": "to-505", "deals": "0"}, "deals"),
    ),
]
#: Questions in the address: the path, what is asked, the fields at which something is wrong.
ASKED: list[tuple[str, Typed, str]] = [
    ("standings", {"span": "dates", "from": "x"}, "from"),
    ("", {"from": "2026-02-02", "to": "2026-02-01"}, "to"),
    ("journal", {"from": "x"}, "from"),
    ("journal", {"from": "2026-02-01", "to": "2026-01-01"}, "to"),
    ("journal", {"kind": "x"}, "kind"),
    ("journal", {"player": NOBODY}, "player"),
    ("deals/", {"player": NOBODY}, "player"),
    ("deals/", {"role": "king", "bid": "x", "game": "poker"}, "bid game role"),
    ("deals/", {"result": "won", "kind": "x", "state": "y"}, "kind result state"),
    ("deals/", {"from": "0001-01-01", "to": "9999-12-31"}, "from to"),
    ("deals/", {"with": "{Ada}"}, "with"),
    ("deals/", {"player": "{Ada}", "part": "alone"}, "part"),
    ("deals/", {"player": "{Ada}", "role": "Calls", "state": "Voided"}, "state"),
]


@pytest.fixture(scope="module")
def evenings(app: Flask) -> Evenings:
    """Play an evening for money and end it, and begin another.

    Give what is in addresses, and a way to open a page once, as nothing changes it.
    """
    phone = Phone(app).start(stake="0.50")
    phone.record(1)
    phone.post("end")
    ended, circle = phone.url, phone.circle_url
    phone.start(circle=str(phone.keys[0]), rules="ladder-bands")
    for number in (1, 2, 3):
        phone.record(number, bid_points="62")
    season = str(uuid4())
    days = {"first": "2026-01-01", "last": "2099-12-31"}
    phone.post(f"{circle}seasons/", {"key": season, "name": "The long one", **days})
    names = dict(zip(FIVE, map(str, player_ids(phone)), strict=True))
    known = {"circle": circle, "open": phone.url, "ended": ended, "season": season, **names}
    return phone, known, cache(lambda at: phone.page(at.format_map(known)))


def filled_in(typed: Typed, known: dict[str, str]) -> dict[str, list[str]]:
    """Write the keys of people in place of their names."""
    lists = {name: [text] if isinstance(text, str) else text for name, text in typed.items()}
    return {
        name.format_map(known): [text.format_map(known) for text in texts]
        for name, texts in lists.items()
    }


def told(page: Page) -> list[str]:
    """Name the fields at which a problem stands."""
    return sorted(name for name, text in page.problems.items() if text)


def check_kept(page: Page, typed: dict[str, list[str]]) -> None:
    """Look that whatever was typed into a box stands there."""
    for name in typed.keys() & page.boxes:
        kept = {text for form in page.forms for field, text in form.fields if field == name}
        assert {*typed[name]} <= kept, name


@pytest.mark.parametrize(
    ("at", "ending", "typed", "fields"), REFUSED, ids=[f"{row[1]} {row[3]}" for row in REFUSED]
)
def test_refused_form_says_why_at_its_fields_keeps_what_was_typed_and_writes_nothing(
    evenings: Evenings, at: str, ending: str, typed: Typed, fields: str
) -> None:
    phone, known, opened = evenings
    forms = [form for form in opened(at).forms if form.method == "POST"]
    form = next(form for form in forms if form.action.endswith(ending))
    sent = filled_in(typed, known)
    before = rows(phone.app)

    page = phone.sent(form.action, MultiDict({**form.lists(), **sent}))

    assert (page.status, told(page)) == (422, fields.split())
    check_kept(page, sent)
    assert rows(phone.app) == before


@pytest.mark.parametrize(("path", "asked", "fields"), ASKED, ids=str)
def test_refused_question_says_why_at_its_fields_and_keeps_what_was_asked(
    evenings: Evenings, path: str, asked: Typed, fields: str
) -> None:
    phone, known, _ = evenings
    sent = filled_in(asked, known)

    page = Page(phone.get(known["circle"] + path, query_string=MultiDict(sent)))

    assert (page.status, told(page)) == (422, fields.split())
    check_kept(page, sent)
