import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model

pytestmark = pytest.mark.browser

PAPER = "getComputedStyle(document.documentElement).backgroundColor"


def test_language_and_theme_are_chosen_and_kept(take: Take) -> None:
    actor = Actor(take(Model(360, 640, "en")))
    actor.open("/")
    light = actor.page.evaluate(PAPER)

    actor.tap(actor.button("Italiano"))
    expect(actor.page.get_by_role("button", name="Italiano", pressed=True)).to_be_visible()
    actor.tap(actor.page.get_by_role("button", name="Scuro"))
    expect(actor.page.get_by_role("button", name="Scuro", pressed=True)).to_be_visible()
    dark = actor.page.evaluate(PAPER)
    actor.open("/rules/")

    assert dark != light
    assert actor.page.evaluate(PAPER) == dark
    expect(actor.page.locator("html")).to_have_attribute("lang", "it")
