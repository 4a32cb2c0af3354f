"""The page of a session is rendered once for all phones that see the same."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import event

from scorer import storage
from scorer.services.base.caching import LRUCache
from tests.web.phones import Phone

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
KEY = re.compile(r'name="key"(?: data-new)? value="([^"]+)"')


@contextmanager
def statements(app: Flask) -> Iterator[list[str]]:
    """List the statements of the block."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    with app.app_context():
        engine = storage.db.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)


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


def test_second_phone_costs_three_statements(app: Flask, looking: tuple[Phone, Phone]) -> None:
    with statements(app) as asked:
        page = looking[1].get()

    assert "Friday" in page.text
    assert len(asked) <= 3


def test_each_phone_has_its_own_token_and_keys(looking: tuple[Phone, Phone]) -> None:
    pages = [phone.get().text for phone in looking]

    keys = [set(KEY.findall(page)) for page in pages]
    assert all(keys)
    assert not keys[0] & keys[1]
    assert not set(TOKEN.findall(pages[0])) & set(TOKEN.findall(pages[1]))


def test_what_is_written_is_seen_by_all(looking: tuple[Phone, Phone], owner: Phone) -> None:
    owner.record(2)
    assert all("Record deal 3" in phone.get().text for phone in looking)

    owner.post("rename", {"title": "Saturday"})
    assert all("Saturday" in phone.get().text for phone in looking)


def test_renamed_player_has_the_new_name(looking: tuple[Phone, Phone], owner: Phone) -> None:
    ada = re.findall(r"players/([0-9a-f-]{36})/", owner.get(f"{owner.circle_url}players/").text)
    owner.post(f"{owner.circle_url}players/{ada[0]}/rename", {"name": "Zelda"})

    assert all("Zelda" in phone.get().text for phone in looking)


def test_who_may_less_is_offered_less(app: Flask, phone: Phone) -> None:
    phone.start()
    keeper, spectator = (phone.let_in(Phone(app), role) for role in ("scorekeeper", "spectator"))
    for each in (keeper, spectator):
        each.get("/")

    assert "Record deal 1" in keeper.get().text
    assert "Record deal 1" not in spectator.get().text


def test_what_was_done_just_now_is_said_to_that_phone_alone(
    looking: tuple[Phone, Phone],
) -> None:
    looking[0].record(2)

    assert "Undo deal 2" in looking[0].get().text
    assert "Undo deal 2" not in looking[1].get().text


def test_language_and_theme_are_each_phones_own(looking: tuple[Phone, Phone]) -> None:
    looking[1].post("/language", {"language": "it", "next": "/"})
    looking[1].post("/theme", {"theme": "dark", "next": "/"})

    assert 'lang="en"' in looking[0].get().text
    assert '<html lang="it" data-theme="dark">' in looking[1].get().text


def test_least_used_goes_first() -> None:
    kept: LRUCache[int] = LRUCache(2)
    for key in ("a", "b", "a", "c"):
        kept.get(key, lambda: 1)

    assert kept.get("a", lambda: 2) == 1
    assert kept.get("b", lambda: 2) == 2
