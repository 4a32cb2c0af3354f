"""Large letters on a small phone: nothing is crushed, cut off or laid over something else.

`test_page_states.py` looks at pages of the past in the same way.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe

pytestmark = pytest.mark.browser

LONG = ("Ada", "Massimiliano", "Nonno Piero", "Maria Teresa", "Giovambattista")
#: Keys that lie over each other, reach out of the screen, or whose words don't fit into them.
CRUSHED = """
(where) => {
  const seen = (e) => e.checkVisibility() && e.getClientRects().length;
  const keys = [...document.querySelectorAll(where)].filter(seen);
  const boxes = keys.map((e) => e.getBoundingClientRect());
  const found = [];
  keys.forEach((key, n) => {
    const { left, right, top, bottom } = boxes[n];
    const name = key.textContent.trim().replace(/\\s+/g, " ").slice(0, 30);
    if (left < -1 || right > innerWidth + 1) found.push(`outside: ${name}`);
    if (key.scrollWidth > key.clientWidth + 2) found.push(`cut off: ${name}`);
    boxes.forEach((other, m) => {
      const beside = other.left >= right - 1 || other.right <= left + 1;
      const below = other.top >= bottom - 1 || other.bottom <= top + 1;
      if (m > n && !beside && !below) found.push(`over each other: ${name}, ${m}`);
    });
  });
  return found;
}
"""
#: The words that go on in another line.
BROKEN = """es => es.filter(e => e.checkVisibility()).flatMap(
  e => e.textContent.trim().split(/[\\s\\u2013]+/)
  .filter(word => {
    const node = [...e.childNodes].find(n => n.nodeType === 3 && n.data.includes(word));
    if (!node) return false;
    const range = document.createRange(), at = node.data.indexOf(word);
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    return new Set([...range.getClientRects()].map(r => r.top)).size > 1;
  }))"""
QUESTIONS = ".questions :is(.face, .step, .quick, .pick, .tool-more)"
PREVIEW = ".preview li, .headline"
FIRST_SCREEN = ".choices .face, .player .text, .player .face, .preset > .chip"
#: The names that don't fit where they stand, and the sizes of all of them.
NAMES = """es => [
  es.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent.trim()),
  new Set(es.map(e => e.querySelector(".mark ~ span") ?? e.firstElementChild)
    .map(e => getComputedStyle(e).fontSize)).size,
]"""
#: Where names stand beside or below each other.
GROUPS = {
    "": (".standings .name", ".sheet thead th:not(.number, .wide)"),
    "record": ("[data-field=caller] .face", "[data-field=partner] .seat-chip:not(.alone) .face"),
    "deals/1/": (".named .who",),
    "deals/1/tricks/": (".places .who",),
    "sheet": (".sheet thead th:not(.number, .told)",),
    "tv": (".rows .called",),
    "table": (".players .who",),
    "../../": (".lifelong .name",),
}
PERCENT = (130, 200)


def crushed(page: Page, where: str) -> list[str]:
    found: list[str] = page.evaluate(CRUSHED, where)
    return found


def broken(page: Page, where: str) -> list[str]:
    found: list[str] = page.locator(where).evaluate_all(BROKEN)
    return found


def enlarge(page: Page, percent: int) -> None:
    page.evaluate("percent => document.documentElement.style.fontSize = `${percent}%`", percent)


def test_nothing_is_crushed_and_names_of_a_group_have_one_size(take: Take) -> None:
    actor = Actor(take(Model(360, 640, "it")))
    actor.open("/sessions/new")
    for percent in PERCENT:
        enlarge(actor.page, percent)
        assert crushed(actor.page, FIRST_SCREEN) == []
    sheet = Scribe(actor.phone).start("Friday", "ladder-bands", LONG).record()
    found = {}
    for path, groups in GROUPS.items():
        actor.open(sheet.path + path)
        for group in groups:
            names = actor.page.locator(group)
            assert names.count() == len(LONG), group
            found[path, group] = names.evaluate_all(NAMES)
    assert set(map(str, found.values())) == {"[[], 1]"}, found

    actor.open(sheet.path)
    for percent in PERCENT:
        enlarge(actor.page, percent)
        for group in GROUPS[""]:
            assert actor.page.locator(group).evaluate_all(NAMES) == [[], 1]
        assert crushed(actor.page, ".standings .name, .standings .balance, .standings .last") == []
    six = Scribe(actor.phone).start("Friday", "monte-6", (*LONG, "Fulvia"))
    actor.open(f"{six.path}record")
    actor.answer({"caller": LONG[1], "bid": "75", "partner": LONG[3], "card_points": 80})
    actor.wait_for_preview()
    for percent in PERCENT:
        enlarge(actor.page, percent)
        assert crushed(actor.page, QUESTIONS) == crushed(actor.page, PREVIEW) == []
        expect(actor.save_button()).to_be_visible()
