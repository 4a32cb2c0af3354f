from typing import Any

import pytest

from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Past

pytestmark = pytest.mark.browser

MOST_BYTES = 61_000
#: What a browser with a window fetches too, and a headless one doesn't.
ALSO = "[...document.querySelectorAll('link[rel=icon], link[rel=manifest]')].map(l => l.href)"


def test_first_visit_of_the_record_screen_weighs_61_kb_at_most(take: Take, past: Past) -> None:
    phone = take(Model(), past.cookies["keeper"], new=True)
    weights: list[float] = []

    def weigh(loaded: dict[str, Any]) -> None:
        weights.append(loaded["encodedDataLength"])

    wire = phone.context.new_cdp_session(phone.page)
    wire.on("Network.loadingFinished", weigh)
    wire.send("Network.enable")
    phone.page.goto(f"{past.paths['empty']}record")
    phone.page.wait_for_load_state("networkidle")
    also = [phone.context.request.get(address).headers for address in phone.page.evaluate(ALSO)]

    assert len(weights) > 6
    assert sum(weights) + sum(int(each["content-length"]) for each in also) <= MOST_BYTES
