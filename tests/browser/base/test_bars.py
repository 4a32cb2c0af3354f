"""The bar at the foot of a page: it stands at the edge of the window, whatever is open."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.page_states import PAGE_STATES, SOUND, PageState, visit
from tests.browser.phones import LATER, Model
from tests.browser.seeding import Past, Scribe

pytestmark = pytest.mark.browser

HEIGHTS = (480, 640, 844, 1000)
#: Short pages, pages on which more comes after the bar, and pages with something open.
FIRST = {
    *("session without deals", "session with a dispute to write", "stake that is none"),
    *("who is at the table", "how they sat since a deal", "misdeal", "deal of pairs"),
    *("cards as text, refused", "conflict of two starts", "circle, more"),
}
#: How far above the edge of the window each bar ends.
GAPS = """() => [...document.querySelectorAll(".bar, body > .tabs")]
  .filter((bar) => bar.checkVisibility())
  .map((bar) => innerHeight - bar.getBoundingClientRect().bottom)"""


def away_from_the_edge(page: Page) -> list[tuple[int, list[float]]]:
    """Say at which heights, at the head and at the end of the page, a bar is not at the edge."""
    away = []
    for height in HEIGHTS:
        page.set_viewport_size({"width": 360, "height": height})
        for scrolled_to in (0, 100_000):
            page.evaluate("(top) => scrollTo(0, top)", scrolled_to)
            gaps = page.evaluate(GAPS)
            if any(abs(gap) > 1 for gap in gaps):
                away.append((height, gaps))
    return away


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(state, id=state.name, marks=[] if state.name in FIRST else LATER)
        for state in PAGE_STATES
    ],
)
def test_bar_is_at_the_edge(take: Take, past: Past, state: PageState) -> None:
    phone = visit(take, past, state, Model(360, 640, "it"))

    assert away_from_the_edge(phone.page) == []


@pytest.mark.parametrize("page", ["", "record"])
def test_bar_is_at_the_edge_where_what_waits_is_open(take: Take, page: str) -> None:
    actor = Actor(take(Model(360, 640, "it")))
    sheet = Scribe(actor.phone).start("Two phones")
    actor.phone.watch.tolerate("ERR_INTERNET_DISCONNECTED")
    actor.open(f"{sheet.path}record")
    actor.phone.context.set_offline(offline=True)
    for number in range(1, 5):
        actor.answer(SOUND)
        actor.save()
        heading = actor.page.get_by_role("heading", level=1)
        expect(heading).to_have_text(actor.phone.say("Deal %(number)s", number=number + 1))
    panel = actor.page.locator("#unsent")
    actor.tap(panel.locator("summary").first)
    for fold in panel.locator("li summary").all():
        actor.tap(fold)

    assert away_from_the_edge(actor.page) == []
    sheet.record()
    actor.phone.context.set_offline(offline=False)
    expect(panel.locator("[data-look]:visible")).to_have_count(1)
    actor.open(f"{sheet.path}{page}")
    expect(panel.locator("li summary")).to_have_count(4)
    folds = panel.locator("li details:not([open]) > summary")
    while folds.count():
        actor.tap(folds.first)

    assert away_from_the_edge(actor.page) == []
