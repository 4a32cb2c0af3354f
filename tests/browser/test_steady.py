"""Nothing moves on the page of a session while others come, write and save."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe, Sheet

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Every shift is kept with what moved, also one right after a tap; not what the bar covers.
NOTE_SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  const floor = document.querySelector(".bar")?.getBoundingClientRect().top ?? innerHeight;
  for (const { value, sources } of list.getEntries()) {
    if (sources.every(({ previousRect: { top } }) => top >= floor)) continue;
    globalThis.shifts.push([value, sources.map(({ node }) => node?.outerHTML?.slice(0, 90))]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
#: Note who slides to another place.
NOTE_SLIDES = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  globalThis.slid.push(this.dataset.seat);
  return animate.apply(this, how);
};
globalThis.slid = [];
"""
#: Where everything that can be tapped stands in the window, but for what the bar covers.
PLACES = """() => {
  const places = {}, floor = document.querySelector(".bar").getBoundingClientRect().top;
  for (const one of document.querySelectorAll("main :is(a, button, summary), .standings li")) {
    const { top, bottom } = one.getBoundingClientRect();
    const drawn = one.checkVisibility({ visibilityProperty: true });
    const seen = drawn && bottom > 0 && (top < floor || one.closest(".bar"));
    const name = one.getAttribute("href") ?? one.dataset.key ?? one.textContent.trim();
    if (seen && !one.closest("[data-toast]")) places[`${one.localName} ${name}`] = Math.round(top);
  }
  return places;
}"""
HEIGHT = 640
#: What is called a good layout shift: parts of a page that comes slowly may move so much; later,
#: nothing does.
COMING = 0.1
TOAST = 'class="toast"'
FIRST = {"caller": "0", "partner": "2", "card_points": "72"}
OTHER = {"caller": "4", "partner": "3", "card_points": "90"}


def shifts(actor: Actor) -> list[Any]:
    actor.page.wait_for_timeout(300)
    found: list[Any] = actor.page.evaluate("globalThis.shifts.splice(0)")
    return found


def sit_down(take: Take) -> tuple[Actor, Actor, Sheet]:
    """Give two phones with the pen, the first on the page of a session with some deals."""
    keeper, other = (Actor(take(Model(360, HEIGHT, "it"), new=True)) for _ in range(2))
    sheet = Scribe(keeper.phone).start("Venerdì")
    for answers in (FIRST, OTHER, FIRST):
        sheet.record(**answers)
    code = Scribe(keeper.phone).link(sheet.path.partition("sessions/")[0])
    Scribe(other.phone).post("/join", {"code": code})
    for actor in (keeper, other):
        actor.page.add_init_script(NOTE_SHIFTS)
    keeper.open(sheet.path)
    return keeper, other, sheet


def look(actor: Actor, keeper: Actor, at: str) -> None:
    """Open the page, scrolled so far, and wait until it has heard who is here."""
    with actor.page.expect_response("**/events*"):
        actor.page.goto(keeper.page.url)
    actor.page.wait_for_timeout(1_500)
    actor.page.evaluate("(at) => document.querySelector(at).scrollIntoView()", at)
    actor.page.wait_for_timeout(500)
    shifts(actor)


def write_and_save(keeper: Actor, other: Actor) -> None:
    """Write a deal while the other phone looks on, which says so for as long as it is written.

    On the writer's own page nothing moves once it is there.
    """
    writing = other.page.locator("#writing")
    keeper.open_entry(keeper.record_link())
    expect(writing).not_to_be_empty()
    assert shifts(other) == []
    keeper.answer({"caller": "Ezio", "bid": "K", "partner": "Dora", "card_points": 90})
    keeper.save()
    keeper.wait_for_session()
    keeper.page.wait_for_load_state()
    coming = shifts(keeper)  # the toast lies over the page, and moves nothing in it
    assert (
        sum(value for value, moved in coming if any(TOAST not in str(one) for one in moved))
        < COMING
    )
    shown = keeper.page.evaluate(PLACES)
    expect(other.row(4)).to_have_count(1)
    expect(writing).to_be_empty()
    keeper.page.wait_for_timeout(2_000)

    expect(keeper.page.locator("#writing")).to_be_empty()
    assert shifts(keeper) == []
    assert keeper.page.evaluate(PLACES) == shown
    keeper.page.evaluate("document.querySelector('[data-toast]')?.remove()")
    assert shifts(keeper) == []
    assert keeper.page.evaluate(PLACES) == shown


def test_nothing_moves_but_what_stands_above_a_new_row_and_whoever_changes_the_place_slides(
    take: Take,
) -> None:
    keeper, other, sheet = sit_down(take)
    look(other, keeper, "#main")
    before = other.page.evaluate(PLACES)
    write_and_save(keeper, other)
    after = other.page.evaluate(PLACES)
    still = [key for key in before if key in after]
    assert len(still) > 7
    assert shifts(other) == []
    assert [after[key] for key in still] == pytest.approx([before[key] for key in still], abs=1)

    other.page.emulate_media(reduced_motion="no-preference")
    other.page.evaluate(NOTE_SLIDES)
    standings = other.page.locator(".standings").bounding_box()
    sheet.deals.append("")  # that of the keeper
    sheet.begin()
    expect(other.page.locator(".under-way")).to_be_in_viewport()
    assert shifts(other) == []
    sheet.misdeal()
    expect(other.page.locator(".under-way")).to_have_count(0)
    assert other.page.locator(".standings").bounding_box() == pytest.approx(standings, abs=1)
    shifts(other)  # the bar is as low as before

    sheet.record(**OTHER)
    expect(other.row(6)).to_have_count(1)
    slid = other.page.evaluate("globalThis.slid")
    assert shifts(other) == []
    other.page.emulate_media(reduced_motion="reduce")
    sheet.record(**FIRST)

    assert slid
    expect(other.row(7)).to_have_count(1)
    assert other.page.evaluate("globalThis.slid") == slid

    dispute_above(other, keeper, sheet)
    open_new_sessions(keeper, sheet)


def dispute_above(other: Actor, keeper: Actor, sheet: Sheet) -> None:
    """A section that comes above what is looked at moves nothing, and is told in sight."""
    look(other, keeper, "tfoot")
    table = other.page.locator("table.sheet")
    before = table.bounding_box()
    assert before

    reason = {"version": "1", "reason": "It was fewer", "seen": "0"}
    sheet.scribe.post(f"{sheet.path}deals/1/dispute", reason)
    told = other.page.locator(".above")
    expect(told).to_be_in_viewport()
    assert table.bounding_box() == pytest.approx(before, abs=1)
    told.tap()

    expect(other.page.locator(".disputes")).to_be_in_viewport()
    expect(told).to_have_count(0)


def open_new_sessions(keeper: Actor, sheet: Sheet) -> None:
    """Chips and rules stand where they will stay, also in a circle and like a session before."""
    _, _, circle, _, session, _ = sheet.path.split("/")
    for query in ("game=points", f"circle={circle}", f"circle={circle}&like={session}"):
        keeper.open(f"/sessions/new?{query}")
        keeper.page.wait_for_timeout(400)
        assert sum(value for value, _ in shifts(keeper)) <= 0.01, query
