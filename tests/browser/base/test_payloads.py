"""Words that try to be scripts, in a real browser: none runs.

That every page shows them as text is seen in `tests/web/base/test_payloads.py`.
"""

import pytest
from playwright.sync_api import Dialog

from scorer.typed_text import one_line
from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model
from tests.browser.seeding import Scribe
from tests.data.payloads import KINDS

pytestmark = pytest.mark.browser

NAME = 40
#: Some of every kind, those that fit into a name first.
SAMPLE = [
    word for words in KINDS.values() for word in sorted(words, key=lambda w: len(w) > NAME)[:3]
]
SEEN = {one_line(word).casefold(): word for word in SAMPLE}
FITTING = [word for word in SEEN.values() if 3 < len(one_line(word)) <= NAME]
STRANGE = """
() => [...document.querySelectorAll("*")].flatMap((one) => [
  ...[...one.attributes].filter(({ name }) => name.startsWith("on")).map(({ name }) => name),
  ...(one.matches("script:not([src^='/static/']), iframe, object, embed, base, style, xss, x, math")
      ? [one.outerHTML] : []),
  ...(/^(javascript|vbscript|data:t)/i.test(one.href ?? one.action ?? "") ? [one.outerHTML] : []),
])
"""


def test_words_stay_text_also_in_what_scripts_write(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    page, scribe = actor.page, Scribe(actor.phone)
    names = FITTING[:5]
    sheet = scribe.start(FITTING[5], people=names).record()
    for seen, reason in enumerate(SAMPLE):
        kind = "uphold" if seen % 2 else "dispute"
        said = {"version": "1", "seen": str(seen), "reason": reason}
        scribe.post(f"{sheet.path}deals/1/{kind}", said)
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)

    for path in (f"{sheet.path}deals/1/", sheet.path):
        page.goto(path)
        page.keyboard.press("Tab")
        assert page.evaluate(STRANGE) == []
    caller = one_line(names[0])
    page.goto(f"{sheet.path}record")
    actor.answer({"caller": caller, "bid": "K", "partner": None, "card_points": 72})
    actor.wait_for_preview()
    assert caller in actor.preview().inner_text()
    page.goto(f"/sessions/new?circle={sheet.path.split('/')[2]}")
    for chip in page.locator(".name-chip").all():
        chip.click()
    assert page.evaluate(STRANGE) == []
    assert dialogs == []
