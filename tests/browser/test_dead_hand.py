"""Four with a dead hand on a phone: the rules are made, a deal recorded, another card by card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.person import FIVE, Person
from tests.browser.phones import Model
from tests.browser.test_house_rules import circle_of, look
from tests.browser.test_tricks import expect_said, play

if TYPE_CHECKING:
    from tests.browser.conftest import Take

pytestmark = pytest.mark.browser

FOUR = FIVE[:4]
NAME = "Col morto"
#: Ciro deals, so Dora leads; the dead hand comes next, and has the jack of batons.
TRICK = ["7B", "JB", "2D", "4S", "KS"]
JACK = {"caller": "Bea", "bid": "61", "called_card": "JB"}


def make_rules(person: Person) -> None:
    """Copy the table for four and deal eight cards each, with a dead hand."""
    person.open(f"{circle_of(person)}rules/new?from=four-balanced")
    person.tap(person.page.get_by_text(person.phone.say("Players and cards"), exact=True))
    person.page.get_by_label(person.phone.say("Cards each"), exact=True).fill("8")
    person.tap(person.page.get_by_label(person.phone.say("With a dead hand (morto)"), exact=True))
    look(person)
    person.page.get_by_label(person.phone.say("What the table is called")).fill(NAME)
    person.tap(person.button("Keep this table"))
    expect(person.page.get_by_role("heading", name=NAME, level=1)).to_be_visible()


def start(person: Person) -> None:
    """Start an evening of four people by that table; Ada deals first."""
    person.tap(person.link("Play by this table"))
    for number, who in enumerate(FOUR, start=1):
        box = person.phone.say("Player %(number)s", number=number)
        person.page.get_by_label(box, exact=True).fill(who)
    person.tap(person.button("Start playing"))
    person.wait_for_session()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("language", ["en", "it"])
def test_four_people_play_with_a_dead_hand(take: Take, *, scripts: bool, language: str) -> None:
    person = Person(take(Model(360, 640, language, scripts=scripts)))
    make_rules(person)
    start(person)
    person.open_entry(person.record_link())
    person.answer({"caller": "Bea", "bid": "61"})
    person.tap(person.chip("Partner", person.phone.say("Nobody")))
    person.count(72)
    person.save()
    person.wait_for_session()
    assert person.balances(FOUR) == {"Ada": -1, "Bea": 3, "Ciro": -1, "Dora": -1}

    person.record({"caller": "Bea", "bid": "61", "partner": "Ciro", "card_points": 72})
    person.open_entry(person.link("Start deal %(number)s", number=3))
    person.answer(JACK)
    rank = person.page.get_by_label(person.phone.say("Rank of the called card"))
    rank.select_option("J")
    person.tap(person.button("Start deal %(number)s", number=3))
    person.wait_for_session()
    person.open(person.page.url.split("?")[0] + "deals/3/tricks/")
    play(person, TRICK)
    expect_said(
        person, "%(name)s takes trick %(trick)s: %(points)s.", name="Morto", trick=1, points=6
    )
    expect_said(person, "%(name)s leads.", name="Morto")
    places = person.page.get_by_role("region", name=person.phone.say("The table"))
    expect(places.get_by_role("listitem").filter(has_text=re.compile("Bea"))).to_contain_text(
        person.phone.say("no partner")
    )

    person.tap(person.button("Trick forgotten"))
    person.tap(person.button("%(name)s leads.", name="Morto"))
    expect_said(person, "%(name)s leads.", name="Morto")
    play(person, ["AS", "KB", "2S", "3S", "4C"])
    expect_said(
        person, "%(name)s takes trick %(trick)s: %(points)s.", name="Ada", trick=3, points=25
    )
