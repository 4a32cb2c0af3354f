"""Reading for a check: the database as it is at one moment, and whether its file is whole."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text

from scorer.storage.database import db
from scorer.storage.seals import is_broken

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
    """Say what is broken in an SQLite file; a PostgreSQL server looks after its own.

    The seal is looked at while this process has no connection to the file.
    """
    if db.engine.dialect.name != "sqlite":
        return
    db.session.close()
    db.engine.dispose()
    if is_broken(Path(db.engine.url.database or "")):
        yield "the file is not as it was left: it is damaged, or another program wrote to it"
    for line in db.session.scalars(text("PRAGMA integrity_check")):
        if line != SOUND:
            yield line
