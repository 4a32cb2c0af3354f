"""A refused form of any page: why stands at its fields, what was typed is kept, nothing written.

What is refused is tested where it is decided; here each field of a form has one wrong answer.
"""

from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from tests.data.rows import rows as cases
from tests.services.evenings import FIVE
from tests.services.tournaments import PAIRS
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import player_ids, rows

Typed = dict[str, Any]
Evenings = tuple[Phone, dict[str, str], Callable[[str], Page]]
#: Forms as they are typed, each with one wrong answer in a row of the table.
SESSION: Typed = {"player": [*FIVE], "place": [*"12345"], "first_dealer": "4", "end": "rules"}
FORMS: dict[str, Typed] = {
    "": {},
    "cost": {"payer": "{Ada}", "among": ["{Ada}", "{Bea}"], "amount": "5"},
    "session": SESSION,
    "points": {**SESSION, "rules": "highest", "called": "Hearts"},
    "deal": {"caller": "0", "bid_points": "62", "partner": "1", "card_points": "70"},
    "table": {"name": "Ours", "action": "save"},
    "club": {"name": "Tuesday", "names": "\n".join(PAIRS), "people": "2", "rounds": "2"},
}
#: Pages with forms of all kinds, below a circle and below an open session of it.
CIRCLE_PAGES = ["more", "links", "keys", "ledger", "notebook", "rules/new", "seasons/"]
SESSION_PAGES = ["", "deals/1/", "deals/1/amend", "notes/", "record", "rules", "table"]
#: What a row of the table has only the name of.
NAMED = {"long": "è" * 999, "huge": "9" * 999, "nobody": str(UUID(int=7))}


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
    known = {"circle": circle, "open": phone.url, "ended": ended, "season": season}
    known |= names | NAMED
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


@cases(__file__, "forms")
def test_refused_form_says_why_at_its_fields_keeps_what_was_typed_and_writes_nothing(
    evenings: Evenings, form: str, like: str, typed: Typed, fields: str
) -> None:
    phone, known, opened = evenings
    at, ending = form.split()
    forms = [shown for shown in opened(at).forms if shown.method == "POST"]
    shown = next(one for one in forms if one.action.endswith(ending))
    sent = filled_in(FORMS[like] | typed, known)
    before = rows(phone.app)

    page = phone.sent(shown.action, MultiDict({**shown.lists(), **sent}))

    assert (page.status, told(page)) == (422, fields.split())
    check_kept(page, sent)
    assert rows(phone.app) == before


@cases(__file__, "questions")
def test_refused_question_says_why_at_its_fields_and_keeps_what_was_asked(
    evenings: Evenings, path: str, asked: Typed, fields: str
) -> None:
    phone, known, _ = evenings
    sent = filled_in(asked, known)

    page = Page(phone.get(known["circle"] + path, query_string=MultiDict(sent)))

    assert (page.status, told(page)) == (422, fields.split())
    check_kept(page, sent)


def test_file_in_place_of_any_text_is_refused_or_no_answer(phone: Phone) -> None:
    phone.start()
    phone.record(1)
    pages = [*SESSION_PAGES, *(phone.circle_url + page for page in CIRCLE_PAGES), "/sessions/new"]
    forms = [form for page in pages for form in phone.page(page).forms if form.method == "POST"]

    for form in forms:
        files = {name: (BytesIO(b"x"), "x.txt") for name in {*form.lists()} - {"csrf_token"}}
        answer = phone.post(form.action, files, content_type="multipart/form-data")
        assert answer.status_code < 500, form.action
