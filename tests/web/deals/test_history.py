"""The history on the phone: evenings by their date, and deals by what somebody looks for."""

from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask

from scorer.services.deals import history
from tests.data.rows import rows as rows_of
from tests.web.pages import Page
from tests.web.phones import Phone


@pytest.fixture(scope="module")
def played(app: Flask) -> Phone:
    """Play six deals: two of Ada's calls, one missed; one voided, one amended; a misdeal."""
    phone = Phone(app).start(title="The quarrel")
    phone.record(1, caller="0", partner="1", card_points="70")
    phone.record(2, caller="0", partner="2", bid_points="75", card_points="60")
    phone.record(3, caller="1", partner="alone", card_points="90")
    phone.outcome(4, "misdeal")
    phone.record(5, caller="2", partner="0", card_points="80")
    phone.record(6, caller="3", partner="4", card_points="61")
    phone.post("deals/5/void", {"version": "1", "reason": "?"})
    change = {"version": "1", "reason": "?"}
    phone.post("deals/6/amend", {**phone.deal(6, caller="3", partner="4"), **change})
    return phone


def deals_page(phone: Phone, **asked: str) -> Page:
    """Look for deals."""
    return Page(phone.get(f"{phone.circle_url}deals/", query_string=asked))


def numbers(page: Page) -> list[int]:
    """Give the numbers of the deals that were found."""
    links = [link.rstrip("/").split("/") for link in page.links if "/deals/" in link]
    return [int(link[-1]) for link in links if "sessions" in link and link[-1].isdecimal()]


@rows_of(__file__, "found")
def test_deals_are_found(played: Phone, asked: dict[str, str], expected: list[int]) -> None:
    known = {name: played.player(name) for name in ("Ada", "Bea")}

    page = deals_page(played, **{name: known.get(text, text) for name, text in asked.items()})

    assert page.status == 200
    assert numbers(page) == expected
    assert f"{len(expected)} deal" in page.words


def test_what_is_asked_for_is_said_and_each_can_be_left_out(played: Phone) -> None:
    ada = played.player("Ada")

    page = deals_page(played, player=ada, role="calls", bid="71-80", **{"from": "2020-01-01"})

    assert numbers(page) == [2]
    for words in ("Ada", "called", "bid 71–80", "from 1 Jan 2020"):
        assert words in page.words
    shorter = [dict(parse_qsl(urlsplit(link).query)) for link in page.links if "deals/?" in link]
    assert {"player": ada, "role": "calls", "from": "2020-01-01"} in shorter
    assert {"role": "calls", "bid": "71-80", "from": "2020-01-01"} in shorter
    asked = {"player": ada, "role": "calls", "bid": "71-80", "from": "2020-01-01"}
    sent = page.form("deals/").sends()
    assert sent == {**asked, "to": "", "result": "", "state": ""}
    answer = played.get(f"{played.circle_url}deals/", query_string=sent)
    assert parse_qsl(urlsplit(answer.location).query) == [*asked.items()]


def pages_of(phone: Phone, first: str) -> Iterable[Page]:
    """Go through all pages of a list, to the older ones."""
    page = phone.page(first)
    while True:
        yield page
        older = [link for link in page.links if "before=" in link]
        if not older:
            return
        page = phone.page(older[0])


def test_many_deals_are_gone_through_by_pages(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PAGE", 4)
    phone.start()
    assert "Nothing has been played yet." in phone.page(f"{phone.circle_url}deals/").words
    assert "Friday" in phone.page(f"{phone.circle_url}evenings/").words
    for number in range(1, 10):
        phone.record(number)

    pages = list(pages_of(phone, f"{phone.circle_url}deals/"))

    assert ["Newest" in page.words for page in pages] == [False, True, True]
    assert [len(numbers(page)) for page in pages] == [4, 4, 1]
    assert [n for page in pages for n in numbers(page)] == list(range(9, 0, -1))
    assert f"{phone.circle_url}deals/" in pages[1].links
    for odd in ("x", "x.1", f"{phone.keys[1]}.x", f"{phone.keys[1]}.{'9' * 40}", "."):
        assert phone.get(f"{phone.circle_url}deals/?before={odd}").status_code == 200
