"""Which rules a new session has as the names come, and what the page says of it."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, expect

from scorer.games import find_game
from scorer.languages import translate
from tests.browser.actor import FIVE, Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, hold
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

NAMES = (*FIVE, "Fulvia", "Gino")
CHANGED = "%(count)s can’t play by “%(chosen)s”: the rules are “%(instead)s” now."
#: The line and its button are above the bar, which lies over the foot of the page.
CLEAR = """() => {
  const bar = document.querySelector(".bar").getBoundingClientRect().top;
  const line = document.querySelector("[data-instead]").getBoundingClientRect();
  return line.height > 0 && line.top >= 0 && line.bottom <= bar;
}"""

#: How far the page moves by itself while it opens.
NOTE_SHIFTS = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.shifted += value;
}).observe({ type: "layout-shift", buffered: true });
"""


def seat(actor: Actor, names: Sequence[str]) -> None:
    boxes = actor.page.locator("[name=player]")
    for place, name in enumerate(names):
        boxes.nth(place).fill(name)


def chosen(actor: Actor) -> str:
    found: str = actor.page.locator("[name=rules]:checked").input_value()
    return found


def told(actor: Actor) -> Locator:
    return actor.page.locator("[data-instead] [role=status]")


def name_of(actor: Actor, game: str, preset: str) -> str:
    found = find_game(game)
    return translate(found.describe(found.presets[preset]).name, actor.phone.model.language)


def changed(actor: Actor, game: str, count: int, before: str, after: str) -> str:
    names = {"chosen": name_of(actor, game, before), "instead": name_of(actor, game, after)}
    return actor.phone.say(CHANGED, count=count, **names)


def test_rules_that_so_many_cannot_play_give_way_and_a_line_takes_it_back(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    actor.open("/sessions/new?game=points")
    seat(actor, NAMES[:4])
    actor.choose_rules("pairs", "points")
    expect(told(actor)).to_be_empty()

    seat(actor, NAMES[:5])
    assert chosen(actor) == "highest"
    expect(told(actor)).to_have_text(changed(actor, "points", 5, "pairs", "highest"))
    seat(actor, NAMES[:6])
    assert chosen(actor) == "pairs"
    expect(told(actor)).to_be_empty()
    seat(actor, NAMES[:7])
    name = name_of(actor, "points", "pairs")
    actor.button("Keep “%(rules)s”", rules=name).focus()
    actor.page.keyboard.press("Enter")

    assert chosen(actor) == "pairs"
    expect(told(actor)).to_have_text(actor.phone.say("“%(rules)s” stays.", rules=name))
    expect(told(actor)).to_be_focused()
    expect(actor.page.locator("[data-instead] button")).to_be_hidden()


def test_rules_are_those_for_so_many_also_where_a_name_came_before_the_script_and_show_their_table(
    take: Take,
) -> None:
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
    fold = actor.page.locator(".agree")
    actor.phone.context.set_offline(offline=True)
    actor.tap(fold.locator("summary"))
    expect(fold.get_by_role("link")).to_be_visible()
    actor.tap(fold.locator("summary"))
    actor.phone.context.set_offline(offline=False)

    actor.tap(fold.locator("summary"))

    expect(fold.get_by_role("table").first).to_be_visible()
    expect(fold.get_by_role("link")).to_have_count(0)
    expect(fold.locator(".badges")).to_have_count(1)


def test_page_does_not_move_while_it_opens(take: Take, past: Past) -> None:
    phone = take(Model(360, 640, "it"), past.cookies["keeper"])
    phone.page.add_init_script(NOTE_SHIFTS)

    for query in ("game=points", "circle={circle_id}", "circle={circle_id}&like={six_id}"):
        phone.page.goto(f"/sessions/new?{query.format_map(past.paths)}")
        phone.page.wait_for_timeout(700)
        assert phone.page.evaluate("globalThis.shifted") <= 0.01, query
