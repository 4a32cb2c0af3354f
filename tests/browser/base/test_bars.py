"""The bar stands at the edge of the window, whatever is open (test_page_states.py: of any page)."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.bars import away_from_the_edge
from tests.browser.conftest import Take
from tests.browser.page_states import SOUND
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser


def test_bar_is_at_the_edge_where_what_waits_is_open(take: Take) -> None:
    actor = Actor(take(Model(360, 640, "it")))
    sheet = Scribe(actor.phone).start("Two phones")
    actor.phone.watch.tolerate("ERR_INTERNET_DISCONNECTED")
    actor.open(f"{sheet.path}record")
    actor.phone.context.set_offline(offline=True)
    for number in range(1, 5):
        actor.answer(SOUND)
        actor.save()
        heading = actor.page.get_by_role("heading", level=1)
        expect(heading).to_have_text(actor.phone.say("Deal %(number)s", number=number + 1))
    panel = actor.page.locator("#unsent")
    actor.tap(panel.locator("summary").first)
    for fold in panel.locator("li summary").all():
        actor.tap(fold)

    assert away_from_the_edge(actor.page) == []
    sheet.record()
    actor.phone.context.set_offline(offline=False)
    expect(panel.locator("[data-look]:visible")).to_have_count(1)
    for page in ("", "record"):
        actor.open(f"{sheet.path}{page}")
        expect(panel.locator("li summary")).to_have_count(4)
        folds = panel.locator("li details:not([open]) > summary")
        while folds.count():
            actor.tap(folds.first)

        assert away_from_the_edge(actor.page) == []
