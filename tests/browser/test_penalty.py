"""A penalty: whose fault it was is in sight, and is written by a second tap."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import FIVE, Actor
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


def test_penalty_is_chosen_in_sight_and_written_by_a_second_tap(take: Take) -> None:
    phone = take(Model(360, 640, "it"))
    actor = Actor(phone)
    actor.open(Scribe(phone).start("Friday").path)
    actor.page.evaluate("scrollTo(0, 0)")

    actor.unfold("deal-more")
    actor.tap(actor.page.get_by_text(phone.say("Penalty"), exact=True))
    actor.page.wait_for_function(CLEAR)
    group = actor.group("Whose fault?")
    actor.tap(group.locator("label").filter(has_text="Bea"))
    expect(group.get_by_role("radio", name="Bea")).to_be_checked()
    expect(actor.row(1)).to_have_count(0)
    actor.tap(actor.button("Write the penalty down"))

    expect(actor.row(1)).to_have_count(1)
    assert actor.balances()["Bea"] == -4
    assert sum(actor.balances(FIVE).values()) == 0
