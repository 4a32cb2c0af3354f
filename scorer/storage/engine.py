"""Engines: SQLite shared by several workers, and PostgreSQL by psycopg 3.

SQLite 3.7.0 to 3.51.2 has a bug that can corrupt a database in WAL mode when several connections
checkpoint and commit at the same time. With such a library no connection checkpoints by itself;
one process does it for all (`Checkpointer`). Every process that opens the database starts a thread;
the one that holds the lock file makes the checkpoints. When that process ends, another takes over.
"""

import atexit
import logging
import os
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass
from enum import Enum, StrEnum
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, DisconnectionError, InterfaceError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from scorer.documents import decode
from scorer.storage.processes import ProcessLock

Version = tuple[int, int, int]

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL")
#: Milliseconds that SQLite waits for a lock. In a server all greenlets of the worker wait with it,
#: so there it gives up soon, and `in_transaction` sleeps and tries again.
BUSY, BUSY_SERVER = 10_000, 200
#: Connections of a worker to PostgreSQL, whose default is 100 for all clients.
CONNECTIONS = 10
CORRUPT = 11
FIRST_WITH_WAL: Version = (3, 7, 0)
FIRST_SOUND: Version = (3, 51, 3)
SOUND_IN_BRANCH: dict[tuple[int, int], Version] = {(3, 50): (3, 50, 7), (3, 44): (3, 44, 6)}


class Checkpoints(StrEnum):
    """Who moves commits from the log (WAL) into the database file."""

    AUTOMATIC = "automatic"
    ONE_PROCESS = "one process"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Mode:
    """The engine that keeps the data, its version, and who makes its checkpoints."""

    engine: str
    version: str
    driver: str
    checkpoints: Checkpoints


#: Seconds between two checkpoints, and those that one waits for a lock.
PERIOD, PATIENCE = 2.0, 1.0

log = logging.getLogger(__name__)


class Checkpointer:
    """The thread that checkpoints one database while its process holds the lock."""

    def __init__(self, database: Path, driver: ModuleType) -> None:
        self._database = database
        self._log = Path(f"{database}-wal")
        self._driver = driver
        self._lock = ProcessLock(Path(f"{database}.lock"))
        self._ended = threading.Event()
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)

    def start(self) -> None:
        """Run until the process ends."""
        atexit.register(self.stop)
        self._thread.start()

    def stop(self) -> None:
        """Make a last checkpoint and let another process take over."""
        atexit.unregister(self.stop)
        self._ended.set()
        self._thread.join()
        self._lock.release()

    def _run(self) -> None:
        while not self._ended.wait(PERIOD):
            self._work()
        self._work()

    def _work(self) -> None:
        """Make a checkpoint, but not in a fork that has inherited the greenlet of this thread."""
        if os.getpid() != self._process:
            return
        try:
            if self._lock.take() and self._log.exists() and self._log.stat().st_size > 0:
                with closing(self._driver.connect(self._database, timeout=PATIENCE)) as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except (self._driver.Error, OSError) as error:
            log.warning("No checkpoint of %s now: %s", self._database, error)


_running: dict[tuple[int, str], Checkpointer] = {}
_starting = threading.Lock()


def start_checkpoints(database: str, driver: ModuleType) -> None:
    """Start the thread of this process that checkpoints a database, once."""
    with _starting:
        key = (os.getpid(), database)
        if key not in _running:
            _running[key] = Checkpointer(Path(database), driver)
            _running[key].start()


def database_url(text: str | URL) -> URL:
    """Parse a database URL; for PostgreSQL the driver is psycopg 3."""
    url = make_url(text)
    if url.drivername in {"postgres", "postgresql"}:
        return url.set(drivername="postgresql+psycopg")
    return url


def is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite" and url.database not in {None, "", ":memory:"}


def make_engine(text: str | URL, *, foreign_keys: bool = True) -> Engine:
    """Make an engine outside of the application; foreign keys are off only for migrations."""
    url = database_url(text)
    engine = create_engine(url, **engine_options(url))
    prepare(engine, foreign_keys=foreign_keys)
    return engine


def engine_options(url: URL) -> dict[str, Any]:
    """Return the arguments of `create_engine` besides the URL."""
    # Logs hold no names of people.
    options: dict[str, Any] = {"hide_parameters": True, "json_deserializer": decode}
    if url.get_backend_name() == "sqlite":
        return {**options, "module": sqlite_driver()}
    return {**options, "pool_pre_ping": True, "pool_size": CONNECTIONS, "max_overflow": 0}


