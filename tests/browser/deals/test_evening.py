from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.evening import Evening
from tests.browser.phones import Model

pytestmark = pytest.mark.browser

#: The names are above the bar, which lies over the foot of the page.
CLEAR = """() => {
  const [form] = document.querySelectorAll("form:has([name=offender])");
  const { top, bottom } = form.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""


PENALTY = {"Ada": 1, "Bea": -4, "Ciro": 1, "Dora": 1, "Ezio": 1}


def deal(caller: str, bid: str, partner: str | None, points: int | None, **rest: Any) -> Any:
    return {"caller": caller, "bid": bid, "partner": partner, "card_points": points, **rest}


def assert_sheet_is_as_paid(evening: Evening) -> None:
    """Compare every line of the score sheet with `replay`."""
    paid = iter(evening.paid["deals"])
    for number, played in enumerate(evening.deals, start=1):
        if number in evening.struck:
            expect(evening.actor.row(number).locator("s")).to_have_count(len(FIVE))
        elif "sheet" in played:
            assert evening.actor.payouts(number) == next(paid)["payouts"]
        else:
            next(paid)
            expect(evening.actor.row(number)).to_contain_text(evening.actor.phone.say("Misdeal"))


def test_evening_of_five_deals_adds_up_after_every_act(take: Take) -> None:
    evening = Evening(Actor(take(Model(390, 844, "it"))))

    evening.begin()
    evening.record(deal("Ada", "2@72", "Bea", 75, called_card="2D"))
    evening.check()
    evening.misdeal()
    evening.record_in_two_steps(deal("Bea", "3", "Ezio", 93, called_card="3B"))
    evening.check()
    evening.amend(1, "The other pile was counted", card_points=45)
    evening.check()
    evening.record(deal("Ada", "2@101", None, 120))
    evening.undo()
    evening.check()
    evening.void(1, "A card lay on the floor")
    evening.check()
    evening.restore(1)
    evening.record(deal("Bea", "4", "Ciro", None, made=False))
    evening.check()

    assert_sheet_is_as_paid(evening)
    write_a_penalty_down(evening)


def write_a_penalty_down(evening: Evening) -> None:
    """Choose whose fault it was, which is in sight, and write it by a second tap."""
    actor, number = evening.actor, len(evening.deals) + 1
    before = actor.balances()
    actor.page.set_viewport_size({"width": 360, "height": 640})
    actor.page.evaluate("scrollTo(0, 0)")
    actor.unfold("deal-more")
    actor.tap(actor.text("Penalty"))
    actor.page.wait_for_function(CLEAR)
    group = actor.group("Whose fault?")
    actor.tap(group.locator("label").filter(has_text="Bea"))
    expect(group.get_by_role("radio", name="Bea")).to_be_checked()
    expect(actor.row(number)).to_have_count(0)
    actor.tap(actor.button("Write the penalty down"))

    expect(actor.row(number)).to_have_count(1)
    after = actor.balances()
    assert {name: after[name] - before[name] for name in FIVE} == PENALTY
