"""Backups: copied while others write, put back while nobody does, whole or not at all."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from scorer.storage import backups, migrate, queries
from scorer.storage.backups import BackupError, InUseError, back_up, restore
from scorer.storage.database import db
from scorer.storage.private_files import atomic_write
from tests.data.rows import rows as rows_of
from tests.storage.conftest import opened
from tests.storage.evenings import write_evening

HEADER = 100


@pytest.fixture
def database(sqlite_url: str) -> Path:
    return Path(make_url(sqlite_url).database or "")


def circles(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM circle").fetchone()
        return int(count)


def write(url: str, *marks: str) -> None:
    with opened(url):
        for mark in marks:
            write_evening(mark)


def drafts(folder: Path) -> list[Path]:
    return [file for file in folder.iterdir() if file.name.startswith(".")]


def test_a_backup_in_many_steps_is_of_the_moment_it_began(
    sqlite_url: str, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(sqlite_url, "before")
    left = []

    def between(_status: int, remaining: int, _total: int) -> None:
        left.append(remaining)
        if len(left) <= 3:
            write(sqlite_url, f"meanwhile {len(left)}")

    monkeypatch.setattr(backups, "AT_ONCE", 10)
    monkeypatch.setattr(backups, "_copied", between)
    back_up(database, tmp_path / "copy.sqlite")

    assert left == sorted(set(left), reverse=True)  # nothing was copied again
    assert len(left) > 3
    assert (circles(tmp_path / "copy.sqlite"), circles(database)) == (1, 4)


def test_a_backup_is_one_file_and_replaces_none(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    back_up(database, target)

    assert not Path(f"{target}-wal").exists()
    with pytest.raises(BackupError, match="already exists"):
        back_up(database, target)


def test_a_backup_of_nothing_or_of_a_damaged_file_is_refused(
    database: Path, tmp_path: Path
) -> None:
    with pytest.raises(BackupError, match="cannot copy"):
        back_up(tmp_path / "none.sqlite", tmp_path / "copy.sqlite")
    database.write_bytes(database.read_bytes()[:8192] + os.urandom(4096))
    with pytest.raises(BackupError):
        back_up(database, tmp_path / "copy.sqlite")
    assert not (tmp_path / "copy.sqlite").exists()
    assert not (tmp_path / "none.sqlite").exists()
    assert drafts(tmp_path) == []


def test_a_restored_database_is_as_it_was_and_the_other_is_kept(
    sqlite_url: str, database: Path, tmp_path: Path
) -> None:
    write(sqlite_url, "1 ")
    back_up(database, tmp_path / "copy.sqlite")
    write(sqlite_url, "2 ")
    database.chmod(0o640)

    kept, _ = restore(tmp_path / "copy.sqlite", database)

    assert kept is not None
    assert (circles(database), circles(kept)) == (1, 2)
    assert database.stat().st_mode & 0o777 == 0o640
    with opened(sqlite_url):
        assert len(queries.circle.circle_ids()) == 1
    assert drafts(tmp_path) == []


def test_keys_of_a_backup_come_back_and_leave_no_trace_in_the_database(
    database: Path, tmp_path: Path
) -> None:
    keys = ["the key of today" * 2, "the key of last year" * 2]
    back_up(database, tmp_path / "copy.sqlite", keys)

    _, restored = restore(tmp_path / "copy.sqlite", tmp_path / "new.sqlite")

    assert restored == keys
    assert keys[0].encode() in (tmp_path / "copy.sqlite").read_bytes()
    assert b"the key of" not in (tmp_path / "new.sqlite").read_bytes()
    with closing(sqlite3.connect(tmp_path / "new.sqlite")) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    assert backups.KEYS not in tables


def test_copies_before_migrations_are_rotated_and_no_others(
    database: Path, sqlite_url: str
) -> None:
    newest, at = str(migrate.newest()), "20251120T20300012345"
    copies = [database.with_name(f"scorer-{newest}-{at}{number}.sqlite") for number in range(6)]
    others = [
        database.with_name(f"{name}-{at}0.sqlite")
        for name in ("scorer-before", f"scorer-of-others-{newest}", f"other-{newest}")
    ]
    for file in (*copies, *others):
        file.touch()

    migrate.downgrade(sqlite_url, "-1")

    kept = set(database.parent.glob("*-2*.sqlite"))
    assert kept >= {*others, *copies[2:]}
    assert len(kept) == len(others) + migrate.COPIES


@pytest.mark.parametrize("rubbish", [b"", b"rubbish" * 1000, None])
def test_a_damaged_database_is_replaced_and_kept(
    rubbish: bytes | None, database: Path, tmp_path: Path
) -> None:
    back_up(database, tmp_path / "copy.sqlite")
    damaged = database.read_bytes()[:4096] if rubbish is None else rubbish
    database.write_bytes(damaged)
    Path(f"{database}-wal").write_bytes(b"left over")

    kept, _ = restore(tmp_path / "copy.sqlite", database)

    assert kept is not None
    assert circles(database) == 0
    assert kept.read_bytes() == damaged
    assert not Path(f"{database}-wal").exists()


@rows_of(__file__, "others")
def test_what_is_no_database_of_ours_is_not_restored(
    fault: str, told: str, database: Path, tmp_path: Path
) -> None:
    back_up(database, tmp_path / "copy.sqlite")
    before = database.read_bytes()[HEADER:]
    with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as connection:
        connection.execute(fault)
        connection.commit()

    with pytest.raises(BackupError, match=told):
        restore(tmp_path / "copy.sqlite", database)

    assert database.read_bytes()[HEADER:] == before
    assert drafts(tmp_path) == []


def test_a_damaged_backup_is_not_restored(database: Path, tmp_path: Path) -> None:
    back_up(database, tmp_path / "copy.sqlite")
    whole_copy = (tmp_path / "copy.sqlite").read_bytes()
    for damaged in (whole_copy[:8192] + os.urandom(4096) + whole_copy[12288:], b"rubbish", b""):
        (tmp_path / "copy.sqlite").write_bytes(damaged)
        with pytest.raises(BackupError):
            restore(tmp_path / "copy.sqlite", database)
    assert circles(database) == 0


def test_nothing_is_restored_while_a_server_has_the_database(
    sqlite_url: str, database: Path, tmp_path: Path
) -> None:
    back_up(database, tmp_path / "copy.sqlite")
    with backups.served(make_url(sqlite_url)), pytest.raises(InUseError, match="is in use"):
        restore(tmp_path / "copy.sqlite", database)
    with opened(sqlite_url):
        queries.circle.circle_ids()
        db.session.remove()
        with pytest.raises(InUseError, match="is in use"):
            restore(tmp_path / "copy.sqlite", database)
    restore(tmp_path / "copy.sqlite", database)


def test_two_servers_may_have_one_database_and_none_has_that_of_memory(sqlite_url: str) -> None:
    url = make_url(sqlite_url)
    database = Path(str(url.database))
    with backups.served(url), backups.served(url), pytest.raises(InUseError):
        restore(database, database)
    before = set(database.parent.iterdir())
    with backups.served(make_url("sqlite://")), backups.served(make_url("postgresql://x")):
        assert set(database.parent.iterdir()) == before


def test_a_file_that_cannot_be_finished_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("before", encoding="ascii")

    def fail() -> None:
        with atomic_write(tmp_path / "file") as draft:
            draft.write_text("half", encoding="ascii")
            raise OSError

    with pytest.raises(OSError):  # noqa: PT011  # any
        fail()

    assert [file.read_text(encoding="ascii") for file in tmp_path.iterdir()] == ["before"]
