"""The time zone of a circle is that of the phone that begins it; an older circle is offered one."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

OFFER = "[data-zone] button"


def more(actor: Actor) -> None:
    """Open what the circle has besides its sessions."""
    actor.open(actor.page.url.partition("sessions/")[0] + "more")


def zone(actor: Actor) -> str:
    """Give the time zone that the page of the circle's settings has in its box."""
    return actor.page.locator("[type=text][name=zone], input.text[name=zone]").input_value()


def test_circle_takes_the_zone_of_the_phone_that_begins_it_or_is_offered_one(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    actor.start_session()
    more(actor)
    assert zone(actor) == "Europe/Rome"
    expect(actor.page.locator(OFFER)).to_have_count(0)

    owner = Actor(take(Model(360, 640)))
    owner.open(Scribe(owner.phone).start("Begun without scripts").path)
    more(owner)
    assert zone(owner) == ""
    expect(owner.page.locator(OFFER)).to_contain_text("Europe/Rome")
    owner.send(owner.page.locator(OFFER))

    expect(owner.page.locator(OFFER)).to_have_count(0)
    assert zone(owner) == "Europe/Rome"
