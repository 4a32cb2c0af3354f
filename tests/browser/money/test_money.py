"""The money of an evening, from its end to the hand and on to the next one."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe, Sheet

pytestmark = pytest.mark.browser


DUE = "Who hands what to whom"


def close(actor: Actor, sheet: Sheet, **answers: str) -> None:
    """Play a deal, and end the evening."""
    sheet.record(**answers)
    actor.open(sheet.path)
    actor.tap(actor.button("End the session"))
    actor.page.wait_for_url(re.compile("/last$"))


def due(actor: Actor, section: str, *lines: str) -> None:
    """Expect that so much is to be handed over."""
    rows = actor.page.get_by_role("region", name=actor.phone.say(section), exact=True)
    expect(
        rows.locator(":scope > .proposal > li > :first-child, :scope > .people > li")
    ).to_have_text([re.compile(rf"^\s*{line.replace(' ', '.*')}\s€", re.DOTALL) for line in lines])


def test_part_is_paid_and_confirmed_and_the_rest_is_there_with_the_next_match(take: Take) -> None:
    keeper, ada = (Actor(take(Model(360, 640, "it"))) for _ in range(2))
    sheet = Scribe(keeper.phone).start("Venerdì", stake="1.00")
    circle = sheet.path.partition("sessions/")[0]
    Scribe(ada.phone).post("/join", {"code": Scribe(keeper.phone).link(circle, "player")})
    ada.open(f"{circle}who")
    ada.tap(ada.button("Ada"))

    close(keeper, sheet)
    due(keeper, DUE, "Bea Ada 1,00", "Dora Ada 1,00", "Ezio Ciro 1,00")
    keeper.tap(keeper.link("Money of the circle"))
    keeper.tap(keeper.page.locator(".proposal summary").first)
    paid = keeper.button("%(payer)s paid %(payee)s", payer="Bea", payee="Ada")
    expect(paid).to_be_in_viewport(ratio=1)
    keeper.page.locator(".proposal [name=amount]").first.fill("0,40")
    keeper.tap(paid)
    due(keeper, DUE, "Dora Ada 1,00", "Bea Ada 0,60", "Ezio Ciro 1,00")

    ada.open(f"{circle}ledger")
    entry = ada.page.locator(".entries li").filter(has_text="Bea ha dato ad Ada 0,40")
    ada.tap(entry.get_by_role("button", name=ada.phone.say("I got it")))
    expect(entry).to_contain_text(ada.phone.say("confirmed by %(name)s", name="Ada"))
    expect(entry.get_by_role("button")).to_have_count(0)

    other = {"game": "points", "end": "rules", "circle": circle.split("/")[2], "stake": "1.00"}
    pairs = Scribe(keeper.phone).start("Sabato", "zero-sum", FIVE[:4], **other)
    points = {"points-0": "-1", "points-1": "1", "points-2": "-1", "points-3": "1"}
    close(keeper, pairs, **points)
    due(keeper, DUE, "Ezio Ada 1,00")
    due(keeper, "With all that is still open in the circle", "Ezio Ada 0,60", "Ezio Bea 0,40")
