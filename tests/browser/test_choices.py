from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.phones import Model

if TYPE_CHECKING:
    from tests.browser.conftest import Take

pytestmark = pytest.mark.browser

PAPER = "getComputedStyle(document.documentElement).backgroundColor"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_language_and_theme_are_chosen_and_kept(take: Take, *, scripts: bool) -> None:
    person = Person(take(Model(360, 640, "en", scripts=scripts)))
    person.open("/rules/")
    light = person.page.evaluate(PAPER)

    person.tap(person.button("Italiano"))
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Regole")
    person.tap(person.page.get_by_role("button", name="Scuro"))
    expect(person.page.get_by_role("button", name="Scuro", pressed=True)).to_be_visible()
    dark = person.page.evaluate(PAPER)
    person.open("/")

    assert dark != light
    assert person.page.evaluate(PAPER) == dark
    expect(person.page.locator("html")).to_have_attribute("lang", "it")
