from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.phones import BOTH_LANGUAGES, LATER, Model

if TYPE_CHECKING:
    from tests.browser.conftest import Take
    from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

CUT = """
head => [...head.querySelectorAll("span")].some(text => text.scrollWidth > text.clientWidth)
"""


@BOTH_LANGUAGES
@pytest.mark.parametrize(
    ("width", "height"),
    [pytest.param(844, 390, id="landscape"), pytest.param(1024, 768, marks=LATER)],
)
def test_wide_screen_shows_every_column_of_the_score_sheet(
    take: Take, past: Past, width: int, height: int, language: str
) -> None:
    actor = Actor(take(Model(width, height, language), past.keeper))
    actor.open(past.long)
    heads = actor.page.get_by_role("columnheader").all()
    actor.page.get_by_role("table").scroll_into_view_if_needed()

    assert len(heads) == 7
    expect(heads[-1]).to_have_text(actor.phone.say("What was played"))
    for head in heads:
        box = head.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert not head.evaluate(CUT), head.inner_text()
