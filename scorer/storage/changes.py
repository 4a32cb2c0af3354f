"""Messages between the processes of a server: what was written, and who is here.

They are lines. A line with only a circle says that something of it was written; other lines begin
with a circle. PostgreSQL carries them as notifications, with the commit of a transaction. On SQLite
the processes share a log in memory. Writes of commands, and of a worker killed before it could
report them, show in the number of commits (`data_version`).
"""

import logging
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from scorer.storage.database import db
from scorer.storage.engine import identity
from scorer.storage.processes import SharedLines

#: Instead of a circle: something may have been written anywhere.
ANYWHERE = "anywhere"
CHANNEL = "scorer_changes"
LISTEN = f"LISTEN {CHANNEL}"
#: Lines of a notification, whose limit is 8,000 bytes.
LINES = 40
#: Seconds between two looks into the log, between two at the commits of others, of one wait for
#: PostgreSQL, and until the next try when the database is away.
EVERY, COMMITS, PATIENCE, AGAIN = 0.05, 0.5, 1.0, 1.0
_TOUCHED = "scorer.touched"

log = logging.getLogger(__name__)


_lines = SharedLines()


def touch(circle_id: UUID) -> None:
    """Note that the current transaction writes rows of a circle."""
    db.session.info.setdefault(_TOUCHED, set()).add(circle_id)


def commit(session: Session) -> None:
    """Commit a transaction, and announce the circles that it touched."""
    lines = [str(circle_id) for circle_id in session.info.pop(_TOUCHED, ())]
    notifies = session.get_bind().dialect.name == "postgresql"
    if notifies:
        _notify(session, lines)
    session.commit()
    if not notifies:
        _lines.write(lines)


def tell(engine: Engine, lines: Sequence[str]) -> None:
    """Send lines at once, outside of any transaction."""
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            _notify(connection, lines)
    else:
        _lines.write(lines)


def _notify(connection: Connection | Session, lines: Sequence[str]) -> None:
    for first in range(0, len(lines), LINES):
        text = "\n".join(lines[first : first + LINES])
        connection.execute(select(func.pg_notify(CHANNEL, text)))


def watch(engine: Engine) -> Generator[Sequence[str]]:
    """Yield the new lines again and again, at first the one that stands for all circles.

    Without any an empty list comes at least about once a second, so that the caller can stop.
    """
    look = _listen if engine.dialect.name == "postgresql" else _poll
    driver_error: type[Exception] = engine.dialect.loaded_dbapi.Error
    while True:
        try:
            yield from look(engine)
        except (DBAPIError, driver_error, OSError) as error:
            log.warning("Nothing is heard of changes for now: %s", error)
            yield ()
            time.sleep(AGAIN)


def has_listener(engine: Engine) -> bool:
    """Whether a server listens to a PostgreSQL database, as each of its workers does."""
    listening = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = :said"
    )
    with engine.connect() as connection:
        return bool(connection.execute(listening, {"said": LISTEN}).scalar_one())


@contextmanager
def _connected(engine: Engine) -> Iterator[Any]:
    """Open a connection of the driver outside the pool."""
    connection = engine.raw_connection()
    connection.detach()
    try:
        yield connection.dbapi_connection
    finally:
        connection.close()


def _listen(engine: Engine) -> Iterator[Sequence[str]]:
    with _connected(engine) as connection:
        connection.autocommit = True
        connection.execute(LISTEN)
        yield [ANYWHERE]
        while True:
            notices = connection.notifies(timeout=PATIENCE, stop_after=1)
            yield [line for notice in notices for line in notice.payload.splitlines()]


def _poll(engine: Engine) -> Iterator[Sequence[str]]:
    """Read the log, and from time to time the number of commits, until the file is replaced."""
    with _connected(engine) as connection:
        file, place, commits, due = engine.url.database or "", _lines.end, None, 0.0
        opened = identity(file)
        while identity(file) == opened:
            read, place = _lines.read(place)
            lines = [ANYWHERE] if read is None else read
            if time.monotonic() >= due:
                before, commits = commits, connection.execute("PRAGMA data_version").fetchone()
                lines += [ANYWHERE] if commits != before else []
                due = time.monotonic() + COMMITS
            yield lines
            time.sleep(EVERY)
