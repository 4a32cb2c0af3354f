"""Backups of an SQLite database: made while a server writes, restored while none runs.

A server holds a lock beside the database for as long as it runs; any other program that has the
file open is found by SQLite's own locks. On PostgreSQL a server is known by its listeners.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from glob import escape
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from scorer.errors import ScorerError
from scorer.storage.changes import has_listener
from scorer.storage.engine import database_url, is_file, make_engine, sqlite_driver
from scorer.storage.migrate import is_known
from scorer.storage.private_files import MOMENT, atomic_write, hide, moment
from scorer.storage.processes import ProcessLock
from scorer.storage.transfer import report_progress
from scorer.texts import counted

#: The progress of SQLite's check of a copy, whose total is unknown.
STEPS = "million steps of the check"
#: Pages that are copied between two reports of progress.
AT_ONCE = 5_000
MAGIC = b"SQLite format 3\0"
#: The ends of the names of files that SQLite keeps beside a database.
BESIDE = ("-wal", "-shm", "-journal")
#: The tables of a backup with the keys that sign the cookies, and with the moment of the copy; a
#: database has no such tables.
KEYS, MADE = "backup_key", "backup_made"
#: The file of the instance folder with the moment of the last backup.
LAST = "last-backup"


class BackupError(ScorerError):
    """A file is not a sound backup, or there is nothing to back up."""


class InUseError(ScorerError):
    """The database is open in another program."""

    def __init__(self, database: Path | str) -> None:
        super().__init__(f"{database} is in use: stop the program that uses it first")


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database, by its first bytes."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def back_up(database: Path, target: Path, keys: Sequence[str] = ()) -> None:
    """Copy a database as it is at one moment, with the keys, and check the copy."""
    if target.exists():
        raise BackupError(f"{target} already exists")
    with atomic_write(target) as draft:
        made_at = datetime.now(UTC)
        _copy(database, draft)
        with closing(sqlite_driver().connect(draft)) as connection:
            for table, values in ((MADE, [made_at.isoformat()]), (KEYS, keys)):
                if values:
                    connection.execute(f"CREATE TABLE {table} (value TEXT NOT NULL)")
                    rows = [(value,) for value in values]
                    connection.executemany(f"INSERT INTO {table} VALUES (?)", rows)  # noqa: S608
            connection.commit()
        _check(draft, target)


def restore(source: Path, database: Path) -> tuple[Path | None, list[str]]:
    """Replace a database; return the copy made of the old one, if any, and the backup's keys."""
    with _locked(database), atomic_write(database) as draft:
        if database.exists():
            _end_log(database)  # or InUseError, where another program than a server has it open
        _copy(source, draft)
        _check(draft, source)
        keys = _take_keys(draft)
        if database.exists():
            shutil.copymode(database, draft)
            owner = database.stat()
            os.chown(draft, owner.st_uid, owner.st_gid)
        return _keep(database), keys


