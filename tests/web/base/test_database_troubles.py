"""A database in trouble: a sentence, the right status, reading goes on, no restart is needed."""

from collections.abc import Iterator
from contextvars import Context
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from sqlalchemy import event, make_url

from scorer.errors import NotFoundError
from scorer.storage import db
from tests.web.conftest import app_with
from tests.web.pages import Page
from tests.web.phones import JSON, Phone


@pytest.fixture
def app(sqlite_url: str) -> Iterator[Flask]:
    """Give an app with a database of its own, which a test may spoil."""
    with app_with(sqlite_url) as app:
        yield app


@pytest.fixture
def file(sqlite_url: str) -> Path:
    """Give the file of the app's database."""
    return Path(make_url(sqlite_url).database or "")


def full(connection: Any, *_: object) -> None:
    """Let there be no room for another page."""
    connection.execute("PRAGMA max_page_count=1")


def only_to_read(connection: Any, *_: object) -> None:
    """Let nothing be written."""
    connection.execute("PRAGMA query_only=ON")


@pytest.mark.parametrize(
    ("state", "status", "told"),
    [(full, 507, "The disk with the data is full"), (only_to_read, 503, "not written")],
)
def test_what_cannot_be_written_is_told_and_all_else_is_read(
    app: Flask, state: Any, status: int, told: str
) -> None:
    phone = Phone(app).start()
    with app.app_context():
        event.listen(db.engine, "connect", state)
        db.engine.dispose()

    page, number = phone.sent("record", phone.deal(1)), 1
    while page.status in {200, 303} and number < 400:
        number += 1
        page = Page(phone.record(number))
    for_a_program = phone.post("record", phone.deal(number), headers=JSON)

    assert (page.status, for_a_program.status_code) == (status, status)
    assert told in page.words
    assert told in for_a_program.get_json()["problems"][0]["message"]
    assert phone.get().status_code == 200
    with app.app_context():
        event.remove(db.engine, "connect", state)
        db.engine.dispose()
    assert phone.record(number).status_code == 303


def test_file_that_is_gone_or_damaged_is_told_and_a_sound_one_in_its_place_is_used(
    app: Flask, file: Path
) -> None:
    phone = Phone(app).start()
    with app.app_context():
        db.engine.dispose()
    backup = file.rename(file.with_name("backup"))

    assert phone.record().status_code == phone.get().status_code == 503
    assert phone.get("/rules/").status_code == 200
    assert not file.exists()
    file.write_bytes(b"rubbish" * 10_000)
    damaged = phone.page()
    assert (damaged.status, "damaged" in damaged.words) == (503, True)
    backup.rename(file)
    assert phone.get().status_code == 200
    assert phone.record().status_code == 303


def test_first_page_of_a_worker_is_told_in_the_readers_language(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer.storage.make_ready", Mock(side_effect=NotFoundError))
    headers = {"Accept-Language": "it"}

    answer = Context().run(app.test_client().get, "/", headers=headers)

    assert (answer.status_code, 'lang="it"' in answer.text) == (404, True)
