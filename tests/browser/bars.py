"""How wide a page is, where the bar at its foot stands, and what that must not lie over."""

from playwright.sync_api import Page

#: Narrower, lower and higher than phones are, and a small one.
SIZES = ((320, 480), (390, 844), (360, 640))
#: How wide a page is that is wider than its phone, and how far from the edge of the window a bar
#: ends, at the head and at the end of the page.
OUT_OF_PLACE = """async (width) => {
  const found = [], { scrollWidth } = document.documentElement;
  if (scrollWidth > width) found.push(`${scrollWidth} wide`);
  for (const top of [0, 100_000]) {
    scrollTo(0, top);
    await new Promise(requestAnimationFrame);
    for (const bar of document.querySelectorAll(".bar, body > .tabs")) {
      const gap = innerHeight - bar.getBoundingClientRect().bottom;
      if (bar.checkVisibility() && Math.abs(gap) > 1) found.push(`${gap} above the edge`);
    }
  }
  return found;
}"""
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


def out_of_place(page: Page) -> list[tuple[int, str]]:
    """Say on which phones something is scrolled to from side to side, or a bar is off the edge.

    The page is looked at from its head to its end, and has the last size afterwards.
    """
    found: list[tuple[int, str]] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found += [(width, wrong) for wrong in page.evaluate(OUT_OF_PLACE, width)]
    return found


def covered_in_focus(page: Page) -> list[str]:
    """Give what lies under the bar, at any height, although it has the focus."""
    covered: list[str] = []
    for height in (480, 844):
        page.set_viewport_size({"width": 360, "height": height})
        covered += page.evaluate(COVERED)
    return covered
