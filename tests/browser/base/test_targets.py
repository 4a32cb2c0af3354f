"""What is tapped on pages that are only looked at is as large as a thumb."""

import pytest

from tests.browser.conftest import Take
from tests.browser.page_states import PAGE_STATES, visit
from tests.browser.phones import Model
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

SMALL = """
(selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44).map(([text]) => text)
"""


@pytest.mark.parametrize(
    ("name", "selector"),
    [
        ("session with deals", "main .switch a, figcaption a"),
        ("change of rules to confirm", "main summary"),
        ("player", "main .rows a, main summary"),
        ("deal", ".what-if a"),
    ],
)
def test_targets_are_as_large_as_a_thumb(take: Take, past: Past, name: str, selector: str) -> None:
    state = next(state for state in PAGE_STATES if state.name == name)

    page = visit(take, past, state, Model(360, 640, "it")).page

    assert page.locator(selector).count()
    assert page.evaluate(SMALL, selector) == []
