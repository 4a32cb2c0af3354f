"""Six at a table for five: who sits out, and seats put right since deal 2."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

SIX = (*FIVE, "Fulvia")


def test_six_take_turns_and_the_seats_are_put_right(take: Take) -> None:
    actor = Actor(take(Model(390, 844, "it")))
    phone = actor.phone
    sheet = Scribe(phone).start("Venerdì", people=SIX).record(caller="1", partner="2")
    actor.open(sheet.path)
    somebody = phone.say("Somebody else instead of %(name)s?", name="Bea")
    group = actor.page.get_by_role("group", name=somebody)
    actor.tap(group.get_by_role("button", name="Dora"))
    expect(actor.button("Back to the turn: %(names)s", names="Bea")).to_be_visible()
    actor.open_entry(actor.record_link())
    expect(actor.chip("Caller", "Dora")).to_have_count(0)
    actor.answer({"caller": "Bea", "bid": "K", "partner": "Ezio", "card_points": 72})
    actor.save()
    actor.wait_for_session()
    assert [actor.cells(number)[out] for number, out in ((1, 0), (2, 3))] == ["–", "–"]

    actor.open(f"{sheet.path}table")
    see_a_guest_counted(actor)
    actor.open(f"{sheet.path}table?since=2")
    expect(actor.heading("We sat wrong")).to_be_visible()
    actor.tap(actor.button("Move %(name)s up", name="Ezio"))
    actor.tap(actor.page.get_by_role("radio", name=phone.say("%(name)s deals", name="Ezio")))
    actor.field("Why?").fill("We counted the chairs")
    actor.tap(actor.button("Look at what changes"))
    expect(actor.heading("This is what changes")).to_be_visible()
    actor.tap(actor.button("Put it right"))
    actor.wait_for_session()

    actor.tap(actor.row(2).get_by_role("link"))
    expect(actor.page.get_by_text("We counted the chairs")).to_be_visible()
    expect(actor.page.get_by_role("main")).to_contain_text("Ezio")


def see_a_guest_counted(actor: Actor) -> None:
    """A guest counts as soon as a name is typed."""
    told = actor.page.locator("[data-count]").filter(visible=True)
    for name, count in (("", "6"), ("Gino", "7"), (" ", "6")):
        actor.page.locator("[name=guest]").fill(name)
        expect(told).to_have_attribute("data-count", count)
