"""How a process learns what others have written: PostgreSQL notifies it, SQLite is polled.

On PostgreSQL a write transaction notifies of its circles when it commits. SQLite counts the commits
of other connections (`data_version`): one connection of the process reads that number.
"""

import logging
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from scorer.storage.database import db
from scorer.storage.engine import identity

Changed = frozenset[UUID] | None

CHANNEL = "scorer_changes"
#: Seconds between two polls of SQLite, of one wait for PostgreSQL, and until the next try when the
#: database is away.
EVERY, PATIENCE, AGAIN = 0.05, 1.0, 1.0
NOTHING: frozenset[UUID] = frozenset()
_TOUCHED = "scorer.touched"

log = logging.getLogger(__name__)


def touch(circle_id: UUID) -> None:
    """Mark that the current transaction writes something of a circle."""
    db.session.info.setdefault(_TOUCHED, set()).add(circle_id)


def announce(session: Session) -> None:
    """Notify of the touched circles; PostgreSQL sends it with the commit that follows."""
    touched = session.info.pop(_TOUCHED, ())
    if session.get_bind().dialect.name == "postgresql":
        for circle_id in touched:
            session.execute(select(func.pg_notify(CHANNEL, str(circle_id))))


def forget(session: Session) -> None:
    """Forget the touched circles of a transaction that is over."""
    session.info.pop(_TOUCHED, None)


def watch(engine: Engine) -> Generator[Changed]:
    """Yield the circles in which something was written, again and again; None may be any of them.

    Without changes an empty set comes at least about once a second, so that the caller can stop.
    """
    look = _listen if engine.dialect.name == "postgresql" else _poll
    driver_error: type[Exception] = engine.dialect.loaded_dbapi.Error
    while True:
        try:
            yield from look(engine)
        except (DBAPIError, driver_error, OSError) as error:
            log.warning("Nothing is heard of changes for now: %s", error)
            yield NOTHING
            time.sleep(AGAIN)


@contextmanager
def _connected(engine: Engine) -> Iterator[Any]:
    """Open a connection of the driver outside the pool."""
    connection = engine.raw_connection()
    connection.detach()
    try:
        yield connection.dbapi_connection
    finally:
        connection.close()


def _listen(engine: Engine) -> Iterator[Changed]:
    with _connected(engine) as connection:
        connection.autocommit = True
        connection.execute(f"LISTEN {CHANNEL}")
        yield None
        while True:
            notices = connection.notifies(timeout=PATIENCE, stop_after=1)
            yield frozenset(UUID(notice.payload) for notice in notices)


def _poll(engine: Engine) -> Iterator[Changed]:
    """Poll the number of commits until the file is replaced."""
    with _connected(engine) as connection:
        file, commits = engine.url.database or "", None
        opened = identity(file)
        while identity(file) == opened:
            before, commits = commits, connection.execute("PRAGMA data_version").fetchone()
            yield NOTHING if commits == before else None
            time.sleep(EVERY)
