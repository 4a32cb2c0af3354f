"""An old notebook is pasted, put right, kept, looked at and taken back, with a thumb."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model

pytestmark = pytest.mark.browser

TABLE = "📅 Data;Ada 👑;Bea;Zia Pina\n3/4/2024;🏆 5;−2;−3\n10/4/2024;-1;3;-2\n"


def test_notebook_is_pasted_put_right_kept_seen_and_taken_back(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    page = actor.page
    actor.start_session()
    circle = page.url.partition("sessions/")[0]
    actor.open(f"{circle}notebook")
    page.locator("textarea").fill(TABLE)
    actor.tap(actor.button("Look at it"))

    page.locator("input[name=player]").nth(3).fill("Ciro")
    actor.tap(actor.button("Look again"))
    expect(page.get_by_role("listitem").filter(has_text="Ciro").first).to_contain_text("−3")
    expect(page.locator("input[name=player]").nth(3)).to_have_value("Ciro")
    actor.tap(page.get_by_role("button", name="2"))
    back = actor.button("Take it back")
    expect(back).to_be_visible()
    actor.open(f"{circle}evenings/")
    expect(page.locator("main")).to_contain_text("2024")

    actor.open(f"{circle}notebook")
    actor.tap(actor.button("Take it back"))

    expect(back).to_have_count(0)
    actor.open(f"{circle}evenings/")
    expect(page.locator("main")).not_to_contain_text("2024")
