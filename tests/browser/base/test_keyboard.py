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


@pytest.mark.slow
def test_deal_is_recorded_by_keys_alone_and_the_focus_is_always_seen(actor: Actor) -> None:
    page, keys = actor.page, actor.page.keyboard

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
    tab_to(page, actor.save_button())
    keys.press("Enter")
    actor.wait_for_session()

    assert actor.payouts(1) == {"Ada": 1, "Bea": 2, "Ciro": -1, "Dora": -1, "Ezio": -1}


def test_card_counter_is_left_by_escape_and_the_focus_returns(actor: Actor) -> None:
    actor.open(f"{actor.page.url}record")
    count = actor.button("Count the cards")
    count.focus()

    actor.page.keyboard.press("Enter")
    expect(actor.page.get_by_role("dialog")).to_be_visible()
    actor.page.keyboard.press("Escape")

    expect(actor.page.get_by_role("dialog")).to_be_hidden()
    expect(count).to_be_focused()


def test_first_stop_skips_to_the_page(actor: Actor) -> None:
    skip = actor.link("Skip to the page")

    actor.page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    actor.page.keyboard.press("Enter")

    expect(actor.page.get_by_role("main")).to_be_focused()
