"""House rules on a phone: copied, changed by typing, played by, and changed in the middle."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

HIGH = {"caller": "Bea", "bid": "2@85", "partner": "Dora", "card_points": 90}


def cell(actor: Actor, column: str, row: int) -> Locator:
    label = actor.phone.say(
        "%(column)s, row %(number)s", column=actor.phone.say(column), number=row
    )
    return actor.page.get_by_label(label, exact=True)


def badge(actor: Actor, template: str, **values: object) -> Locator:
    words = actor.phone.say(template, who=actor.phone.say("with a partner"), **values)
    return actor.page.get_by_role("listitem").filter(has_text=words)


def rows_come_and_go(actor: Actor, circle: str) -> None:
    """By a tap; what is wrong with them is told, and they are there again after going back."""
    actor.open(f"{circle}rules/new?from=classic")
    actor.tap(actor.button("Another row"))
    expect(cell(actor, "Lowest bid", 2)).to_be_focused()
    cell(actor, "Lowest bid", 2).fill("0")
    cell(actor, "Worth", 2).fill("3")
    wrong = actor.phone.say("Each band begins above the one before.")
    problem = actor.words("Row %(number)s: %(what)s", number=2, what=wrong)
    expect(problem).to_be_visible()
    cell(actor, "Lowest bid", 2).fill("90")
    expect(problem).to_be_hidden()
    expect(actor.page.get_by_role("rowheader", name="90–120", exact=True)).to_be_visible()
    actor.tap(actor.button("Take row %(number)s out", number=2))
    expect(cell(actor, "Lowest bid", 2)).to_have_count(0)
    actor.tap(actor.button("Another row"))
    cell(actor, "Worth", 2).fill("3")
    kept = set(actor.page.evaluate("history.state.typed.map(([name]) => name)"))
    actor.open("/rules/")
    actor.page.go_back()
    assert "name" in kept
    assert not kept & {"csrf_token", "key", "version", "game"}
    expect(cell(actor, "Worth", 2)).to_have_value("3")


def test_table_is_copied_changed_and_played_by(take: Take) -> None:
    actor = Actor(take(Model(360, 640, "it")))
    circle = Scribe(actor.phone).start("An evening before").path.partition("sessions/")[0]
    rows_come_and_go(actor, circle)
    actor.open(f"{circle}more")
    actor.tap(actor.page.get_by_role("link", name=actor.phone.say("House rules")))
    actor.tap(actor.page.get_by_text(actor.phone.say("Briscola Chiamata"), exact=True))
    name = actor.phone.say("Ranks, then points")
    actor.tap(actor.page.get_by_role("link", name=re.compile(f"^{re.escape(name)}")))
    expect(badge(actor, "%(who)s: what the winners get, the others pay")).to_be_visible()

    cell(actor, "Worth", 3).fill("7")
    expect(actor.page.get_by_role("cell", name="+14", exact=True).first).to_be_visible()
    partner = actor.page.get_by_label(actor.phone.say("Partner"), exact=True).first
    partner.fill("2")
    expect(badge(actor, "%(who)s: winnings and losses leave %(sum)s", sum="+1")).to_be_visible()
    partner.fill("1")
    expect(badge(actor, "%(who)s: what the winners get, the others pay")).to_be_visible()

    actor.page.get_by_label(actor.phone.say("What the table is called")).fill("Our sevens")
    actor.tap(actor.button("Keep this table"))
    expect(actor.page.get_by_role("heading", name="Our sevens", level=1)).to_be_visible()
    actor.tap(actor.link("Play by this table"))
    actor.name_players()
    actor.tap(actor.button("Start playing"))
    actor.wait_for_session()
    expect(actor.page.get_by_role("banner")).to_contain_text("Our sevens")
    actor.record(HIGH)
    assert actor.payouts(1) == {"Ada": -7, "Bea": 14, "Ciro": -7, "Dora": 7, "Ezio": -7}
