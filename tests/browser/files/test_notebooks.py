"""An old table comes in on a narrow phone: how many taps it takes."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

NAMES = ["Ada", "Bea", "Ciro", "Dora", "Ezio"]
#: Thirty deals that cancel, as people paste them.
CANCEL = ";".join(NAMES) + "\n" + "2;1;-1;-1;-1\n-1;-1;-1;2;1\n1;-4;1;1;1\n" * 10
#: Six people nobody knows yet, whose card values don't cancel.
SIX = ["Gina", "Ivo", "Lia", "Mara", "Nico", "Olga"]
VALUES = ";".join(SIX) + "\n" + "12;0;33;7;25;41\n0;18;22;5;61;10\n"


@dataclass
class Thumb:
    """Counts the taps of somebody; to type a day, the field is tapped once."""

    actor: Actor
    taps: int = 0

    def tap(self, target: Locator) -> None:
        self.taps += 1
        self.actor.tap(target)

    def fill(self, target: Locator, text: str) -> None:
        self.tap(target)
        target.fill(text)
        target.blur()


def opened(take: Take) -> Thumb:
    keeper = take(Model(360, 640, "it"))
    circle = Scribe(keeper).start("Friday").path.partition("sessions/")[0]
    thumb = Thumb(Actor(keeper))
    thumb.actor.open(f"{circle}notebook")
    return thumb


def paste(thumb: Thumb, table: str) -> None:
    thumb.fill(thumb.actor.page.locator("#text"), table)
    with thumb.actor.page.expect_navigation():
        thumb.tap(thumb.actor.button("Look at it"))


def bring_in(thumb: Thumb, balances: list[str]) -> None:
    page = thumb.actor.page
    expect(page.locator("section:has(#sum) .seats b")).to_have_text(balances)
    picture(thumb, "answered")
    with page.expect_navigation():
        thumb.tap(page.locator(".bar button[value=keep]"))
    expect(page.locator("form[action$='/back']")).to_be_visible()


def picture(thumb: Thumb, name: str) -> None:
    """Take a picture where PICTURES says, to look at."""
    if folder := os.environ.get("PICTURES"):
        model = thumb.actor.phone.model
        path = Path(folder) / f"notebook-{name}-{model.language}-{model.theme}.png"
        thumb.actor.page.screenshot(path=path, full_page=True)


def test_thirty_deals_that_cancel_take_eight_taps(take: Take) -> None:
    thumb = opened(take)
    page = thumb.actor.page
    paste(thumb, CANCEL)
    expect(page.locator(".old tbody tr")).to_have_count(30)
    picture(thumb, "asked")

    thumb.tap(page.locator("#row-deal"))
    thumb.fill(page.locator("#day"), "2023-12-28")
    bring_in(thumb, ["+20", "+20", "+10", "−10", "−40"])

    assert thumb.taps <= 8
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    with page.expect_navigation():
        page.locator("form[action$='/back'] button").click()
    expect(page.locator("form[action$='/back']")).to_have_count(0)


def test_six_people_of_another_game_take_fourteen_taps(take: Take) -> None:
    thumb = opened(take)
    page = thumb.actor.page
    paste(thumb, VALUES)
    picture(thumb, "open")

    for name in SIX:
        button = page.locator(f".ask button[value$='person:{name}']")
        thumb.tap(button)
        expect(button).to_have_count(0)
    thumb.tap(page.locator("#row-deal"))
    thumb.fill(page.locator("#day"), "2023-12-28")
    bring_in(thumb, ["+86", "+55", "+51", "+18", "+12", "+12"])

    assert thumb.taps <= 14
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
