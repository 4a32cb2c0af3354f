"""Databases as 0.3 left them, from circles that it exported: a line a table, columns and rows."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import CHAR, Column, DateTime, MetaData, Uuid, insert, null

from scorer.storage import migrate
from scorer.storage.engine import make_engine

DATA = Path(__file__).parent / "data"
#: A circle with three web hooks, of which one was removed and one given up.
HOOKS = DATA / "circle_0_3.jsonl"
#: A circle with a deal of each kind that 0.3 paid otherwise.
FIGURES = DATA / "circle_0_3_figures.jsonl"


def write_past(url: str, file: Path) -> UUID:
    """Write a circle into new tables of its own revision; return its key."""
    heading, *lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    migrate.upgrade(url, heading["revision"])
    engine, tables = make_engine(url), MetaData()
    with engine.begin() as connection:
        tables.reflect(connection)
        for line in lines:
            ((name, (columns, *rows)),) = line.items()
            table = tables.tables[name]
            for row in rows:
                told = zip(columns, row, strict=True)
                values = {column: _stored(table.c[column], value) for column, value in told}
                connection.execute(insert(table).values(values))
    engine.dispose()
    return UUID(heading["circle_id"])


def _stored(column: Column[Any], value: Any) -> Any:
    """Return a value of JSON as its column takes it; SQLite has UUIDs as 32 letters."""
    if value is None:
        return null()
    match column.type:
        case DateTime():
            return datetime.fromisoformat(value)
        case Uuid():
            return UUID(value)
        case CHAR():
            return UUID(value).hex
    return value
