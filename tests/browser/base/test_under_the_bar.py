"""What lies under the bar at the foot of a page scrolls clear of it where it is asked for."""

import pytest

from tests.browser.conftest import Take
from tests.browser.page_states import PAGE_STATES, PageState, visit
from tests.browser.phones import Model
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

NAMES = {
    *("circle", "circle, more", "past deals", "standings", "session with deals"),
    *("record", "finish", "start", "deal that was amended", "new session", "table being edited"),
}
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


@pytest.mark.parametrize(
    "state", [pytest.param(s, id=s.name) for s in PAGE_STATES if s.name in NAMES]
)
def test_what_has_the_focus_is_clear_of_the_bar(take: Take, past: Past, state: PageState) -> None:
    phone = visit(take, past, state, Model(360, 640, "it"))

    for height in (480, 640, 844):
        phone.page.set_viewport_size({"width": 360, "height": height})
        assert phone.page.evaluate(COVERED) == []
