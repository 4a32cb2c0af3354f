"""A phone that is new here: how pages look, a form that is refused, and the time zone."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model

pytestmark = pytest.mark.browser

PAPER = "getComputedStyle(document.documentElement).backgroundColor"


def choose_language_and_theme(actor: Actor) -> None:
    """Choose both on the first page; they are kept."""
    actor.open("/")
    light = actor.page.evaluate(PAPER)
    for name in ("Italiano", "Scuro"):
        actor.tap(actor.page.get_by_role("button", name=name))
        expect(actor.page.get_by_role("button", name=name, pressed=True)).to_be_visible()
    dark = actor.page.evaluate(PAPER)
    assert dark != light

    actor.open("/sessions/new")
    assert actor.page.evaluate(PAPER) == dark
    expect(actor.page.locator("html")).to_have_attribute("lang", "it")


def begin_with_wrong_answers(actor: Actor) -> None:
    """The first wrong answer is in sight and has the focus, then the next one, until none is."""
    for place, name in enumerate(FIVE):
        actor.page.locator("[name=player]").nth(place).fill(name)
    fold = actor.page.locator("summary").filter(has_text="Posta, nome, saldi di prima")
    actor.tap(fold)
    actor.tap(actor.page.get_by_role("checkbox", name="Saldi di prima"))
    start = actor.page.get_by_role("button", name="Si gioca")
    stake, opening = (actor.page.locator(f"[name={name}]") for name in ("stake", "opening"))
    stake.fill("ten")
    opening.nth(2).fill("many")

    actor.tap(start)
    expect(actor.page.locator("#problem-stake")).to_be_in_viewport()
    expect(stake).to_be_focused()
    stake.fill("")
    expect(actor.page.locator("#problem-stake")).to_be_hidden()
    expect(stake).to_have_attribute("aria-invalid", "false")
    actor.tap(start)

    row = actor.page.locator("[data-brought] > li").nth(2)
    expect(row.locator("[data-problem]")).to_be_in_viewport()
    expect(row.locator("[name=opening]")).to_be_focused()
    opening.nth(2).fill("")
    actor.tap(start)
    actor.wait_for_session()


def test_new_phone_chooses_is_refused_and_gives_its_circle_a_time_zone(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    choose_language_and_theme(actor)
    begin_with_wrong_answers(actor)
    actor.open(actor.page.url.partition("sessions/")[0] + "more")
    zone = actor.page.locator("[type=text][name=zone], input.text[name=zone]")
    expect(zone).to_have_value("Europe/Rome")
