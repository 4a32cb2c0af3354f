"""What a process remembers is shown as it is now, and to each phone what is its own."""

import gc
import re
from typing import Any

import pytest
from flask import Flask

from scorer.services.base import clock
from scorer.services.base.caching import LRUCache
from tests.services.evenings import selects
from tests.web.phones import TOKEN, Phone

#: Fields of the forms that show what changes before it is done.
ASKED = {"next_number", "guest"}
NEW = re.compile(r'(?<=value=")[^"]{36,}')
KEY = re.compile(r'name="key"(?: data-new)? value="([^"]+)"')


@pytest.fixture
def owner(phone: Phone) -> Phone:
    phone.start().record()
    return phone


@pytest.fixture
def looking(app: Flask, owner: Phone) -> tuple[Phone, Phone]:
    """Give two phones that may write, of which one has looked."""
    phones = owner.let_in(Phone(app)), owner.let_in(Phone(app))
    for phone in phones:
        phone.get("/")
    phones[0].get()
    return phones


def test_deals_of_an_evening_in_memory_are_not_read(
    app: Flask, looking: tuple[Phone, Phone]
) -> None:
    phone, head, present, whose, letters, names = (1,) * 6
    with app.app_context(), selects() as asked:
        page = looking[1].get()

    assert "Friday" in page.text
    assert len(asked) <= phone + head + present + whose + letters + names


def test_tokens_keys_notices_language_and_theme_are_each_phones_own(
    looking: tuple[Phone, Phone],
) -> None:
    looking[0].record(2)
    pages = [phone.get().text for phone in looking]
    looking[1].post("/language", {"language": "it", "next": "/"})
    looking[1].post("/theme", {"theme": "dark", "next": "/"})
    ours, theirs = (phone.get().text for phone in looking)

    keys = [set(KEY.findall(page)) for page in pages]
    assert all(keys)
    assert not keys[0] & keys[1]
    assert not set(TOKEN.findall(pages[0])) & set(TOKEN.findall(pages[1]))
    assert ["Undo deal 2" in page for page in pages] == [True, False]
    assert 'lang="en"' in ours
    assert 'lang="it"' in theirs
    assert 'base/dark.css">' in theirs


def test_after_each_write_pages_are_those_of_a_fresh_process(app: Flask, phone: Phone) -> None:
    phone.start(stake="1")
    phones = [phone, phone.let_in(Phone(app, **{"Accept-Language": "it"}), "player")]
    caches = [each for each in gc.get_objects() if isinstance(each, LRUCache)]
    sheet, seen = {**phone.deal(1), "card_points": "40"}, {"seen": "0", "reason": "No"}
    ada = re.findall(r"players/([0-9a-f-]{36})/", phone.get(f"{phone.circle_url}players/").text)[0]
    acts: list[tuple[str, dict[str, Any]]] = [
        ("record", phone.deal(1)),
        ("record", phone.deal(2)),
        ("deals/2/dispute", {"version": "1", **seen}),
        ("deals/1/amend", {**sheet, "version": "1", **seen}),
        (f"{phone.circle_url}players/{ada}/rename", {"name": "Zelda"}),
        (f"{phone.circle_url}players/{ada}/nickname", {"nickname": "Z"}),
        ("rules/change?rules=monte-5&from=1", {"reason": "As agreed"}),
        ("table", {"guest": ["Fulvia"]}),
        ("end", {}),
    ]
    before: list[list[str]] = []
    for path, form in acts:
        asked = phone.page(path).forms if "from" in path or path == "table" else []
        filled = (each.lists() for each in asked if dict(each.fields).keys() & ASKED)
        sent = next(filled, {}) | form
        answer = phone.post(path.partition("?")[0], sent)
        assert answer.status_code == 303, path
        phone.get(phone.circle_url)  # takes what is flashed
        with clock.at(clock.now()):  # an undo is offered for some seconds
            written = [_pages(each, ada) for each in phones]
            for cache in caches:
                cache.clear()
            assert written == [_pages(each, ada) for each in phones], path
        assert written != before, path
        before = written


def _pages(phone: Phone, player: str) -> list[str]:
    """Read what shows a session, without the tokens and keys that are new each time.

    A phone in another language reads only the session.
    """
    more = ("tv", "record", f"{phone.circle_url}deals/", f"{phone.circle_url}players/{player}/")
    return [NEW.sub("", phone.get(path).text) for path in ("", *(() if phone.headers else more))]


def test_least_used_goes_first() -> None:
    kept: LRUCache[int] = LRUCache(2, lambda _: 1)
    for key in ("a", "b", "a", "c"):
        kept.get(key, lambda: 1)

    assert kept.get("a", lambda: 2) == 1
    assert kept.get("b", lambda: 2) == 2
