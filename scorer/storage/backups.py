"""Backups of an SQLite database: copied while a server writes, put back while none does.

A server keeps a lock beside the database for as long as it runs; every other program that has the
file open is found by SQLite's own locks.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from glob import escape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.errors import ScorerError
from scorer.storage.engine import database_url, sqlite_driver
from scorer.storage.files import MOMENT, hide, moment, whole
from scorer.storage.migrate import is_known
from scorer.storage.progress import tell

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from sqlalchemy import URL

#: What is counted while SQLite looks whether a copy is sound: nobody knows of how many.
STEPS = "million steps of the check"
#: Pages that are copied before it is told how many are left.
AT_ONCE = 5_000
MAGIC = b"SQLite format 3\0"
#: What SQLite may keep beside a database.
BESIDE = ("-wal", "-shm", "-journal")
#: The table of a backup that holds the keys which sign the cookies; a database has none.
KEYS = "backup_key"


class BackupError(ScorerError):
    """A file is no sound backup, or there is nothing to back up."""


class InUseError(ScorerError):
    """Somebody has the database open."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was in a database's place is ``kept`` under that name; the keys lay in the backup."""

    kept: Path | None
    keys: list[str]


def is_database(path: Path) -> bool:
    """Say whether a file is an SQLite database, by its first bytes."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def back_up(database: Path, target: Path, keys: Sequence[str] = ()) -> None:
    """Copy a database as it is at one moment, whoever writes meanwhile; the copy is checked.

    The keys go into it beside the tables.
    """
    if target.exists():
        raise BackupError(f"there is a file {target} already")
    with whole(target) as draft:
        _copy(database, draft)
        _put_keys(draft, keys)
        _check(draft, target)


def restore(source: Path, database: Path) -> Restored:
    """Put a backup in the place of a database, which is kept; give the keys that lie in it."""
    with _alone(database), whole(database) as draft:
        _copy(source, draft)
        _check(draft, source)
        keys = _take_keys(draft)
        _take_after(draft, database)
        return Restored(_keep(database), keys)


def _copy(source: Path, target: Path) -> None:
    """Copy a database into one file that needs no log beside it."""
    driver = sqlite_driver()
    try:
        with (
            closing(driver.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old,
            closing(driver.connect(target)) as new,
        ):
            old.execute("BEGIN")
            old.execute("SELECT 1 FROM sqlite_schema").fetchone()  # what is written now comes later
            old.backup(new, pages=AT_ONCE, progress=_copied)
            new.execute("PRAGMA journal_mode=DELETE")
    except driver.DatabaseError as error:
        raise BackupError(f"{source} cannot be copied: {error}") from error


def _copied(_status: int, remaining: int, total: int) -> None:
    tell("pages", total - remaining, total)


def _put_keys(copy: Path, keys: Sequence[str]) -> None:
    if keys:
        with closing(sqlite_driver().connect(copy)) as connection:
            connection.execute(f"CREATE TABLE {KEYS} (key TEXT NOT NULL)")
            connection.executemany(f"INSERT INTO {KEYS} VALUES (?)", [(key,) for key in keys])  # noqa: S608
            connection.commit()


def _take_keys(copy: Path) -> list[str]:
    """Take the keys out of a copy, so that no trace of them stays in the database."""
    with closing(sqlite_driver().connect(copy)) as connection:
        named = "SELECT 1 FROM sqlite_schema WHERE name = ?"
        if connection.execute(named, (KEYS,)).fetchone() is None:
            return []
        keys = [str(key) for (key,) in connection.execute(f"SELECT key FROM {KEYS} ORDER BY rowid")]  # noqa: S608
        connection.execute("PRAGMA secure_delete=ON").fetchall()
        connection.execute(f"DROP TABLE {KEYS}")
        connection.commit()
    return keys


def _check(copy: Path, name: Path) -> None:
    """Refuse a copy that is damaged, or whose tables this version of the program doesn't know."""
    driver, millions = sqlite_driver(), count(1)
    try:
        with closing(driver.connect(copy)) as connection:
            connection.set_progress_handler(lambda: tell(STEPS, next(millions)), 1_000_000)
            damages = [line for (line,) in connection.execute("PRAGMA integrity_check")]
            strays = connection.execute("PRAGMA foreign_key_check").fetchall()
            revision = _revision(connection)
            tell(STEPS, 0)
    except driver.DatabaseError as error:
        raise BackupError(f"{name} is no sound database of scorer: {error}") from error
    if damages != ["ok"] or strays:
        what = damages[0] if damages != ["ok"] else f"{len(strays)} rows name a row that is gone"
        raise BackupError(f"{name} is damaged: {what}")
    if not is_known(revision):
        raise BackupError(f"{name} is at revision {revision}, which this version does not know")


def _revision(connection: sqlite3.Connection) -> str:
    (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
    return str(revision)


def _take_after(new: Path, old: Path) -> None:
    """Let the server that could read and write the old file do so with the new one."""
    if old.exists():
        shutil.copymode(old, new)
        owner = old.stat()
        os.chown(new, owner.st_uid, owner.st_gid)


def _keep(database: Path) -> Path | None:
    """Keep the old file under another name, with what SQLite left beside it."""
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
    """Let only the owner read the instance folder, what is in it, the database and its copies.

    A database may lie in a folder of somebody else's: that and its other files stay as they are.
    """
    hide([instance, *instance.iterdir()])
    url = database_url(text)
    if is_file(url):
        database = Path(str(url.database))
        copies = f"{escape(database.stem)}-*-{MOMENT}{escape(database.suffix)}*"
        hide([database, *database.parent.glob(copies)])
        hide(Path(f"{database}{end}") for end in (*BESIDE, ".lock", ".serving"))


def is_file(url: URL) -> bool:
    """Say whether a database is a file that programs share."""
    return url.get_backend_name() == "sqlite" and url.database not in {None, "", ":memory:"}


@contextmanager
def served(url: URL) -> Iterator[None]:
    """Let it be known, while the block runs, that a server has the database open.

    Whoever leaves it last brings its log into the file; the workers, which are forks, don't.
    """
    if not is_file(url):
        yield
        return
    database, server = Path(str(url.database)), os.getpid()
    with _locked(database, fcntl.LOCK_SH):
        try:
            yield
        finally:
            if os.getpid() == server and database.exists():
                with suppress(InUseError):
                    _end_log(database)


@contextmanager
def _alone(database: Path) -> Iterator[None]:
    """Be the only one who has the database, as far as that can be known; or raise InUseError."""
    with _locked(database, fcntl.LOCK_EX):
        if database.exists():
            _end_log(database)
        yield


@contextmanager
def _locked(database: Path, kind: int) -> Iterator[None]:
    """Hold the lock of the servers; it ends with the process, and its forks, at the latest."""
    with Path(f"{database}.serving").open("ab") as lock:
        try:
            fcntl.flock(lock, kind | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUseError(f"{database} is open: stop what is using it first") from error
        yield


def _end_log(database: Path) -> None:
    """Bring the log into the file, which SQLite does only for who is alone with it.

    A damaged file need not be brought anywhere: it is kept as it is.
    """
    driver = sqlite_driver()
    try:
        with closing(driver.connect(database, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE").fetchall()
    except driver.OperationalError as error:
        if "locked" in str(error):
            raise InUseError(f"{database} is open: stop what is using it first") from error
    except driver.DatabaseError:
        return
