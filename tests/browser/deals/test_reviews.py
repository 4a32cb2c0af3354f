"""Is it right? A tap says so on a player's own phone, three dispute it, and all phones tell."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

RIGHT, WRONG = "Right", "Wrong?"


def test_deal_is_disputed_with_three_taps_upheld_with_the_pen_and_confirmed_with_one_tap(
    take: Take,
) -> None:
    player, keeper = Actor(take(Model(360, 640))), Actor(take(Model(390, 844)))
    sheet = Scribe(keeper.phone).start("Friday")
    link = Scribe(keeper.phone).link(sheet.path.partition("sessions/")[0], "player")
    Scribe(player.phone).post("/join", {"code": link})
    sheet.record()
    for actor in (player, keeper):
        actor.open(sheet.path)
    notice = "Deal 1 is disputed by Phone 2: “Partner”"

    player.tap(player.page.get_by_text(WRONG, exact=True))
    player.tap(player.page.get_by_role("radio", name="Partner"))
    player.tap(player.button("Dispute deal %(number)s", number=1))

    expect(player.page.get_by_text(notice)).to_be_visible()
    expect(keeper.page.get_by_text(notice)).to_be_visible()
    expect(keeper.row(1).get_by_label("disputed")).to_be_visible()
    keeper.tap(keeper.page.get_by_role("link", name="Settle it"))
    keeper.tap(keeper.button("Uphold deal %(number)s", number=1))
    expect(keeper.page.get_by_text("Upheld")).to_be_visible()
    expect(player.page.get_by_text(notice)).to_have_count(0)
    player.tap(player.button(RIGHT))
    expect(player.button(RIGHT)).to_have_count(0)
