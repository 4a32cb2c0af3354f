"""Words that try to be scripts, on the pages of a real browser: none runs, all are read as text."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest
from playwright.sync_api import Dialog, Page, StorageState

from scorer.typed_text import one_line
from scorer.web.base.names import short_names
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
    called: dict[str, str]
    cookies: StorageState


@pytest.fixture(scope="module")
def place(shelf: Shelf) -> Place:
    """Put the words wherever there is room."""
    phone = shelf.take(Model())
    scribe = Scribe(phone)
    names, titles = FITTING[:5], FITTING[5:]
    sheet = scribe.start(titles[0], people=names)
    circle, seated = sheet.path.partition("sessions/")[0], [*names]
    for first in range(5, len(FITTING) - 5, 5):
        people = FITTING[first : first + 5]
        seated += people
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
    called = short_names(dict.fromkeys(map(one_line, seated), ""))
    return Place(sheet.path, names, SAMPLE, called, cookies)


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


def test_reasons_and_names_are_read_as_text(take: Take, place: Place) -> None:
    page = take(Model(360, 640), place.cookies).page
    circle = place.path.partition("sessions/")[0]
    there = [
        (f"{place.path}deals/1/", [*place.names, *place.reasons]),
        (place.path, [*place.names, SAMPLE[0]]),
        (f"{circle}phones", FITTING[:20]),
        (f"{circle}who", FITTING[:10]),
    ]

    assert [missing(words, read(page, path), place.called) for path, words in there] == [[]] * 4


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
