"""Rows as JSON values, which move from one database to another, and the progress of long work.

Commands report the progress on a terminal.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from operator import length_hint
from typing import Any, TypeVar
from uuid import UUID

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from scorer.roles import Role
from scorer.storage.database import db
from scorer.storage.models import Base, SpokenCode, plain

#: Takes what is counted, how many are done, and the total, or 0 where it is unknown.
Watch = Callable[[str, int, int], None]
Item = TypeVar("Item")

#: How many rows are in memory at once, and how many of a table with photos.
AT_ONCE, LARGE_AT_ONCE = 500, 4
#: The collation by code points, which is the same on every engine and machine.
COLLATIONS = {"sqlite": "BINARY", "postgresql": "C"}
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


def tables() -> dict[str, sa.Table]:
    """Return the tables with rows of a circle, each after those that it refers to.

    Spoken codes are left out: they are valid for minutes, on this server.
    """
    ordered = Base.metadata.sorted_tables
    kept = (table for table in ordered if table.name != SpokenCode.__tablename__)
    return {table.name: table for table in kept if "circle_id" in table.c}


def at_once(table: sa.Table) -> int:
    """Return how many rows of a table are read or written at once."""
    large = any(isinstance(column.type, sa.LargeBinary) for column in table.c)
    return LARGE_AT_ONCE if large else AT_ONCE


def rows_of(circle_id: UUID) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every row of a circle with its table, always in the same order."""
    collation = COLLATIONS[db.engine.dialect.name]
    for name, table in tables().items():
        order = (
            sa.collate(column, collation) if isinstance(column.type, sa.String) else column
            for column in table.primary_key
        )
        of_circle = sa.select(table).where(table.c.circle_id == circle_id).order_by(*order)
        result = db.session.execute(of_circle, execution_options={"yield_per": at_once(table)})
        for row in result.mappings():
            yield name, {column: plain(value) for column, value in row.items()}


def row_count(circle_id: UUID) -> int:
    counts = (
        sa.select(sa.func.count()).select_from(table).where(table.c.circle_id == circle_id)
        for table in tables().values()
    )
    return sum(db.session.execute(count).scalar_one() for count in counts)


def unreadable() -> Iterator[str]:
    """Describe the first invalid row of each table that has one."""
    for name, table in track_progress("tables", Base.metadata.tables.items()):
        try:
            of_all = {"yield_per": at_once(table)}
            for row in db.session.execute(sa.select(table), execution_options=of_all):
                for column, value in zip(table.c, row, strict=True):
                    _check(column, value)
        except (AttributeError, LookupError, TypeError, ValueError, SQLAlchemyError) as error:
            yield f"a row of {name} cannot be read: {error!r}"


def read_row(table: sa.Table, data: Mapping[str, Any]) -> dict[str, Any]:
    """Read a row that `rows_of` gave; raise ValueError with the names of wrong columns."""
    if data.keys() != set(table.c.keys()):
        odd = sorted(data.keys() ^ set(table.c.keys()))
        raise ValueError(", ".join(odd))
    read = dict(data)
    for column in table.c:
        name, value, kind = column.name, data[column.name], column.type.python_type
        if value is not None and kind not in {bool, int, str, dict, list}:
            try:
                read[name] = msgspec.convert(value, kind)  # JSON has it as text
            except (msgspec.ValidationError, UnicodeError) as error:
                raise ValueError(name) from error
            if plain(read[name]) != value:
                raise ValueError(name)
        _check(column, read[name])
    return read


def _check(column: sa.Column[Any], value: Any) -> None:
    """Raise ValueError unless a value may stand in a column."""
    if isinstance(column.type, sa.JSON):
        return
    valid = type(value) is column.type.python_type or isinstance(value, Role)
    if value is None:
        valid = bool(column.nullable)
    elif isinstance(value, str):  # PostgreSQL stores no NUL, and UTF-8 has no surrogates
        valid = valid and not UNSTORABLE.search(value)
    elif isinstance(value, int):
        bits = 63 if isinstance(column.type, sa.BigInteger) else 31
        valid = valid and -(2**bits) <= value < 2**bits
    if not valid:
        raise ValueError(column.name)


def insert_rows(table: sa.Table, rows: list[dict[str, Any]]) -> None:
    db.session.execute(sa.insert(table), rows)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Report the progress of the work in the block to ``watch``."""
    before = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(before)


def report_progress(what: str, done: int, total: int = 0) -> None:
    """Report how much of some long work is done."""
    if watch := _watch.get():
        watch(what, done, total)


def track_progress(
    what: str, items: Iterable[Item], count: Callable[[], int] | None = None
) -> Iterator[Item]:
    """Yield the items and report how many are done; a single item reports its own progress.

    ``count`` gives the number of items that have no length.
    """
    watch = _watch.get()
    if watch is None or (total := count() if count else length_hint(items)) == 1:
        yield from items
        return
    _watch.set(None)
    try:
        for number, item in enumerate(items):
            watch(what, number, total)
            yield item
    finally:
        _watch.set(watch)
        watch(what, total, total)
