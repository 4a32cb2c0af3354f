from itertools import cycle
from pathlib import Path
from typing import Literal

import axe_playwright_python
import pytest
from playwright.sync_api import Page

from tests.browser.bars import covered_in_focus, out_of_place
from tests.browser.base.test_large_text import PERCENT, broken, crushed, enlarge
from tests.browser.conftest import Take
from tests.browser.longer import cut_off
from tests.browser.page_states import PAGE_STATES, PageState, visit
from tests.browser.phones import LATER, Model
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
#: What it finds, on the whole page or where some of what is written stands.
RUN_AXE = """
async ([runOnly, some]) => {
  const rules = some ? {} : { "color-contrast": { enabled: false } };
  const how = { runOnly, rules, resultTypes: ["violations"], preload: false };
  const where = some ? { include: some.map((n) => globalThis.written[n]) } : document;
  const { violations } = await axe.run(where, how);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\\n${html}\\n${failureSummary}`));
}
"""
EVERYTHING = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]}
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
#: What is written on a page, each by what its colours come from: its kind and that of what it is
#: in, its letters, and the grounds below it.
WRITTEN = """() => {
  const ground = (one) => {
    if (!one) return "";
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(one);
    const below = ground(one.parentElement), clear = backgroundColor === "rgba(0, 0, 0, 0)";
    return clear && backgroundImage === "none" && opacity === "1"
      ? below : `${backgroundColor} ${backgroundImage} ${opacity} / ${below}`;
  };
  const kind = ({ localName, classList }) => [localName, ...classList].join(".");
  globalThis.written = [...document.body.querySelectorAll("*")].filter((one) =>
    [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim())
      && one.checkVisibility());
  return globalThis.written.map((one) => {
    const { color, fontSize, fontWeight } = getComputedStyle(one);
    return [kind(one.parentElement), kind(one), color, fontSize, fontWeight, ground(one)].join(" ");
  });
}"""
#: Tables that are laid out as something else, or whose columns do not stand under their heads.
TABLES = """[...document.querySelectorAll("table")].filter((table) => {
  const [head, ...rows] =
    [...table.rows].map((row) => [...row.cells].map((cell) => cell.getBoundingClientRect()));
  const whole = rows.filter((row) => head.length > 1 && row.length === head.length && row[0].width);
  return getComputedStyle(table).display !== "table"
    || whole.some((row) => row.some((cell, n) => Math.abs(cell.left - head[n].left) > 1));
}).map((table) => table.outerHTML.slice(0, 200))"""
#: Payout tables that are wider than the card they are on.
STICKING_OUT = """[...document.querySelectorAll(":is(.card, .agree) .figures")].filter((table) =>
  table.getBoundingClientRect().right > table.closest(".card, .agree").getBoundingClientRect().right
).map((table) => table.outerHTML.slice(0, 200))"""
#: Ways to what is beside a page that go over two lines or are cut off.
TWO_LINES = """[...document.querySelectorAll(".bar.pair a")].filter((link) => {
  const text = [...link.childNodes].find((node) => node.data?.trim());
  const range = document.createRange();
  range.selectNodeContents(text ?? link);
  return range.getClientRects().length > 1 || link.scrollWidth > link.clientWidth;
}).map((link) => link.textContent)"""
#: A chip in a container gets no box where the page stops coming just before it.
CHIPS_IN_CONTAINERS = """[...document.querySelectorAll("main .chip, main .columns > *")]
  .map((chip) => chip.parentElement)
  .filter((parent) => getComputedStyle(parent).containerType !== "normal")
  .map((parent) => parent.className)"""
#: All of it that is on a page.
WRONG = f"[...{TABLES}, ...{STICKING_OUT}, ...{TWO_LINES}, ...{CHIPS_IN_CONTAINERS}]"
#: Pages with names, payouts and keys beside each other have room for letters twice as large.
WITH_NAMES = {
    *("circle", "deal that was amended", "deal about to be voided", "past deals", "player"),
    *("session with deals", "session with a dispute to write", "table with problems"),
    *("cards of a deal", "conflict", "replay in the middle of a trick", "rules of a table"),
}
#: What stands in a row there, where nothing lies over another.
IN_A_ROW = {
    "cards of a deal": ".grid .play-card",
    "replay in the middle of a trick": ".all-tricks .lying, .going .round",
}
#: Where words stand in narrow columns, and are whole all the same.
IN_COLUMNS = {"player", "rules of a table"}
#: What is tapped there is as large as a thumb.
TARGETS = {
    "session with deals": "main .switch a, figcaption a",
    "change of rules to confirm": "main summary",
    "player": "main .rows a, main summary",
    "deal": ".what-if a",
}
SMALL = """
(all) => all.filter((one) => one.checkVisibility())
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44).map(([text]) => text)
"""
#: Where whoever goes from one thing to the next by keys is looked after.
BY_KEYS = {
    *("circle", "circle, more", "past deals", "standings", "session with deals"),
    *("record", "finish", "start", "deal that was amended", "new session", "table being edited"),
}
#: `make test` looks at the main ones. They are looked at by day and by night, of the others one by
#: day and the next one by night: each colour is on many pages.
every_state = pytest.mark.parametrize(
    ("state", "theme"),
    [
        pytest.param(state, theme, id=f"{state.name}, {theme}", marks=[] if state.main else LATER)
        for state, theme in zip(PAGE_STATES, cycle(["light", "dark"]), strict=False)
    ],
)


