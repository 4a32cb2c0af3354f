"""An evening on a phone: what is recorded, put right and struck through adds up after every act."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from scorer.texts import signed
from tests.browser.actor import DEAL_URL, FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

#: The names are above the bar, which lies over the foot of the page.
CLEAR = """() => {
  const [form] = document.querySelectorAll("form:has([name=offender])");
  const { top, bottom } = form.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""


def deal(caller: str, bid: str, partner: str | None, points: int | None, **rest: Any) -> Any:
    return {"caller": caller, "bid": bid, "partner": partner, "card_points": points, **rest}


def expect_balances(actor: Actor, *balances: int) -> None:
    """Wait until the standings say what those at the table have."""
    for name, balance in zip(FIVE, balances, strict=True):
        line = actor.page.locator(".standings:visible > li").filter(has_text=name)
        expect(line.locator(".balance")).to_have_text(signed(balance))


def look_at(actor: Actor, number: int) -> None:
    actor.tap(actor.row(number).get_by_role("link"))
    actor.arrive(DEAL_URL)


def go_back(actor: Actor) -> None:
    name = re.compile(f"^{re.escape(actor.phone.say('Back to %(session)s', session=''))}")
    actor.tap(actor.page.get_by_role("link", name=name))
    actor.wait_for_session()


def amend(actor: Actor, points: int, reason: str) -> None:
    """Put another number into the deal that is looked at."""
    actor.open_entry(actor.link("Amend"))
    actor.answer({"card_points": points})
    actor.field("Why is it changed?").fill(reason)
    actor.tap(actor.button("Save the new version"))
    actor.arrive(DEAL_URL)
    expect(actor.page.get_by_text(reason)).to_be_visible()


def void_and_restore(actor: Actor, number: int, reason: str) -> None:
    """Strike a deal through, see that it no longer counts, and let it count again."""
    look_at(actor, number)
    actor.unfold("more")
    actor.tap(actor.text("Void"))
    actor.field("Or in your own words").fill(reason)
    actor.tap(actor.button("Void deal %(number)s", number=number))
    expect(actor.page.get_by_text(reason)).to_be_visible()
    go_back(actor)
    expect(actor.row(number).locator("s")).to_have_count(len(FIVE))
    expect_balances(actor, -1, 2, -1, -1, 1)
    look_at(actor, number)
    actor.tap(actor.button("Restore deal %(number)s", number=number))
    expect(actor.link("Amend")).to_be_visible()
    go_back(actor)


def test_evening_adds_up_after_every_act(take: Take) -> None:
    actor = Actor(take(Model(390, 844, "it")))
    actor.open(Scribe(actor.phone).start("").path)
    actor.record(deal("Ada", "2@72", "Bea", 75, called_card="2D"))
    expect_balances(actor, 4, 2, -2, -2, -2)
    actor.unfold("deal-more")
    actor.tap(actor.button("Misdeal"))
    expect(actor.row(2)).to_contain_text(actor.phone.say("Misdeal"))
    begun = deal("Bea", "3", "Ezio", 93, called_card="3B")
    actor.start_deal(begun, 3)
    expect(actor.page.locator(".under-way")).to_be_visible()
    actor.record(begun)
    expect_balances(actor, 3, 4, -3, -3, -1)

    look_at(actor, 1)
    amend(actor, 45, "The other pile was counted")
    go_back(actor)
    expect_balances(actor, -5, 0, 1, 1, 3)
    actor.record(deal("Ada", "2@101", None, 120))
    expect_balances(actor, 15, -5, -4, -4, -2)
    words = actor.phone.say("Undo deal %(number)s: %(what)s", number=4, what="")
    undo = actor.page.get_by_role("button", name=re.compile(f"^{re.escape(words)}"))
    actor.tap(undo)
    expect(undo).to_have_count(0)
    expect_balances(actor, -5, 0, 1, 1, 3)
    void_and_restore(actor, 1, "A card lay on the floor")
    actor.record(deal("Bea", "4", "Ciro", None, made=False))
    expect_balances(actor, -4, -2, 0, 2, 4)

    write_a_penalty_down(actor)
    expect_balances(actor, -3, -6, 1, 3, 5)


def write_a_penalty_down(actor: Actor) -> None:
    """Choose whose fault it was, which is in sight, and write it by a second tap."""
    actor.page.set_viewport_size({"width": 360, "height": 640})
    actor.page.evaluate("scrollTo(0, 0)")
    actor.unfold("deal-more")
    actor.tap(actor.text("Penalty"))
    actor.page.wait_for_function(CLEAR)
    group = actor.group("Whose fault?")
    actor.tap(group.locator("label").filter(has_text="Bea"))
    expect(group.get_by_role("radio", name="Bea")).to_be_checked()
    expect(actor.row(6)).to_have_count(0)
    actor.tap(actor.button("Write the penalty down"))
    expect(actor.row(6)).to_have_count(1)
