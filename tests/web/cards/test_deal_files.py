"""The cards of a session as a file of deals: taken out, looked at, brought in."""

from html import unescape
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorer.cards.notation.files import read_file
from scorer.services.session.state import load_state
from scorer.storage import queries
from tests.web.cards.test_tricks import RIGHT, TRICKS, write
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.programs import bot_of

HEADS = "smazzate: 1\ngame: briscola-chiamata\nseats: Ada, Bea, Ciro, Dora, Ezio\n"
LINES = [" ".join(trick) for trick in TRICKS]
FILE = f"""{HEADS}
deal: 1
caller: Bea 70 KC
{LINES[0]}

deal: 2
caller: Bea 70 KC
{"".join(f"{line}{chr(10)}" for line in LINES)}"""


@pytest.fixture
def evening(phone: Phone) -> Phone:
    """Record two deals; of the first, a trick is written down."""
    phone.start(title="Friday")
    phone.record(1, **RIGHT)
    phone.record(2, **{**RIGHT, "card_points": "74"})
    write(phone, LINES[0])
    return phone


def sent(phone: Phone, text: str, **answers: Any) -> TestResponse:
    return phone.post("cards", {"text": text, **answers})


def stored(phone: Phone) -> dict[int, Any]:
    """The tricks that are written down, by the number of the deal."""
    with phone.app.app_context():
        plays = queries.deals.session_plays(*phone.keys)
        deals = load_state(*phone.keys).deals
        return {
            deal.number: plays[deal.deal_id]["tricks"] for deal in deals if deal.deal_id in plays
        }


def kept(phone: Phone, text: str) -> TestResponse:
    """Look at a file, and keep what was seen."""
    looked = Page(sent(phone, text))
    return sent(phone, text, seen=looked.form("/cards")["seen"], action="keep")


def test_file_is_looked_at_before_its_deals_are_kept(evening: Phone) -> None:
    looked = Page(sent(evening, FILE))

    words = looked.told
    assert "Deal 1 Bea bid 70 and called the King of cups 5 cards · written down already" in words
    assert "Deal 2 Bea bid 70 and called the King of cups 40 cards · not written down yet" in words
    assert "Dora held the called card" in words
    file = (BytesIO(b"\xef\xbb\xbf" + FILE.encode()), "evening.smazzate")
    of_a_file = Page(evening.post("cards", {"text": "", "file": file}))
    fields = evening.page("deals/1/tricks/").forms[0]
    of_one_deal = evening.sent("deals/1/tricks/", fields.sends(do="text", text=FILE))
    assert FILE.strip() in unescape(of_a_file.source)
    for page in (looked, of_a_file, of_one_deal):
        assert "Keep the cards of 1 deal" in page.words
    assert list(stored(evening)) == [1]

    answer = kept(evening, FILE)
    assert answer.status_code == 303
    assert "The cards of 1 deal are kept." in Page(evening.get(answer.headers["Location"])).words
    assert stored(evening) == {1: TRICKS[:1], 2: TRICKS}


def test_file_that_was_taken_out_in_any_language_can_be_brought_in(evening: Phone) -> None:
    kept(evening, FILE)
    taken = evening.post("smazzate", {})

    name = taken.headers["Content-Disposition"]
    assert name.endswith("-Friday.smazzate")
    file = read_file(taken.text)
    assert [filed.number for filed in file.deals] == [1, 2]
    assert [head.name for head in file.heads] == ["circle", "title", "date"]
    assert "written down already" in Page(sent(evening, taken.text)).words
    italian = evening.client.post(f"{evening.url}smazzate", headers={"Accept-Language": "it"}).text
    assert "chiamante: Bea 70 RC" in italian
    assert "smazzata: 1" in italian
    assert read_file(italian).deals == file.deals
    assert bot_of(evening).ask(f"/api/v1{evening.url}smazzate").text == taken.text


def test_what_is_wrong_is_told_beside_the_text_and_nothing_is_kept(evening: Phone) -> None:
    for text, told in (
        ("7B 2D", "Line 1, column 1: "),
        (f"{HEADS}deal: 1\n7B 8X", "Line 5, column 4: "),
        (f"{HEADS}deal: 1\n7B\ndeal: 9\n7B", "Line 6, column 1: "),
        (f"{HEADS}#" + "x" * 400_000, "This file is too long."),
    ):
        page = Page(sent(evening, text, action="keep"))

        assert page.status == 422
        assert told in page.words
        assert text.strip() in unescape(page.source)
    assert list(stored(evening)) == [1]


def test_cards_that_another_phone_wrote_down_meanwhile_are_not_overwritten(evening: Phone) -> None:
    other = evening.let_in(Phone(evening.app))
    looked = Page(sent(other, FILE))
    seen = looked.form("/cards")["seen"]
    kept(evening, FILE.replace(LINES[7], ""))
    answer = sent(other, FILE, seen=seen, action="keep")

    assert answer.status_code == 409
    assert 'class="flash flash-problem"' in Page(answer).source
    assert stored(evening)[2] == TRICKS[:7]
    assert "instead of those written down" in Page(answer).words
    assert sent(other, FILE, seen='{"2": "x"}', action="keep").status_code == 409


def test_session_without_tricks_has_no_such_page(app: Flask) -> None:
    phone = Phone(app).start(game="points", rules="highest")

    assert phone.get("cards").status_code == 404
    assert sent(phone, FILE).status_code == 404
    assert phone.post("smazzate", {}).status_code == 404
