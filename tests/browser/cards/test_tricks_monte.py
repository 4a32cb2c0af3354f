"""Col monte on a phone: what was laid aside is tapped, shown, taken up again, or left unknown."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.actor import Actor
from tests.browser.cards.test_tricks import (
    card,
    expect_said,
    play,
)
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


@pytest.fixture
def actor(take: Take) -> Actor:
    """Give somebody at 360x640 who looks at the grid of a deal col monte."""
    actor = Actor(take(Model(360, 640)))
    actor.open(begun(actor))
    return actor


def lay(actor: Actor, codes: list[str]) -> None:
    for code in codes:
        actor.tap(card(actor, code))


@pytest.mark.slow
def test_whole_deal_is_tapped_with_what_was_laid_aside_a_mistake_and_the_card_shown(
    actor: Actor,
) -> None:
    actor.tap(actor.button(LAID, count=0, monte=5))
    expect_said(actor, "Tap the cards laid aside.")
    lay(actor, ["KC", "AB", "7B", "6B", "AC"])
    expect_said(actor, "%(name)s leads.", name="Ada")
    expect(actor.button(LAID, count=5, monte=5)).to_be_visible()

    actor.tap(actor.button("Undo"))
    expect(laid(actor)).to_have_count(4)
    expect(card(actor, "AC")).to_be_enabled()
    actor.page.set_viewport_size({"width": 390, "height": 844})  # smaller ones show no icons
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

    play(actor, PLAYED)

    words = "%(name)s takes trick %(trick)s: %(points)s, and the cards laid aside: %(aside)s."
    expect_said(actor, words, name="Ada", trick=7, points=9, aside=15)
    expect(
        actor.heading(
            "%(name)s with %(partner)s: %(result)s",
            name="Ada",
            partner="Bea",
            result="made, 120 (75 needed)",
        )
    ).to_be_visible()
    actor.tap(actor.button("Save deal %(number)s as the cards show it", number=1))
    actor.wait_for_session()
    actor.open(actor.page.url.split("?")[0] + "deals/1/")
    actor.tap(actor.page.get_by_text(actor.phone.say("The cards"), exact=True))
    actor.tap(actor.page.get_by_text(actor.phone.say("Step by step"), exact=True))
    words = "had shown it before, so Bea is the partner, as the next player after Ada"
    expect(actor.page.get_by_text(words).first).to_be_visible()


def test_undo_takes_a_card_played_or_one_laid_aside_whichever_was_last(actor: Actor) -> None:
    play(actor, PLAYED[:2])
    actor.tap(actor.button(LAID, count=0, monte=5))
    lay(actor, ["KC", "AB"])
    actor.tap(actor.button("Undo"))
    expect(laid(actor)).to_have_count(1)
    actor.tap(actor.button(LAID, count=1, monte=5))
    play(actor, PLAYED[2:3])
    actor.tap(actor.button("Undo"))

    expect_said(actor, "%(name)s plays.", name="Ciro")
    expect(actor.button(LAID, count=1, monte=5)).to_be_visible()
