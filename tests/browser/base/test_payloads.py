"""Words that try to be scripts, on the pages of a real browser: none runs, all are read as text."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from playwright.sync_api import Dialog, Page, StorageState

from scorer.typed_text import one_line
from tests.browser.actor import Actor
from tests.browser.conftest import Take
from tests.browser.phones import Model, Shelf
from tests.browser.seeding import Scribe
from tests.data.payloads import KINDS

pytestmark = pytest.mark.browser

NAME = 40
#: Some of every kind, those that fit into a name first.
SAMPLE = [
    word for words in KINDS.values() for word in sorted(words, key=lambda w: len(w) > NAME)[:6]
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


class Place(NamedTuple):
    """A session full of odd words, and whose phone it is on."""

    path: str
    names: list[str]
    reasons: list[str]
    cookies: StorageState


@pytest.fixture(scope="module")
def place(shelf: Shelf) -> Place:
    """Put the words wherever there is room."""
    phone = shelf.take(Model())
    scribe = Scribe(phone)
    names, titles = FITTING[:5], FITTING[5:]
    sheet = scribe.start(titles[0], people=names)
    circle = sheet.path.partition("sessions/")[0]
    for first in range(5, len(FITTING) - 5, 5):
        people = FITTING[first : first + 5]
        scribe.start(titles[first], people=people, circle=circle.split("/")[2]).record()
    sheet.record()
    for seen, reason in enumerate(SAMPLE):
        kind = "uphold" if seen % 2 else "dispute"
        said = {"version": "1", "seen": str(seen), "reason": reason}
        scribe.post(f"{sheet.path}deals/1/{kind}", said)
    for word in FITTING[:20]:
        scribe.post(f"{circle}links", {"name": word, "role": "player"})
    sheet.record()
    scribe.post(f"{sheet.path}deals/2/dispute", {"version": "1", "seen": "0", "reason": SAMPLE[0]})
    cookies = phone.context.storage_state()
    assert shelf.put_down() == []
    return Place(sheet.path, names, SAMPLE, cookies)


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


def missing(words: Sequence[str], seen: str) -> list[str]:
    plain = " ".join(seen.split())
    return [word for word in words if " ".join(one_line(word).split()) not in plain]


def test_reasons_and_names_are_read_as_text(take: Take, place: Place) -> None:
    page = take(Model(360, 640), place.cookies).page
    circle = place.path.partition("sessions/")[0]

    assert missing([*place.names, *place.reasons], read(page, f"{place.path}deals/1/")) == []
    assert missing([*place.names, SAMPLE[0]], read(page, place.path)) == []
    assert missing(FITTING[:20], read(page, f"{circle}phones")) == []
    assert missing(FITTING[:10], read(page, f"{circle}who")) == []


def test_names_are_text_in_what_scripts_write(take: Take, place: Place) -> None:
    actor = Actor(take(Model(390, 844), place.cookies))
    page, caller = actor.page, one_line(place.names[0])
    circle = place.path.partition("sessions/")[0]

    page.goto(f"{place.path}record")
    actor.answer({"caller": caller, "bid": "K", "partner": None, "card_points": 72})
    actor.wait_for_preview()
    told = actor.preview().inner_text()
    page.goto(f"/sessions/new?circle={circle.split('/')[2]}")
    for chip in page.locator(".name-chip").all()[:8]:
        chip.click()

    assert caller in told
    assert page.evaluate(STRANGE) == []
