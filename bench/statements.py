"""How many SQL statements a page and a write take, BEGIN and COMMIT aside."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from flask import Flask
from sqlalchemy import event

from bench import evenings
from bench.evenings import Evening
from bench.pages import CHART, PAGE, RECORD, SHEET, TOKEN
from scorer.storage import db


def statements(app: Flask, evening: Evening) -> dict[str, int]:
    """Count them by asking without a server."""
    client = app.test_client()
    for name, value in evenings.cookies(app, [evening]).items():
        client.set_cookie(name, value)
    size, counted = evening.size, dict[str, int]()
    with _counting() as found:
        page = client.get(evening.path)
    counted[PAGE.format(size)] = len(found)
    (token, *_) = TOKEN.findall(page.data)
    form = SHEET | {"key": str(uuid4()), "number": size + 1, "csrf_token": token.decode()}
    with _counting() as found:
        client.post(f"{evening.path}record", data=form)
    counted[RECORD.format(size)] = len(found)
    evenings.take_back(evening)
    with _counting() as found:
        client.get(f"{evening.path}chart.svg")
    counted[CHART.format(size)] = len(found)
    return counted


@contextmanager
def _counting() -> Iterator[list[str]]:
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not statement.startswith("BEGIN"):
            found.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    yield found
    event.remove(db.engine, "before_cursor_execute", note)