#: Where a wide screen shows every column of the score sheet, and whether it cuts off a head.
WIDE = "session with deals"
CUT = """heads => heads.filter((head) => {
  const { left, right } = head.getBoundingClientRect();
  const words = [...head.querySelectorAll("span:not(.sr)")];
  return left < 0 || right > innerWidth || words.some((e) => e.scrollWidth > e.clientWidth);
}).map((head) => head.textContent)"""


@pytest.fixture(scope="module")
def seen() -> set[str]:
    """Give what was written on the pages before, by what its colours come from."""
    return set()


def violations(page: Page, seen: set[str], *, all_rules: bool = True) -> list[str]:
    """Let axe look at a page, and at the colours that no page had before: these take most time."""
    found: list[str] = page.evaluate(RUN_AXE, [EVERYTHING, None]) if all_rules else []
    first: dict[str, int] = {}
    for place, written in enumerate(page.evaluate(WRITTEN)):
        first.setdefault(written, place)
    if new := [place for written, place in first.items() if written not in seen]:
        found += page.evaluate(RUN_AXE, [COLOURS, new])
    if not found:
        seen.update(first)
    return found


def unfold_window(page: Page) -> None:
    """Make the window so high that nothing lies under the bar at its foot."""
    height = page.evaluate("document.documentElement.scrollHeight + 400")
    page.set_viewport_size({"width": 360, "height": height})


def assert_laid_out(page: Page) -> None:
    """Look for words and tables that do not keep their place on any phone."""
    assert out_of_place(page) == []
    assert page.evaluate(WRONG) == []
    assert broken(page, ".figures th") == []


def assert_room_for_large_letters(page: Page, name: str) -> None:
    page.evaluate("scrollTo(0, 0)")  # further down a bar that stays in sight lies over the rest
    for percent in PERCENT:
        enlarge(page, percent)
        assert name not in IN_A_ROW or crushed(page, IN_A_ROW[name]) == []
        assert name not in IN_COLUMNS or broken(page, "th, [data-of]") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    enlarge(page, 100)


def assert_every_column_is_seen(page: Page) -> None:
    heads = page.get_by_role("columnheader")
    for width, height in ((844, 390), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        assert heads.count() == 7
        assert heads.evaluate_all(CUT) == []
    page.set_viewport_size({"width": 360, "height": 640})


def assert_as_named(page: Page, name: str) -> None:
    """Look for what is asked of this page alone."""
    if name in TARGETS:
        targets = page.locator(TARGETS[name])
        assert targets.count()
        assert targets.evaluate_all(SMALL) == []
    if name in WITH_NAMES:
        assert_room_for_large_letters(page, name)
    if name == "new table":
        for width, height in ((390, 844), (360, 640)):
            page.set_viewport_size({"width": width, "height": height})
            assert crushed(page, ".fold > summary") == []
    if name == WIDE:
        assert_every_column_is_seen(page)


@every_state
def test_page_is_for_everybody_by_day_by_night_and_in_both_languages(
    take: Take, past: Past, seen: set[str], state: PageState, theme: Literal["light", "dark"]
) -> None:
    phone = visit(take, past, state, Model(360, 640, "it"))
    unfold_window(phone.page)
    phone.page.evaluate(AXE.read_text(encoding="utf-8"))
    phone.page.emulate_media(color_scheme=theme)

    assert violations(phone.page, seen) == []
    if state.main:
        phone.page.emulate_media(color_scheme="light" if theme == "dark" else "dark")
        assert violations(phone.page, seen, all_rules=False) == []
    assert_laid_out(phone.page)
    assert_as_named(phone.page, state.name)
    if state.name in BY_KEYS:
        assert covered_in_focus(phone.page) == []
        phone.page.set_viewport_size({"width": 360, "height": 640})
    assert cut_off(phone.page) == []

    if state.main and state.reloads:  # the words of the other pages are longer in Italian
        phone.load_in("en")
        assert phone.page.locator("html").get_attribute("lang") == "en"
        assert out_of_place(phone.page) == []