def made_at(source: Path) -> datetime:
    """Return the moment of a copy; of one that says none, when its file was written."""
    with closing(sqlite_driver().connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old:
        made = _values(old, MADE)
    return datetime.fromisoformat(made[0]) if made else written_at(source)


def written_at(file: Path) -> datetime:
    return datetime.fromtimestamp(file.stat().st_mtime, UTC)


def newest_entry(database: Path, tables: Sequence[str]) -> datetime | None:
    """Return when the newest row of the tables was written; raise BackupError."""
    driver = sqlite_driver()
    try:
        with closing(driver.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            newest = [
                at
                for table in tables
                for (at,) in opened.execute(f"SELECT max(at) FROM {table}")  # noqa: S608
                if at
            ]
    except driver.DatabaseError as error:
        raise BackupError(f"cannot read {database} ({error}): move it away first") from error
    return max((datetime.fromisoformat(at).replace(tzinfo=UTC) for at in newest), default=None)


def note_backup(instance: Path, at: datetime) -> None:
    with atomic_write(instance / LAST) as draft:
        draft.write_text(f"{at.isoformat()}\n", encoding="ascii")


def last_backup(instance: Path) -> datetime | None:
    """Read when the last backup was made; None if there was none."""
    with suppress(OSError, ValueError):
        return datetime.fromisoformat((instance / LAST).read_text(encoding="ascii").strip())
    return None


def _copy(source: Path, target: Path) -> None:
    """Copy a database into a single file, without a log beside it."""
    driver = sqlite_driver()
    try:
        with (
            closing(driver.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old,
            closing(driver.connect(target)) as new,
        ):
            old.execute("BEGIN")
            # From here on others' writes are unseen.
            old.execute("SELECT 1 FROM sqlite_schema").fetchone()
            old.backup(new, pages=AT_ONCE, progress=_copied)
            new.execute("PRAGMA journal_mode=DELETE")
    except driver.DatabaseError as error:
        raise BackupError(f"cannot copy {source}: {error}") from error


def _copied(_status: int, remaining: int, total: int) -> None:
    report_progress("pages", total - remaining, total)


def _take_keys(copy: Path) -> list[str]:
    """Move the keys out of a copy, overwriting them in the file, and drop its moment."""
    with closing(sqlite_driver().connect(copy)) as connection:
        keys = _values(connection, KEYS)
        connection.execute("PRAGMA secure_delete=ON").fetchall()
        for table in (KEYS, MADE):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
        connection.commit()
    return keys


def _values(connection: Any, table: str) -> list[str]:
    """Return the values of a table of a backup; none if it isn't there."""
    named = "SELECT 1 FROM sqlite_schema WHERE name = ?"
    if connection.execute(named, (table,)).fetchone() is None:
        return []
    rows = connection.execute(f"SELECT * FROM {table} ORDER BY rowid")  # noqa: S608
    return [str(value) for (value,) in rows]


def _check(copy: Path, name: Path) -> None:
    """Refuse a copy that is damaged, or of a revision that this version does not know."""
    driver, millions = sqlite_driver(), count(1)
    try:
        with closing(driver.connect(copy)) as connection:
            connection.set_progress_handler(
                lambda: report_progress(STEPS, next(millions)), 1_000_000
            )
            damages = [line for (line,) in connection.execute("PRAGMA integrity_check")]
            strays = connection.execute("PRAGMA foreign_key_check").fetchall()
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            report_progress(STEPS, 0)
    except driver.DatabaseError as error:
        raise BackupError(f"{name} is damaged, or not a database of Scorer: {error}") from error
    if damages != ["ok"] or strays:
        missing = f"{counted(len(strays), 'row')} with a reference to a missing row"
        what = damages[0] if damages != ["ok"] else missing
        raise BackupError(f"{name} is damaged: {what}")
    revision = str(row[0]) if row else ""
    if not is_known(revision):
        raise BackupError(f"{name} is at revision {revision}, which this version does not know")


def _keep(database: Path) -> Path | None:
    """Copy the old file to another name, and move the files that SQLite left beside it."""
    if not database.exists():
        return None
    kept = database.with_name(f"{database.stem}-before-{moment()}{database.suffix}")
    shutil.copy2(database, kept)
    for end in BESIDE:
        beside = Path(f"{database}{end}")
        if beside.exists():
            beside.replace(f"{kept}{end}")
    hide([kept, *(Path(f"{kept}{end}") for end in BESIDE)])
    return kept


def hide_data(instance: Path, text: str | URL) -> None:
    """Make the instance folder, its files, the database and its copies private to their owner.

    The folder of a database elsewhere, and its other files, stay as they are.
    """
    hide([instance, *instance.iterdir()])
    url = database_url(text)
    if is_file(url):
        database = Path(str(url.database))
        copies = f"{escape(database.stem)}-*-{MOMENT}{escape(database.suffix)}*"
        hide([database, *database.parent.glob(copies)])
        hide(Path(f"{database}{end}") for end in (*BESIDE, ".lock", ".serving"))


@contextmanager
def served(url: URL) -> Iterator[None]:
    """Hold the lock of a server while the block runs.

    The last server to end, but none of its forks, moves the log into the file.
    """
    if not is_file(url):
        yield
        return
    database, server = Path(str(url.database)), os.getpid()
    with _locked(database, shared=True):
        try:
            yield
        finally:
            if os.getpid() == server and database.exists():
                with suppress(InUseError):
                    _end_log(database)


@contextmanager
def unserved(text: str | URL) -> Iterator[None]:
    """Refuse a database that a server has open; none can open a file while the block runs."""
    url = database_url(text)
    if is_file(url):
        with _locked(Path(str(url.database))):
            yield
        return
    engine = make_engine(url)
    try:
        if engine.dialect.name == "postgresql" and has_listener(engine):
            raise InUseError(url.render_as_string())
    finally:
        engine.dispose()
    yield


@contextmanager
def _locked(database: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold the lock of the servers, which also ends with the process and its forks."""
    lock = ProcessLock(Path(f"{database}.serving"), shared=shared)
    if not lock.take():
        raise InUseError(database)
    try:
        yield
    finally:
        lock.release()


def _end_log(database: Path) -> None:
    """Move the log into the file, which SQLite does only for its sole user; skip a damaged file."""
    driver = sqlite_driver()
    try:
        with closing(driver.connect(database, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE").fetchall()
    except driver.OperationalError as error:
        if "locked" in str(error):
            raise InUseError(database) from error
    except driver.DatabaseError:
        return
