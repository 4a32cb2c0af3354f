"""What players say of deals on their own phones: asked, said, shown on every phone, settled."""

from typing import NamedTuple

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.web.pages import Page
from tests.web.phones import Phone


class Table(NamedTuple):
    """The phones around a table: Ada has the pen, Bea was her partner, Ciro was against them."""

    ada: Phone
    bea: Phone
    ciro: Phone
    watcher: Phone


@pytest.fixture
def table(app: Flask) -> Table:
    """Let Ada write down the first deal, that she played with Bea."""
    ada = Phone(app).start()
    others = [ada.let_in(Phone(app), role) for role in ("player", "player", "spectator")]
    phones = Table(ada, *others)
    for phone, name in ((ada, "Ada"), (phones.bea, "Bea"), (phones.ciro, "Ciro")):
        phone.hold(name)
    ada.record(1)
    return phones


def say(phone: Phone, kind: str, path: str = "", **other: str) -> TestResponse:
    """Fill in and send the form that a page has for it."""
    return phone.post(f"deals/1/{kind}", phone.page(path).form(f"/{kind}").sends(**other))


def offered(phone: Phone, path: str = "") -> set[str]:
    """Say which reviews a page offers to give."""
    ends = {form.action.rpartition("/")[2] for form in phone.page(path).forms}
    return ends & {"dispute", "confirm", "uphold"}


def test_session_asks_the_others_about_the_last_deal_and_one_tap_confirms_it(table: Table) -> None:
    assert offered(table.ada) == offered(table.watcher) == set()
    assert offered(table.bea) == {"dispute"}
    assert offered(table.ciro) == {"dispute", "confirm"}
    assert "Bea partner +1 Ciro −1" in table.ciro.page().told

    answer = say(table.ciro, "confirm")

    assert answer.headers["Location"] == table.ciro.url
    assert offered(table.ciro) == offered(table.bea) == set()
    shown = table.ada.page("deals/1/").told
    assert "Not confirmed yet" not in shown
    assert "Confirmed Ciro, Phone 3" in shown


def test_dispute_that_cannot_be_is_told_at_its_place_and_keeps_what_was_said(
    table: Table,
) -> None:
    wrong: list[tuple[dict[str, str], str]] = [
        ({"answer": "Bid", "reason": "x" * 199}, "dispute"),
        ({"reason": ""}, "dispute"),
        ({"reason": "x" * 201}, "dispute"),
        ({"right-card_points": "119"}, "right"),
    ]
    for sent, field in wrong:
        page = Page(say(table.ciro, "dispute", **sent))

        told = [name for name, said in page.problems.items() if said]
        assert (page.status, told) == (422, [field])
        assert page.form("/dispute").sends() | sent == page.form("/dispute").sends()
    assert "disputed by" not in table.ada.page().words


def test_pen_upholds_a_deal_and_everybody_sees_the_whole_story(table: Table) -> None:
    say(table.ciro, "dispute", answer="The points", reason=" Bea had 59 ")
    assert "Settle it" in table.ada.page().words
    assert "Settle it" not in table.ciro.page().words
    assert offered(table.ciro, "deals/1/") == set()

    answer = say(table.ada, "uphold", "deals/1/", reason="Counted twice")

    assert answer.headers["Location"] == f"{table.ada.url}deals/1/"
    story = ["Upheld Ada, Phone 1", "“Counted twice”", "Disputed Ciro, Phone 3"]
    story += ["“The points: Bea had 59”", "Written down Ada"]
    for phone in table:
        assert "disputed by" not in phone.page().words
        words = phone.page("deals/1/").told
        assert [told for told in story if told not in words] == []
        assert words.index("Upheld Ada") < words.index("Disputed Ciro")
    assert offered(table.ciro) == {"dispute", "confirm"}
