"""Partners are one wherever points are shown: both names, one figure."""

import re
from typing import Any
from uuid import uuid4

from flask import Flask
from werkzeug.test import TestResponse

from scorer.games import find_game
from tests.data.rows import rows
from tests.web.pages import Page
from tests.web.phones import Phone

FOUR = ("Ada", "Bea", "Ciro", "Dora")
NAME = re.compile(r'<span class="name"><span[^>]*>([^<]*?)</span>\s*<')
HEAD = re.compile(r"<th scope=\"col\"[^>]*>.*?<span[^>]*>([^<]*)</span></th>")
NAMED = re.compile(r'<li>\s*<span class="who">.*?<span[^>]*>([^<]*)</span></span>\s*<b>(.*?)</b>')
TAG = re.compile(r"<[^>]+>")


def briscola(phone: Phone, *points: int, number: int = 1) -> TestResponse:
    """Record a deal by its card points."""
    taken = {f"card_points-{side}": str(n) for side, n in enumerate(points)}
    return phone.enter(number, **taken)


def started(phone: Phone, players: tuple[str, ...] = FOUR, **other: Any) -> Phone:
    return phone.start(players, game="briscola", **{"rules": "points-120", **other})


def standings(page: Page) -> list[str]:
    return [name.strip() for name in NAME.findall(page.source)]


def columns(page: Page) -> list[str]:
    return HEAD.findall(page.source.rpartition("</template>")[2])


@rows(__file__, "sides")
def test_session_has_a_line_and_a_column_for_each_side(
    phone: Phone, players: int, points: list[int], sides: list[str], totals: str
) -> None:
    started(phone, FOUR[:players])
    briscola(phone, *points)

    page = phone.page()

    assert standings(page) == columns(page) == sides
    assert f"Totals after 1 deal: {totals}" in page.source


def test_partners_who_bring_in_different_balances_stand_alone(phone: Phone) -> None:
    started(phone, openings="y", opening=["3", "0", "0", "0"])
    briscola(phone, 70, 50)

    assert standings(phone.page()) == ["Ada", "Ciro", "Bea", "Dora"]


def test_partners_are_one_wherever_a_session_is_shown(phone: Phone) -> None:
    started(phone)
    briscola(phone, 40, 80)

    drawn = phone.get("chart.svg").text
    paid = NAMED.findall(phone.page("deals/1/").source)
    head, deal = phone.post("csv").text.splitlines()[:2]
    sent = {"key": str(uuid4()), "number": "2", "card_points-0": "70", "card_points-1": "50"}
    preview = phone.post("record/preview", sent).json
    conflict = Page(briscola(phone, 70, 50))

    assert standings(phone.page()) == ["Bea and Dora", "Ada and Ciro"]
    assert set(re.findall(r'id="line-(\d)"', drawn)) == {"0", "1"}
    assert "Ada and Ciro" in drawn
    assert [(name, TAG.sub("", amount)) for name, amount in paid] == [
        ("Ada and Ciro", "40"),
        ("Bea and Dora", "80"),
    ]
    assert head.endswith(",Ada & Ciro,Bea & Dora,Ada & Ciro Σ,Bea & Dora Σ")
    assert deal.endswith(",40,80,40,80")
    assert [paid["seat"] for paid in (preview or {})["payouts"]] == [0, 1]
    assert (conflict.status, "Ada and Ciro" in conflict.source) == (409, True)
    assert phone.page(phone.circle_url).source.count("Bea and Dora</span>") == 1


def test_partners_are_joined_as_the_reader_s_language_does(app: Flask) -> None:
    phone = started(Phone(app, **{"Accept-Language": "it"}))
    briscola(phone, 70, 50)

    pages = [phone.page(where) for where in ("", "deals/1/", "what-if?rules=points-120", "tv")]
    texts = [page.source for page in pages] + [phone.get("chart.svg").text]

    assert ["Ada e Ciro" in text for text in texts] == [True] * 5
    assert not any("&amp; " in text or "Ada and" in text for text in texts)


@rows(__file__, "penalties")
def test_page_says_what_a_penalty_costs(phone: Phone, game: str, players: int, told: str) -> None:
    phone.start(FOUR[:players], game=game, rules=find_game(game).preset.slug)

    page = phone.page()
    phone.outcome(1, "penalty", offender="0")

    assert told in page.words
    assert f">{told.partition(' ')[0]}</span>" in phone.page().source
