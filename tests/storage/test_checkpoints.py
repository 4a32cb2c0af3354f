"""Checkpoints by one process: the log goes into the file, and only one does the work."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorer.storage import engine
from scorer.storage.engine import Checkpointer


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "PERIOD", 0.01)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "scorer.sqlite"


@pytest.fixture
def writer(database: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("CREATE TABLE line (number INTEGER)")
        yield connection


def log_size(database: Path) -> int:
    return Path(f"{database}-wal").stat().st_size


def wait_for_empty_log(database: Path) -> None:
    deadline = time.monotonic() + 10
    while log_size(database) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert log_size(database) == 0


@pytest.mark.usefixtures("writer")
def test_the_log_goes_into_the_file(database: Path) -> None:
    assert log_size(database) > 0
    checkpointer = Checkpointer(database, sqlite3)
    checkpointer.start()
    wait_for_empty_log(database)
    checkpointer.stop()


def test_what_is_left_goes_into_the_file_at_the_end(
    database: Path, writer: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "PERIOD", 60)
    checkpointer = Checkpointer(database, sqlite3)
    checkpointer.start()
    writer.execute("INSERT INTO line VALUES (1)")
    assert log_size(database) > 0
    checkpointer.stop()
    assert log_size(database) == 0


def test_a_second_process_waits_until_the_first_has_ended(
    database: Path, writer: sqlite3.Connection
) -> None:
    first, second = Checkpointer(database, sqlite3), Checkpointer(database, sqlite3)
    first.start()
    wait_for_empty_log(database)
    assert not second._lock.take()
    second.start()
    first.stop()
    writer.execute("INSERT INTO line VALUES (1)")
    wait_for_empty_log(database)
    second.stop()


def test_a_failure_is_logged_and_the_work_goes_on(
    database: Path,
    writer: sqlite3.Connection,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "PATIENCE", 0)
    checkpointer = Checkpointer(database, sqlite3)
    with monkeypatch.context() as away:
        away.setattr(sqlite3, "connect", lambda *_, **__: writer.execute("nonsense"))
        checkpointer._work()
    assert "No checkpoint" in caplog.text
    checkpointer._work()
    assert log_size(database) == 0
    checkpointer._lock.release()


@pytest.mark.usefixtures("writer")
def test_a_process_starts_once_for_a_database(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running: dict[tuple[int, str], Checkpointer] = {}
    monkeypatch.setattr(engine, "_running", running)
    monkeypatch.setattr(engine, "has_wal_bug", lambda _: True)
    engine.start_checkpoints(str(database), sqlite3)
    engine.start_checkpoints(str(database), sqlite3)
    engine.make_engine("sqlite:///:memory:").connect().close()
    wait_for_empty_log(database)
    assert len(running) == 1
    for checkpointer in running.values():
        checkpointer.stop()


@pytest.mark.usefixtures("writer")
def test_a_fork_leaves_the_checkpoints_to_its_parent(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpointer = Checkpointer(database, sqlite3)
    with monkeypatch.context() as fork:
        fork.setattr(os, "getpid", lambda: 0)
        checkpointer._work()
    assert log_size(database) > 0
