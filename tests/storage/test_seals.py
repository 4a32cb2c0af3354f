"""The seal of a file: there while nobody writes, gone with the first write, wrong after damage."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import make_url

from scorer.storage import in_transaction, migrate, seal, served
from scorer.storage.backups import BackupError, back_up, restore
from scorer.storage.database import db
from scorer.storage.engine import sqlite_driver
from scorer.storage.seals import UNSEALED, is_broken
from scorer.storage.snapshots import damages
from tests.storage.conftest import bare_app
from tests.storage.evenings import write_evening

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = 100


@pytest.fixture
def database(sqlite_url: str) -> Path:
    """Give a file with some rows that the last one has left."""
    write(sqlite_url, "1 ")
    seal(sqlite_url)
    return Path(make_url(sqlite_url).database or "")


@pytest.fixture
def reader(sqlite_url: str) -> Iterator[sqlite3.Connection]:
    """Have the file open by the same library, in the same process, as its locks demand."""
    driver = sqlite_driver()
    with closing(driver.connect(make_url(sqlite_url).database)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("SELECT count(*) FROM circle").fetchone()
        yield connection


def write(url: str, mark: str) -> None:
    with bare_app(url).app_context():
        write_evening(mark)
        db.engine.dispose()


def seal_of(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        return int(found)


def leave_room(database: Path) -> None:
    """Leave pages at the end that nothing uses."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE dropped AS SELECT zeroblob(50000) AS content")
        connection.execute("DROP TABLE dropped")
        connection.execute(f"PRAGMA user_version={UNSEALED}")


def scratch(database: Path) -> None:
    with database.open("r+b") as file:
        file.seek(-512, os.SEEK_END)
        file.write(b"rubbish")


def found(url: str) -> list[str]:
    with bare_app(url).app_context():
        try:
            return list(damages())
        finally:
            db.session.remove()
            db.engine.dispose()


def test_every_byte_that_changes_is_found(database: Path, sqlite_url: str) -> None:
    whole, chance = database.read_bytes(), random.Random(1)
    assert found(sqlite_url) == []
    for place in [HEADER, len(whole) - 1, *chance.sample(range(HEADER, len(whole)), 200)]:
        database.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert is_broken(database), place
    database.write_bytes(whole + b"\0")
    assert is_broken(database)


def test_damage_to_what_nobody_uses_is_said(database: Path, sqlite_url: str) -> None:
    leave_room(database)
    seal(sqlite_url)
    assert found(sqlite_url) == []

    scratch(database)

    assert found(sqlite_url) == [
        "the file is not as it was left: it is damaged, or another program wrote to it"
    ]


def test_what_was_changed_by_hand_is_found(database: Path, sqlite_url: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE circle SET name = 'Another name'")
        connection.commit()

    assert len(found(sqlite_url)) == 1


def test_the_first_write_takes_the_seal_away_and_its_failure_leaves_it(
    database: Path, sqlite_url: str
) -> None:
    sealed = seal_of(database)

    def fail() -> None:
        raise RuntimeError

    with bare_app(sqlite_url).app_context():
        with pytest.raises(RuntimeError):
            in_transaction(fail)
        db.engine.dispose()
    assert seal_of(database) == sealed != UNSEALED

    write(sqlite_url, "2 ")
    assert seal_of(database) == UNSEALED
    assert found(sqlite_url) == []

    seal(sqlite_url)
    assert seal_of(database) not in {UNSEALED, sealed}
    assert found(sqlite_url) == []


def test_a_migration_takes_the_seal_away(database: Path, sqlite_url: str) -> None:
    migrate.downgrade(sqlite_url, "-1")
    assert seal_of(database) == UNSEALED


def test_opening_reading_and_copying_leave_the_seal_right(
    database: Path, sqlite_url: str, tmp_path: Path
) -> None:
    for _ in range(2):
        assert found(sqlite_url) == []
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(tmp_path / "1")) as new:
        old.backup(new)
    shutil.copy(database, tmp_path / "2")

    for copy in (database, tmp_path / "1", tmp_path / "2"):
        assert seal_of(copy) != UNSEALED
        assert not is_broken(copy)


def test_nothing_is_sealed_that_somebody_has_open(
    database: Path, sqlite_url: str, reader: sqlite3.Connection
) -> None:
    write(sqlite_url, "2 ")
    seal(sqlite_url)
    assert seal_of(database) == UNSEALED
    reader.close()

    with served(make_url(sqlite_url)):
        seal(sqlite_url)
        assert seal_of(database) == UNSEALED
    seal(sqlite_url)
    assert seal_of(database) != UNSEALED


def test_there_is_nothing_to_compare_while_somebody_writes(
    database: Path, sqlite_url: str, reader: sqlite3.Connection
) -> None:
    whole = database.read_bytes()
    write(sqlite_url, "2 ")
    assert Path(f"{database}-wal").stat().st_size
    database.write_bytes(whole[:-1] + b"\1")

    assert not is_broken(database)
    reader.close()


@pytest.mark.parametrize("url", ["sqlite://", "postgresql://x/y", "sqlite:////nowhere/x.sqlite"])
def test_what_is_no_file_is_not_sealed(url: str) -> None:
    seal(url)
    assert not is_broken(Path(make_url(url).database or ""))


def test_a_backup_is_sealed_and_a_damaged_one_is_not_restored(
    sqlite_url: str, database: Path, tmp_path: Path
) -> None:
    leave_room(database)
    copy = tmp_path / "copy.sqlite"
    back_up(database, copy)
    assert seal_of(copy) != UNSEALED
    assert not is_broken(copy)
    restore(copy, database)
    assert seal_of(database) == seal_of(copy)
    assert found(sqlite_url) == []

    scratch(copy)

    with pytest.raises(BackupError, match="not what was written"):
        restore(copy, database)
