"""Reading for a check: the database as it is at one moment, and whether its file is whole."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import text

from scorer.storage.database import db

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A transaction of SQLite sees one moment anyway, and naming a level would let its driver BEGIN.
OPTIONS = {"sqlite": {}, "postgresql": {"isolation_level": "REPEATABLE READ"}}
SOUND = "ok"


@contextmanager
def one_moment() -> Iterator[None]:
    """Let every question of the block see the same moment, whoever writes meanwhile."""
    db.session.close()
    db.session.connection(execution_options=OPTIONS[db.engine.dialect.name])
    try:
        yield
    finally:
        db.session.close()


def damages() -> Iterator[str]:
    """List what SQLite's integrity check finds in its file; a PostgreSQL server checks its own."""
    if db.engine.dialect.name != "sqlite":
        return
    for line in db.session.scalars(text("PRAGMA integrity_check")):
        if line != SOUND:
            yield line
