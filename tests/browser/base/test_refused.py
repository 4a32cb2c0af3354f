"""A form that was refused: its first problem is in sight, and its field has the focus."""

import pytest
from playwright.sync_api import expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser


def new_session(take: Take, model: Model) -> Actor:
    """Fill in who plays."""
    actor = Actor(take(model))
    actor.open("/sessions/new")
    for place, name in enumerate(FIVE):
        actor.page.locator("[name=player]").nth(place).fill(name)
    return actor


def test_first_wrong_answer_is_in_sight_and_in_focus(take: Take) -> None:
    actor = new_session(take, Model(360, 640, "it"))
    fold = actor.phone.say("Stake, name, balances from before")
    actor.tap(actor.page.get_by_text(fold, exact=True))
    actor.tap(actor.page.get_by_role("checkbox", name=actor.phone.say("Balances from before")))
    stake, opening = (actor.page.locator(f"[name={name}]") for name in ("stake", "opening"))
    stake.fill("ten")
    opening.nth(2).fill("many")

    actor.tap(actor.button("Start playing"))
    expect(actor.page.locator("#problem-stake")).to_be_in_viewport()
    expect(stake).to_be_focused()
    stake.fill("")
    expect(actor.page.locator("#problem-stake")).to_be_hidden()
    expect(stake).to_have_attribute("aria-invalid", "false")
    actor.tap(actor.button("Start playing"))

    row = actor.page.locator("[data-brought] > li").nth(2)
    expect(row.locator("[data-problem]")).to_be_in_viewport()
    expect(row.locator("[name=opening]")).to_be_focused()


def test_what_is_said_of_an_answer_is_gone_with_the_next_one(take: Take, past: Past) -> None:
    actor = Actor(take(Model(360, 640), past.cookies["keeper"]))
    actor.open(f"{past.paths['empty']}record")
    actor.answer({"bid": "K"})
    actor.save()
    for question in ("Caller", "Partner"):
        expect(actor.problem(question)).to_be_visible()

    actor.answer({"caller": "Ada"})
    expect(actor.problem("Caller")).to_have_count(0)
    expect(actor.problem("Partner")).to_be_visible()
    actor.answer({"partner": "Ciro", "card_points": 121})
    expect(actor.problem("Partner")).to_have_count(0)
    expect(actor.problem("Card points")).to_be_visible()
    actor.box("Card points", "of 120").fill("72")
    expect(actor.problem("Card points")).to_have_count(0)