def prepare(engine: Engine, *, foreign_keys: bool = True, watched: bool = False) -> None:
    """Set up an SQLite engine so that several processes can share the file.

    The engine of a server is ``watched``: it never creates a file, and notices a replaced one.
    """
    if engine.dialect.name != "sqlite":
        return
    file = str(engine.url.database) if is_file(engine.url) else ""
    automatic = not has_wal_bug(sqlite_driver().sqlite_version_info)
    pragmas = [f"busy_timeout={BUSY_SERVER if watched else BUSY}", *PRAGMAS]
    pragmas += [f"foreign_keys={'ON' if foreign_keys else 'OFF'}"]
    pragmas += [] if automatic else ["wal_autocheckpoint=0"]

    def connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        try:
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}").close()
        except UnicodeDecodeError as error:  # a message about the file may quote any bytes of it
            damaged = sqlite_driver().DatabaseError("the schema in the file is damaged")
            damaged.sqlite_errorcode = CORRUPT
            raise damaged from error
        if file and not automatic:
            start_checkpoints(file, sqlite_driver())

    event.listen(engine, "connect", connected)
    # A listener of the engine, as SQLAlchemy's manual has it, would slow down every statement.
    engine.dialect.do_begin = _begin  # type: ignore[method-assign]  # the same, for one dialect
    event.listen(engine, "reset", _end)
    if watched and file:
        _watch(engine, file)


def _watch(engine: Engine, file: str) -> None:
    """Check at every use that the file is still the one that was opened.

    A connection to a file that was moved or replaced would continue to write to the old one; a new
    connection would create an empty file, and delete the log of the one that was moved.
    """

    def connecting(*_: object) -> None:
        if identity(file) is None:
            raise sqlite_driver().OperationalError(f"{file} does not exist")

    def connected(_connection: object, record: ConnectionPoolEntry) -> None:
        record.info["file"] = identity(file)

    def used(_connection: object, record: ConnectionPoolEntry, _: object) -> None:
        if identity(file) != record.info["file"]:
            raise DisconnectionError

    event.listen(engine, "do_connect", connecting)
    event.listen(engine, "connect", connected)
    event.listen(engine, "checkout", used)


def identity(file: str) -> tuple[int, int] | None:
    """Return the device and the inode of a file; None when it is gone."""
    try:
        status = os.stat(file)  # noqa: PTH116  # asked at every use: a third of the time of a Path
    except OSError:
        return None
    return status.st_dev, status.st_ino


def has_same_file(connection: Connection) -> bool:
    """Whether a connection of SQLite is to the file that is there now, if it is watched."""
    opened = connection.info.get("file")
    return opened is None or identity(str(connection.engine.url.database)) == opened


def _begin(dbapi_connection: Any) -> None:
    dbapi_connection.execute("BEGIN")  # Python's driver begins nothing before a SELECT


def begin_writing(connection: Connection) -> None:
    """End what SQLite has read in the transaction, and begin again with its write lock."""
    if connection.dialect.name == "sqlite":
        connection.connection.rollback()
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _end(connection: sqlite3.Connection | None, *_: object) -> None:
    """Roll back what a failed commit left open with its lock; SQLAlchemy believes it has ended."""
    if connection is not None and connection.in_transaction:
        connection.rollback()


def sqlite_driver() -> ModuleType:
    """Return the driver with the newer SQLite: pysqlite3, if it is installed, or Python's own."""
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        return sqlite3
    newer: ModuleType = dbapi2
    return newer if newer.sqlite_version_info > sqlite3.sqlite_version_info else sqlite3


def has_wal_bug(version: Version) -> bool:
    """Whether this SQLite may corrupt a database that several connections checkpoint."""
    sound = SOUND_IN_BRANCH.get(version[:2], FIRST_SOUND)
    return FIRST_WITH_WAL <= version < sound


def mode(engine: Engine) -> Mode:
    with engine.connect() as connection:
        version = connection.dialect.server_version_info or ()
    driver = engine.dialect.driver
    if engine.dialect.name != "sqlite":
        who = Checkpoints.SERVER
    else:
        driver = sqlite_driver().__name__.partition(".")[0]
        buggy = has_wal_bug(sqlite_driver().sqlite_version_info)
        who = Checkpoints.ONE_PROCESS if buggy else Checkpoints.AUTOMATIC
    return Mode(engine.dialect.name, ".".join(map(str, version)), driver, who)


class Trouble(Enum):
    """Why a statement failed that was itself correct."""

    #: Another transaction at the same moment: another try may succeed.
    BUSY = "busy"
    FULL = "no room"
    READ_ONLY = "read only"
    DAMAGED = "damaged"
    AWAY = "away"


#: By the primary result code of SQLite, and by the SQLSTATE of PostgreSQL.
SQLITE_TROUBLES = {
    5: Trouble.BUSY,
    8: Trouble.READ_ONLY,
    11: Trouble.DAMAGED,
    13: Trouble.FULL,
    26: Trouble.DAMAGED,
}
POSTGRES_TROUBLES = {
    "40001": Trouble.BUSY,
    "40P01": Trouble.BUSY,
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "XX001": Trouble.DAMAGED,
    "XX002": Trouble.DAMAGED,
}


def trouble(error: DBAPIError) -> Trouble | None:
    """Return the reason of a failure; None when the statement itself was wrong."""
    primary_code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    trouble = SQLITE_TROUBLES.get(primary_code) or POSTGRES_TROUBLES.get(
        getattr(error.orig, "sqlstate", None) or ""
    )
    if trouble is None and isinstance(error, OperationalError | InterfaceError):
        return Trouble.AWAY
    return trouble
