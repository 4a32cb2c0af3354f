"""Is it right? A tap says so on a player's own phone, three dispute it, and all phones tell."""

from typing import NamedTuple

import pytest
from playwright.sync_api import StorageState, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import WITH_AND_WITHOUT_SCRIPTS, Model, Shelf
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

RIGHT, WRONG = "Right", "Wrong?"


class Table(NamedTuple):
    """A session with one deal, of a phone with the pen and one of a player."""

    path: str
    keeper: StorageState
    player: StorageState


@pytest.fixture
def table(shelf: Shelf) -> Table:
    keeper, player = shelf.take(Model()), shelf.take(Model())
    sheet = Scribe(keeper).start("Friday")
    circle = sheet.path.partition("sessions/")[0]
    Scribe(player).post("/join", {"code": Scribe(keeper).link(circle, "player")})
    sheet.record()
    cookies = keeper.context.storage_state(), player.context.storage_state()
    assert shelf.put_down() == []
    return Table(sheet.path, *cookies)


def look(take: Take, path: str, cookies: StorageState, model: Model) -> Actor:
    actor = Actor(take(model, cookies))
    actor.open(path)
    return actor


@WITH_AND_WITHOUT_SCRIPTS
def test_deal_is_disputed_with_three_taps_upheld_with_the_pen_and_confirmed_with_one_tap(
    take: Take, table: Table, *, scripts: bool
) -> None:
    model = Model(360, 640, scripts=scripts)
    player = look(take, table.path, table.player, model)
    keeper = look(take, table.path, table.keeper, Model(390, 844, scripts=scripts))
    notice = "Deal 1 is disputed by Phone 2: “Partner”"

    player.tap(player.page.get_by_text(WRONG, exact=True))
    player.tap(player.page.get_by_role("radio", name="Partner"))
    player.tap(player.button("Dispute deal %(number)s", number=1))

    expect(player.page.get_by_text(notice)).to_be_visible()
    keeper.page.reload()
    expect(keeper.page.get_by_text(notice)).to_be_visible()
    expect(keeper.row(1).get_by_label("disputed")).to_be_visible()
    keeper.tap(keeper.page.get_by_role("link", name="Settle it"))
    keeper.tap(keeper.button("Uphold deal %(number)s", number=1))
    expect(keeper.page.get_by_text("Upheld")).to_be_visible()
    player.page.reload()
    expect(player.page.get_by_text(notice)).to_have_count(0)
    player.tap(player.button(RIGHT))
    expect(player.button(RIGHT)).to_have_count(0)


@WITH_AND_WITHOUT_SCRIPTS
def test_proposed_partner_is_accepted_with_two_taps(
    take: Take, table: Table, *, scripts: bool
) -> None:
    model = Model(360, 640, scripts=scripts)
    player = look(take, table.path, table.player, model)
    keeper = look(take, table.path, table.keeper, model)
    player.tap(player.page.get_by_text(WRONG, exact=True))
    partner = player.page.get_by_role("group", name="Partner")
    player.tap(partner.get_by_role("radio").last)
    player.tap(player.button("Dispute deal %(number)s", number=1))
    expect(player.page.get_by_text("Deal 1 is disputed by Phone 2")).to_be_visible()
    keeper.page.reload()

    keeper.tap(keeper.page.get_by_role("link", name="Settle it"))
    keeper.tap(keeper.button("Accept the proposal"))

    expect(keeper.page.get_by_text("Deal 1 is amended as proposed.")).to_be_visible()
