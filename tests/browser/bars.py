"""How wide a page is, where the bar at its foot stands, and what that must not lie over."""

from playwright.sync_api import Page

#: Narrower, lower and higher than phones are, and a small one.
SIZES = ((320, 480), (390, 844), (360, 640))
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


def out_of_place(page: Page) -> list[object]:
    """Say on which phones something is scrolled to from side to side, or a bar is off the edge.

    The page is looked at from its head to its end, and has the last size afterwards.
    """
    found: list[object] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            found.append((width, f"{wide} wide"))
        for scrolled_to in (0, 100_000):
            page.evaluate("(top) => scrollTo(0, top)", scrolled_to)
            found += [(height, gap) for gap in page.evaluate(GAPS) if abs(gap) > 1]
    return found


def covered_in_focus(page: Page) -> list[str]:
    """Give what lies under the bar, at any height, although it has the focus."""
    covered: list[str] = []
    for height in (480, 844):
        page.set_viewport_size({"width": 360, "height": height})
        covered += page.evaluate(COVERED)
    return covered
