"""Whether each statement that is executed holds all of its tables to a circle."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from scorer.storage.models import Base

TABLES = {name for name, table in Base.metadata.tables.items() if "circle_id" in table.c}
#: The tables that are read before the circle is known.
BEFORE_A_CIRCLE = {"link_secret", "spoken_code"}
NAMED = re.compile(r"\b(?:FROM|JOIN|UPDATE|,) (\w+)(?: AS (\w+))?|, (\w+)")
OF_A_CIRCLE = re.compile(r"\b(\w+)\.circle_id (?:= [?%]|IN \()")
SAME_CIRCLE = re.compile(r"\b(\w+)\.circle_id = (\w+)\.circle_id\b")


def unscoped(statement: str) -> set[str]:
    """List the tables of a statement whose rows no condition holds to a circle that is given."""
    words = " ".join(statement.split())
    read = {
        alias or name or other
        for name, alias, other in NAMED.findall(words)
        if (name or other) in TABLES
    }
    held = BEFORE_A_CIRCLE | set(OF_A_CIRCLE.findall(words))
    pairs = SAME_CIRCLE.findall(words)
    while more := {name for pair in pairs if held & {*pair} for name in pair} - held:
        held |= more
    return read - held


@contextmanager
def watched(engine: Engine) -> Iterator[set[str]]:
    """Collect the statements that an engine executes in the block and that are of any circle."""
    found: set[str] = set()

    def look(_c: object, _cursor: object, statement: str, *_: Any) -> None:
        if not statement.startswith("INSERT") and unscoped(statement):
            found.add(f"{sorted(unscoped(statement))}: {' '.join(statement.split())}")

    event.listen(engine, "before_cursor_execute", look)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", look)
