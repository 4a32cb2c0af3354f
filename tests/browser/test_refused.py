"""A form that was refused: its first problem is in sight, and its field has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.person import FIVE, Person
from tests.browser.phones import Model

if TYPE_CHECKING:
    from tests.browser.conftest import Take

pytestmark = pytest.mark.browser


def new_session(take: Take, model: Model) -> Person:
    """Fill in who plays."""
    person = Person(take(model))
    person.open("/sessions/new")
    for place, name in enumerate(FIVE):
        person.page.locator("[name=player]").nth(place).fill(name)
    return person


def test_wrong_stake_is_in_sight_and_in_focus(take: Take) -> None:
    person = new_session(take, Model(360, 640, "it"))
    person.tap(person.page.get_by_text(person.phone.say("Stake and name"), exact=True))
    person.page.locator("[name=stake]").fill("ten")

    person.tap(person.button("Start playing"))

    expect(person.page.locator("#problem-stake")).to_be_in_viewport()
    expect(person.page.locator("[name=stake]")).to_be_focused()


def test_wrong_balance_is_told_at_the_player_whose_it_is(take: Take) -> None:
    person = new_session(take, Model(360, 640, "it"))
    box = person.phone.say("Balances from before")
    person.tap(person.page.get_by_role("checkbox", name=box))
    person.page.locator("[name=opening]").nth(2).fill("many")

    person.tap(person.button("Start playing"))

    row = person.page.locator(".player").nth(2)
    expect(row.locator("[data-problem]")).to_be_in_viewport()
    expect(row.locator("[name=opening]")).to_be_focused()


def test_problems_are_listed_and_lead_to_their_fields_without_scripts(take: Take) -> None:
    person = Person(take(Model(360, 640, scripts=False)))
    person.open("/sessions/new")

    person.tap(person.button("Start playing"))
    person.tap(person.link("Write down who plays."))

    expect(person.page.locator("#problem-players")).to_be_in_viewport()
