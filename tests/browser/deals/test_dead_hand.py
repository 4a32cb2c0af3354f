"""Four with a dead hand on a phone: a deal is recorded, another written down card by card."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.actor import FIVE, Actor
from tests.browser.cards.test_tricks import expect_said, play
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

FOUR = FIVE[:4]
#: Ciro deals, so Dora leads; the dead hand plays after him, and has the jack of batons.
TRICK = ["7B", "2D", "4S", "KS", "JB"]
JACK = {"caller": "Bea", "bid": "61", "called_card": "JB"}


@pytest.mark.slow
def test_four_people_play_with_a_dead_hand(take: Take) -> None:
    actor = Actor(take(Model(360, 640, "it")))
    scribe = Scribe(actor.phone)
    circle = scribe.start("An evening before").path.partition("sessions/")[0]
    rules = {"preset": "four-balanced", "cards_each": 8, "dead_hand": True}
    own = scribe.keep_table(circle, "Col morto", rules).split("/")[-2]
    actor.open(scribe.start("Col morto", own, FOUR, circle=circle.split("/")[2]).path)
    actor.open_entry(actor.record_link())
    actor.answer({"caller": "Bea", "bid": "61"})
    actor.tap(actor.chip("Partner", actor.phone.say("Nobody")))
    actor.count(72)
    actor.save()
    actor.wait_for_session()
    assert actor.balances(FOUR) == {"Ada": -1, "Bea": 3, "Ciro": -1, "Dora": -1}

    actor.record({"caller": "Bea", "bid": "61", "partner": "Ciro", "card_points": 72})
    actor.open_entry(actor.link("Start deal %(number)s", number=3))
    actor.answer(JACK)
    rank = actor.page.get_by_label(actor.phone.say("Rank of the called card"))
    rank.select_option("J")
    actor.tap(actor.button("Start deal %(number)s", number=3))
    actor.wait_for_session()
    actor.open(actor.page.url.split("?")[0] + "deals/3/tricks/")
    play(actor, TRICK)
    expect_said(
        actor, "%(name)s takes trick %(trick)s: %(points)s.", name="Morto", trick=1, points=6
    )
    expect_said(actor, "%(name)s leads.", name="Morto")
    places = actor.page.get_by_role("region", name=actor.phone.say("On the table"))
    expect(places.get_by_role("listitem").filter(has_text=re.compile("Bea"))).to_contain_text(
        actor.phone.say("no partner")
    )

    actor.tap(actor.button("Trick forgotten"))
    actor.tap(actor.button("%(name)s leads.", name="Morto"))
    expect_said(actor, "%(name)s leads.", name="Morto")
    play(actor, ["AS", "2S", "KB", "3S", "4C"])
    expect_said(
        actor, "%(name)s takes trick %(trick)s: %(points)s.", name="Ada", trick=3, points=25
    )
