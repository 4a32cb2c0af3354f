"""The cards of Briscola and Tressette on a phone without scripts: entered, saved, compared."""

import json
import re
from typing import Any

import pytest

from scorer.operations import check, replay
from tests.cards.sides_deals import bare, briscola, maraffone, traversone, tressette
from tests.web.cards.test_tricks import AGREES, tap
from tests.web.pages import Page
from tests.web.phones import Phone

FOUR, TWO = ("Ada", "Bea", "Ciro", "Dora"), ("Ada", "Bea")
#: A deal of each kind, with Ada dealing as she does first in a session.
DEALS = [
    pytest.param(tressette(3), FOUR, id="tressette"),
    pytest.param(briscola(3, 2), TWO, id="two"),
    pytest.param(traversone(3, 3), FOUR[:3], id="the lowest wins"),
]


def begin(phone: Phone, record: dict[str, Any], players: tuple[str, ...]) -> Page:
    """Start a session and the cards of its first deal, up to the first card."""
    preset = {"tressette": "to-21", "maraffone": "to-41", "traversone": "to-41"}
    rules = preset.get(record["game"], "deal-by-deal")
    last = str(len(players) - 1)
    phone.start(players, game=record["game"], rules=rules, first_dealer=last)
    form = phone.page("record").form("record/start")
    answer = phone.post("record/start", form.sends(action="cards"))
    assert answer.headers["Location"].endswith("/deals/1/tricks/")
    page = phone.page("deals/1/tricks/")
    return tap(phone, page, card=record["turned_up"]) if "turned_up" in record else page


@pytest.mark.parametrize(("record", "players"), DEALS)
def test_deal_is_tapped_card_by_card_and_saved_as_the_cards_show(
    phone: Phone, record: dict[str, Any], players: tuple[str, ...]
) -> None:
    told = bare(record)
    page = begin(phone, told, players)
    assert "Trick 1 of" in page.words
    assert "Ada leads." in page.words
    assert ("turned up: " in page.words) is ("turned_up" in record)
    for cards in told["tricks"][:1]:
        for card in cards:
            page = tap(phone, page, card=card)
    text = "\n".join(" ".join(cards) for cards in told["tricks"])
    page = tap(phone, page, do="text", text=text)

    assert "Save deal 1 as the cards show it" in page.words
    assert phone.post("deals/1/tricks/record").status_code == 303
    shown, again = phone.page("deals/1/"), phone.page("deals/1/tricks/replay?step=5")
    assert AGREES in shown.source
    assert ("With all cards open" in again.words) is (len(players) != 3)
    document = json.loads(phone.post("file").data)
    replayed = replay(document)
    assert document["deals"][0]["play"]["tricks"] == told["tricks"]
    assert replayed["deals"][0]["payouts"] == check(told)["payouts"]
    assert replayed["warnings"] == []
    assert "was started" in phone.page(phone.url.partition("sessions")[0] + "journal").words
    written = phone.get("deals/1/tricks/text").text
    assert re.match(r"rules: [a-z0-9-]+\nseats: Ada, Bea", written)


def test_maraffone_asks_for_the_trump_then_who_leads_and_is_replayed(phone: Phone) -> None:
    told = maraffone(3)
    first, second, *_ = told["tricks"]
    page = begin(phone, told, FOUR)
    assert "Which suit is trump?" in page.words
    page = tap(phone, page, card=f"7{told['trump']}")
    assert "trump: " in page.words
    assert "Who leads trick 1?" in page.words
    page = tap(phone, page, leader=str(FOUR.index(first["leader"])))
    for card in first["cards"]:
        page = tap(phone, page, card=card)
    assert f"{second['leader']} leads." in page.words
    text = "\n".join(" ".join(trick["cards"]) for trick in told["tricks"][1:])
    lead = f"{first['leader']}: {' '.join(first['cards'])}\n"
    tap(phone, page, do="text", text=lead + text)
    phone.post("deals/1/tricks/record")
    document = json.loads(phone.post("file").data)
    assert document["deals"][0]["play"]["trump"] == told["trump"]
    assert replay(document)["warnings"] == []
