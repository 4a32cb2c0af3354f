"""An old table comes in on a narrow phone: how many taps it takes."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Thirty deals that cancel, as people paste them.
CANCEL = ";".join(FIVE) + "\n" + "2;1;-1;-1;-1\n-1;-1;-1;2;1\n1;-4;1;1;1\n" * 10
BALANCES = ["+20", "+20", "+10", "−10", "−40"]


def test_thirty_deals_that_cancel_take_eight_taps(take: Take) -> None:
    actor = Actor(take(Model(360, 640, "it")))
    page = actor.page
    actor.open(f"{Scribe(actor.phone).start('Friday').path.partition('sessions/')[0]}notebook")
    taps = 0

    def tap(target: Locator, *, sends: bool = False) -> Locator:
        nonlocal taps
        taps += 1
        (actor.send if sends else actor.tap)(target)
        return target

    tap(page.locator("#text")).fill(CANCEL)
    tap(actor.button("Look at it"), sends=True)
    expect(page.locator(".old tbody tr")).to_have_count(30)
    tap(page.locator("#row-deal"))
    day = tap(page.locator("#day"))  # to type a day, the field is tapped once
    day.fill("2023-12-28")
    day.blur()
    expect(page.locator("section:has(#sum) .seats b")).to_have_text(BALANCES)
    tap(page.locator(".bar button[value=keep]"), sends=True)

    back = page.locator("form[action$='/back']")
    expect(back).to_be_visible()
    assert taps <= 8
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    actor.send(back.locator("button"))
    expect(back).to_have_count(0)
