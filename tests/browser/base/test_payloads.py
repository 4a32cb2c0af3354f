"""Words that try to be scripts, on the pages of a real browser: none runs, all are read as text."""

from collections.abc import Mapping, Sequence

import pytest
from playwright.sync_api import Dialog, Page

from scorer.typed_text import one_line
from scorer.web.base.names import short_names
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


def read(page: Page, path: str) -> str:
    """Open a page and look for what should not be on it; give its words."""
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    page.goto(path)
    page.keyboard.press("Tab")
    assert page.evaluate(STRANGE) == []
    assert dialogs == []
    return page.inner_text("body")


def missing(words: Sequence[str], seen: str, called: Mapping[str, str]) -> list[str]:
    """Give the words that are not read, nor what people of this name are called."""
    plain = " ".join(seen.split())
    return [
        word
        for word in map(one_line, words)
        if not any(" ".join(said.split()) in plain for said in (word, called.get(word, word)))
    ]


def test_words_are_read_as_text_also_in_what_scripts_write(take: Take) -> None:
    actor = Actor(take(Model(360, 640)))
    page, scribe = actor.page, Scribe(actor.phone)
    names, titles = FITTING[:5], FITTING[5:]
    sheet = scribe.start(titles[0], people=names)
    circle, seated = sheet.path.partition("sessions/")[0], [*names]
    circle_id = circle.split("/")[2]
    for first in range(5, len(FITTING) - 5, 5):
        people = FITTING[first : first + 5]
        seated += people
        scribe.start(titles[first], people=people, circle=circle_id).record()
    sheet.record().record()
    for number, reasons in ((1, SAMPLE), (2, SAMPLE[:1])):
        for seen, reason in enumerate(reasons):
            kind = "uphold" if seen % 2 else "dispute"
            said = {"version": "1", "seen": str(seen), "reason": reason}
            scribe.post(f"{sheet.path}deals/{number}/{kind}", said)
    for word in FITTING[:20]:
        scribe.post(f"{circle}links", {"name": word, "role": "player"})
    called = short_names(dict.fromkeys(map(one_line, seated), ""))
    there = [
        (f"{sheet.path}deals/1/", [*names, *SAMPLE]),
        (sheet.path, [*names, SAMPLE[0]]),
        (f"{circle}phones", FITTING[:20]),
        (f"{circle}who", FITTING[:10]),
    ]

    assert [missing(words, read(page, path), called) for path, words in there] == [[]] * 4

    caller = one_line(names[0])
    page.goto(f"{sheet.path}record")
    actor.answer({"caller": caller, "bid": "K", "partner": None, "card_points": 72})
    actor.wait_for_preview()
    assert caller in actor.preview().inner_text()
    page.goto(f"/sessions/new?circle={circle_id}")
    for chip in page.locator(".name-chip").all()[:8]:
        chip.click()
    assert page.evaluate(STRANGE) == []
