"""Which rules a new session has as the names come, and what the page says of it."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from scorer.games import find_game
from scorer.languages import translate
from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, hold

pytestmark = pytest.mark.browser

NAMES = (*FIVE, "Fulvia", "Gino")
CHANGED = "%(count)s can’t play by “%(chosen)s”: the rules are “%(instead)s” now."
#: The line and its button are above the bar, which lies over the foot of the page.
CLEAR = """() => {
  const bar = document.querySelector(".bar").getBoundingClientRect().top;
  const line = document.querySelector("[data-instead]").getBoundingClientRect();
  return line.height > 0 && line.top >= 0 && line.bottom <= bar;
}"""


def seat(actor: Actor, names: Sequence[str]) -> None:
    boxes = actor.page.locator("[name=player]")
    for place, name in enumerate(names):
        boxes.nth(place).fill(name)


def chosen(actor: Actor) -> str:
    found: str = actor.page.locator("[name=rules]:checked").input_value()
    return found


def name_of(actor: Actor, preset: str) -> str:
    found = find_game("points")
    return translate(found.describe(found.presets[preset]).name, actor.phone.model.language)


def keep_the_rules_that_so_many_cannot_play(actor: Actor) -> None:
    """Rules give way where too many come, and a line says so and takes it back."""
    actor.open("/sessions/new?game=points")
    seat(actor, NAMES[:4])
    actor.choose_rules("pairs", "points")
    told = actor.page.locator("[data-instead] [role=status]")
    pairs = name_of(actor, "pairs")
    expect(told).to_be_empty()
    seat(actor, NAMES[:5])
    assert chosen(actor) == "highest"
    instead = {"chosen": pairs, "instead": name_of(actor, "highest")}
    expect(told).to_have_text(actor.phone.say(CHANGED, count=5, **instead))
    seat(actor, NAMES)
    actor.button("Keep “%(rules)s”", rules=pairs).focus()
    actor.page.keyboard.press("Enter")
    assert chosen(actor) == "pairs"
    expect(told).to_have_text(actor.phone.say("“%(rules)s” stays.", rules=pairs))
    expect(told).to_be_focused()
    expect(actor.page.locator("[data-instead] button")).to_be_hidden()


def show_the_table(actor: Actor) -> None:
    """What the rules pay is fetched, once there is a network."""
    fold = actor.page.locator(".agree")
    actor.phone.context.set_offline(offline=True)
    actor.tap(fold.locator("summary"))
    expect(fold.get_by_role("link")).to_be_visible()
    actor.tap(fold.locator("summary"))
    actor.phone.context.set_offline(offline=False)
    actor.tap(fold.locator("summary"))
    expect(fold.get_by_role("table").first).to_be_visible()
    expect(fold.get_by_role("link")).to_have_count(0)


def test_rules_are_those_for_so_many_also_where_a_name_came_before_the_script(take: Take) -> None:
    actor = Actor(take(Model(360, 640, "it")))
    actor.phone.watch.tolerate("ERR_INTERNET_DISCONNECTED")
    late = hold(actor.page, "**/new_session.js")
    actor.page.goto("/sessions/new?game=briscola-chiamata", wait_until="commit")
    first = chosen(actor)
    seat(actor, FIVE[:1])
    late[0].continue_()
    actor.page.wait_for_load_state()
    seat(actor, FIVE[:4])
    assert chosen(actor) != first
    rules = actor.page.locator(".preset", has=actor.page.locator("[name=rules]:checked"))
    expect(rules).to_have_attribute("data-seats", "4")
    actor.page.wait_for_function(CLEAR)
    expect(actor.page.locator("[name=player]").nth(3)).to_be_focused()
    seat(actor, FIVE)
    actor.choose_rules("ladder-bands")
    show_the_table(actor)
    actor.page.unroute_all()
    keep_the_rules_that_so_many_cannot_play(actor)
