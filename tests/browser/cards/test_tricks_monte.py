"""Col monte on a phone: what was laid aside is tapped, shown, taken up again, or left unknown."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.actor import Actor
from tests.browser.cards.test_tricks import card, expect_said, play
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import ASIDE, BY_POINTS, Scribe, in_tricks

pytestmark = pytest.mark.browser

PLAYED = [code for trick in in_tricks(ASIDE) for code in trick]
LAID = "Aside %(count)s/%(monte)s"
SHOWN = "Called card shown: %(name)s is the partner"


def begun(actor: Actor) -> str:
    """Start a deal whose caller takes the monte; give its path."""
    sheet = Scribe(actor.phone).start("Col monte", "monte-5", first_dealer="4")
    sheet.begin(**BY_POINTS)
    return f"{sheet.path}deals/1/tricks/"


def laid(actor: Actor) -> Locator:
    """What lies aside, face up."""
    return actor.page.locator(".laid [class*=suit-]")


def lay(actor: Actor, codes: list[str]) -> None:
    for code in codes:
        actor.tap(card(actor, code))


def test_cards_are_laid_aside_shown_and_taken_up_again_whichever_came_last(take: Take) -> None:
    actor = Actor(take(Model(390, 844)))  # smaller ones show no icons
    actor.open(begun(actor))
    play(actor, PLAYED[:2])
    actor.tap(actor.button(LAID, count=0, monte=5))
    expect_said(actor, "Tap the cards laid aside.")
    lay(actor, ["KC", "AB", "7B", "6B", "2S"])
    expect(actor.button(LAID, count=5, monte=5)).to_be_visible()

    actor.tap(actor.button("Undo"))
    expect(laid(actor)).to_have_count(4)
    expect(card(actor, "2S")).to_be_enabled()
    eye, check = (actor.button(SHOWN, name="Bea").locator(".icon").nth(place) for place in (0, 1))
    expect(eye).to_be_visible()
    expect(check).to_be_hidden()
    actor.tap(actor.button(SHOWN, name="Bea"))
    expect(actor.button(SHOWN, name="Bea")).to_have_attribute("aria-pressed", "true")
    expect(check).to_be_visible()
    expect(eye).to_be_hidden()
    lay(actor, ["5B"])
    expect(card(actor, "5B")).to_be_hidden()
    expect(actor.page.locator("[data-seat='1'] [data-role]")).to_have_text("partner")

    play(actor, PLAYED[2:3])
    actor.tap(actor.button("Undo"))
    expect_said(actor, "%(name)s plays.", name="Ciro")
    expect(actor.button(LAID, count=5, monte=5)).to_be_visible()
