import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actor import ENTRY_URL, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

MOST_STOPS = 60
STOPS_TO_RECORD = 8
IN_FOCUS = "element => element === document.activeElement"
ROUND_THE_FOCUS = """
() => {
  const { x, y, width, height } = document.activeElement.getBoundingClientRect();
  return { x: Math.max(0, x - 8), y: Math.max(0, y - 8), width: width + 16, height: height + 16 };
}
"""


@pytest.fixture
def actor(take: Take) -> Actor:
    phone = take(Model(touch=False))
    phone.page.goto(Scribe(phone).start("Friday").path)
    return Actor(phone)


def is_seen(page: Page) -> bool:
    """Tell whether the focus can be seen: take it away, and look whether something changes."""
    focused = page.evaluate_handle("document.activeElement").as_element()
    assert focused
    clip = page.evaluate(ROUND_THE_FOCUS)
    with_focus = page.screenshot(clip=clip)
    focused.evaluate("element => element.blur()")
    without = page.screenshot(clip=clip)
    focused.focus()
    return with_focus != without


def tab_to(page: Page, target: Locator, most: int = MOST_STOPS) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        assert is_seen(page), page.evaluate("document.activeElement.outerHTML")
        if target.evaluate(IN_FOCUS):
            return
    pytest.fail(f"no Tab leads to {target}")


def skip_to_the_page(actor: Actor) -> None:
    """The first stop of a page leads past what is on every page."""
    skip = actor.link("Skip to the page")
    actor.page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    actor.page.keyboard.press("Enter")
    expect(actor.page.get_by_role("main")).to_be_focused()


def look_into_the_card_counter(actor: Actor) -> None:
    """Open it and leave it by Escape: the focus returns."""
    count = actor.button("Count the cards")
    tab_to(actor.page, count)
    actor.page.keyboard.press("Enter")
    expect(actor.page.get_by_role("dialog")).to_be_visible()
    actor.page.keyboard.press("Escape")
    expect(actor.page.get_by_role("dialog")).to_be_hidden()
    expect(count).to_be_focused()


@pytest.mark.slow
def test_deal_is_recorded_by_keys_alone_and_the_focus_is_always_seen(actor: Actor) -> None:
    page, keys = actor.page, actor.page.keyboard

    skip_to_the_page(actor)
    tab_to(page, actor.record_link(), STOPS_TO_RECORD)
    keys.press("Enter")
    actor.arrive(ENTRY_URL)
    tab_to(page, actor.chip("Caller", "Ada"))
    keys.press("ArrowRight")
    expect(actor.chip("Caller", "Bea")).to_be_checked()
    tab_to(page, actor.chip("Bid", "A"))
    keys.press("Space")
    tab_to(page, actor.chip("Partner", "Ada"))
    keys.press("Space")
    tab_to(page, actor.key("Card points", 61))
    keys.press("Enter")
    assert actor.foretold()["Bea"] == 2
    look_into_the_card_counter(actor)
    tab_to(page, actor.save_button())
    keys.press("Enter")
    actor.wait_for_session()

    assert actor.payouts(1) == {"Ada": 1, "Bea": 2, "Ciro": -1, "Dora": -1, "Ezio": -1}
