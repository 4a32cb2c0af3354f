"""The bar at the foot of a page: where it stands, and what it must not lie over."""

from playwright.sync_api import Page

#: Lower and higher than phones are.
HEIGHTS = (480, 844)
#: How far above the edge of the window each bar ends.
GAPS = """() => [...document.querySelectorAll(".bar, body > .tabs")]
  .filter((bar) => bar.checkVisibility())
  .map((bar) => innerHeight - bar.getBoundingClientRect().bottom)"""
#: What the bar still lies over once it has the focus.
COVERED = """() => {
  const bar = document.querySelector(".bar, body > .tabs");
  const asked = [...document.querySelectorAll("main :is(a[href], button, summary, input, select)")]
    .filter((one) => one.checkVisibility() && !bar.contains(one) && !one.closest(".drawer, .sr"));
  return asked.filter((one) => {
    scrollTo(0, 0);
    one.focus();
    const { top, bottom } = one.getBoundingClientRect();
    const end = Math.min(bottom, top + 44);
    return document.activeElement === one && end > bar.getBoundingClientRect().top + 1;
  }).map((one) => one.outerHTML.slice(0, 100));
}"""


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


def covered_in_focus(page: Page) -> list[str]:
    """Give what lies under the bar, at any height, although it has the focus."""
    covered: list[str] = []
    for height in HEIGHTS:
        page.set_viewport_size({"width": 360, "height": height})
        covered += page.evaluate(COVERED)
    return covered
