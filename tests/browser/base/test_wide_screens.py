import pytest
from playwright.sync_api import expect

from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

CUT = """
head => [...head.querySelectorAll("span:not(.sr)")].some(e => e.scrollWidth > e.clientWidth)
"""


def test_wide_screen_shows_every_column_of_the_score_sheet(take: Take, past: Past) -> None:
    actor = Actor(take(Model(844, 390, "it"), past.cookies["keeper"]))
    actor.open(past.paths["long"])
    heads = actor.page.get_by_role("columnheader").all()
    actor.page.get_by_role("table").scroll_into_view_if_needed()

    assert len(heads) == 7
    expect(heads[-1]).to_have_text(actor.phone.say("What was played"))
    for width, height in ((844, 390), (1024, 768)):
        actor.page.set_viewport_size({"width": width, "height": height})
        for head in heads:
            box = head.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert not head.evaluate(CUT), head.inner_text()
