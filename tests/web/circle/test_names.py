"""Names of every kind are shown as they are, in pages and in the chart, and never as markup."""

from collections.abc import Sequence
from unicodedata import normalize
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from flask import Flask

from scorer.storage import queries
from tests.services.evenings import FIVE
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import player_ids

NAMES = [
    pytest.param(
        ["<b>Ada</b>", "</td><script>alert(1)", "'Ciro'", '"D" onclick="x', "Ezio&amp;"],
        id="markup",
    ),
    pytest.param(["$x^2$", "\\frac{1}{$", "{{ 7*7 }}", "%(name)s %d", "${x}"], id="formulas"),
    pytest.param(
        ["שלום", "مرحبا", "👩\u200d🦰 🇮🇹", "A\u0301\u0302\u0303\u0304", "נא 123 No"], id="scripts"
    ),
    pytest.param(["W" * 40, "i" * 40, "王" * 40, "ﷺ" * 40, "a b " * 9 + "c"], id="long"),
    pytest.param(["0", "1", "alone", "None", "true"], id="words"),
]
SESSION_PAGES = ["", "?show=balances", "record", "record?step=start", "deals/1/", "deals/1/amend"]
TITLE = "<script>alert(2)</script> & \"%(x)s\" 'Friday' $"


def pages(phone: Phone) -> list[str]:
    """Give the addresses on which names are shown."""
    circle, session = phone.keys
    history = [f"{phone.circle_url}{page}/" for page in ("players", "deals", "evenings", "seasons")]
    history.append(f"{phone.circle_url}seasons/{season(phone)}")
    with phone.app.app_context():
        caller, partner, *_ = (one.player_id for one in queries.book.seats(*phone.keys))
    player = f"{phone.circle_url}players/{caller}/"
    history += [player, f"{player}rating", f"{phone.circle_url}rating"]
    history.append(f"{player}with/{partner}")
    return [
        *SESSION_PAGES,
        "deals/2/",
        "/",
        phone.circle_url,
        f"{phone.circle_url}share",
        f"/sessions/new?circle={circle}&like={session}",
        *history,
    ]


def season(phone: Phone) -> str:
    """Give the key of the season that the circle named."""
    with phone.app.app_context():
        return str(queries.figures.seasons(phone.keys[0])[0].season_id)


def play(phone: Phone, names: Sequence[str] = FIVE, title: str = "Friday") -> Phone:
    phone.start(names, title=title)
    phone.record(1)
    phone.outcome(2, "penalty", offender="1")
    phone.post("deals/1/void", {"version": "1", "reason": title})
    phone.record(3)
    with phone.app.app_context():
        caller = queries.book.seats(*phone.keys)[0].player_id
    nickname = {"nickname": title[:20]}
    assert phone.post(f"{phone.circle_url}players/{caller}/nickname", nickname).status_code == 303
    days = {"first": "2026-01-01", "last": "2099-12-31"}
    sent = {"key": str(uuid4()), "name": title[:40], **days}
    assert phone.post(f"{phone.circle_url}seasons/", sent).status_code == 303
    return phone


@pytest.fixture(scope="module")
def markup(app: Flask) -> list[tuple[set[str], set[str]]]:
    """Give the elements and attributes of the same pages with plain names."""
    phone = play(Phone(app))
    read = [phone.page(path) for path in pages(phone)]
    return [(page.tags, page.attributes) for page in read]


@pytest.mark.parametrize("names", NAMES)
def test_names_are_shown_as_they_are_on_every_page(
    phone: Phone, markup: list[tuple[set[str], set[str]]], names: list[str]
) -> None:
    play(phone, names, TITLE)

    for path, plain in zip(pages(phone), markup, strict=True):
        page = phone.page(path)
        assert page.status == 200, path
        assert (page.tags, page.attributes) == plain, path
        shown = page.words + "".join(value for form in page.forms for _, value in form.fields)
        missing = [name for name in names if normalize("NFC", name) not in shown]
        of_one = "/players/" in path and ("/rating" in path or "/with/" in path)
        assert len(missing) < len(names) if of_one else not missing, (path, missing)


@pytest.mark.parametrize("names", NAMES)
def test_names_are_drawn_in_the_chart_as_text(phone: Phone, names: list[str]) -> None:
    phone.start(names, title=TITLE).record(1)

    for theme in ("light", "dark"):
        answer = phone.get(f"chart.svg?theme={theme}")
        assert answer.status_code == 200
        picture = ET.fromstring(answer.text)  # noqa: S314  # our own picture
        assert not [one for one in picture.iter() if one.tag.endswith(("script", "}b", "}td"))]
        assert not [one for one in picture.iter() if "onclick" in one.attrib]


@pytest.mark.parametrize("names", NAMES)
def test_names_are_drawn_in_the_charts_of_players_as_text(phone: Phone, names: list[str]) -> None:
    phone.start(names).record(1)

    for player_id in player_ids(phone):
        answer = phone.get(f"{phone.circle_url}players/{player_id}/balance.svg")
        assert answer.status_code == 200
        picture = ET.fromstring(answer.text)  # noqa: S314  # our own picture
        assert not [one for one in picture.iter() if one.tag.endswith(("script", "}b", "}td"))]


@pytest.mark.parametrize("names", NAMES)
def test_names_come_out_of_the_preview_and_of_problems_as_they_are(
    phone: Phone, names: list[str]
) -> None:
    phone.start(names)

    shown = phone.post("record/preview", phone.deal(caller="0", partner="alone")).get_json()
    refused = phone.sent("/sessions/new", phone.agreed([*names[:4], names[0]]))

    assert names[0].strip() in shown["headline"]
    assert names[0].strip() in refused.problems["players"]


def test_reason_and_link_are_shown_as_they_are(phone: Phone) -> None:
    phone.start().record(1)
    phone.post("deals/1/void", {"version": "1", "reason": "<img src=x onerror=alert(1)>"})
    phone.link('<a href="javascript:x">Bea</a>')

    deal, share = phone.page("deals/1/"), phone.page(f"{phone.circle_url}share")

    assert "<img src=x onerror=alert(1)>" in deal.words
    assert '<a href="javascript:x">Bea</a>' in share.words
    assert not [link for link in share.links if link.startswith("javascript")]


def test_code_that_was_mistyped_is_shown_as_it_was(app: Flask) -> None:
    phone = Phone(app)

    for code in ("", '"><script>alert(1)</script>', "#", "http://x/join#", "è" * 10_000, "\x00"):
        answer = phone.post("/join", {"code": code})
        page = Page(answer)
        assert page.status == 422
        assert list(page.problems) == ["code"]
        assert page.form("/join")["code"] == code
        assert "<script>alert" not in page.source
