"""Engines: the settings that let several workers share an SQLite file, and what is said of them."""

import sqlite3
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event, text

from scorer import storage
from scorer.storage import db, in_transaction, queries
from scorer.storage import engine as engines
from tests.data.rows import rows
from tests.storage.conftest import bare_app, opened


@pytest.fixture
def on_sqlite(
    sqlite_url: str, pragmas: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Flask]:
    monkeypatch.setattr(engines, "PRAGMAS", pragmas)
    app = bare_app(sqlite_url)
    with app.app_context():
        yield app
        db.engine.dispose()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the databases that checkpoints were started for, and start none."""
    started: list[str] = []
    monkeypatch.setattr(engines, "start_checkpoints", lambda database, _: started.append(database))
    return started


def pragma(name: str) -> Any:
    return db.session.scalar(text(f"PRAGMA {name}"))


@pytest.mark.usefixtures("on_sqlite")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("busy_timeout", 200),
        ("mmap_size", 0),
    ],
)
def test_sqlite_is_set_to_be_shared_and_to_lose_nothing(name: str, value: Any) -> None:
    assert pragma(name) == value


@pytest.mark.usefixtures("on_sqlite")
def test_reading_begins_without_a_lock_and_writing_with_it() -> None:
    said: list[str] = []
    event.listen(db.engine, "before_cursor_execute", lambda *given: said.append(given[2]))
    queries.circle.circle_ids()
    assert db.session.connection().connection.in_transaction
    in_transaction(lambda: None)
    assert [one for one in said if one.startswith("BEGIN")] == ["BEGIN IMMEDIATE"]


@rows(__file__, "versions")
def test_the_versions_that_may_corrupt_a_shared_file(version: list[int], *, buggy: bool) -> None:
    assert engines.has_wal_bug((version[0], version[1], version[2])) is buggy


def test_the_newer_sqlite_is_taken_and_without_another_driver_that_of_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert engines.sqlite_driver().sqlite_version_info >= sqlite3.sqlite_version_info
    monkeypatch.setitem(sys.modules, "pysqlite3", None)
    assert engines.sqlite_driver() is sqlite3


@pytest.mark.parametrize("buggy", [False, True])
def test_only_a_sound_sqlite_makes_its_own_checkpoints(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, started: list[str], *, buggy: bool
) -> None:
    monkeypatch.setattr(engines, "has_wal_bug", lambda _: buggy)
    with opened(sqlite_url):
        assert pragma("wal_autocheckpoint") == (0 if buggy else 1000)
        assert bool(started) is buggy
        said = storage.database_mode().checkpoints
        assert said is (engines.Checkpoints.ONE_PROCESS if buggy else engines.Checkpoints.AUTOMATIC)


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("postgres://a@b/c", "postgresql+psycopg"),
        ("postgresql://a@b/c", "postgresql+psycopg"),
        ("postgresql+psycopg://a@b/c", "postgresql+psycopg"),
        ("sqlite:///c", "sqlite"),
    ],
)
def test_postgresql_is_reached_by_psycopg_3(given: str, driver: str) -> None:
    assert engines.database_url(given).drivername == driver
