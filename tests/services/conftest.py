"""Tests of the services run on SQLite, and on PostgreSQL too in `make test-all`.

Those whose result may depend on the engine are marked with `BOTH_ENGINES`: `make test` runs them on
both.
"""

import gc
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorer import storage
from scorer.services.base.caching import LRUCache
from scorer.storage import schema
from tests import databases
from tests.storage.conftest import POSTGRES, SQLITE, bare_app, leave_no_rows

BOTH_ENGINES = pytest.mark.parametrize("database_url", [SQLITE, POSTGRES], indirect=True)
LATER = pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.slow])


@pytest.fixture(scope="session")
def shared_postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """Give the URL of a PostgreSQL database with all tables, for one test after the other."""
    with databases.postgres_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(scope="session")
def shared_file(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the SQLite file of one test after the other, each of which begins with a new one."""
    path = tmp_path_factory.mktemp("services") / "scorer.sqlite"
    return Path(shutil.copy(sqlite_template, path))


@pytest.fixture
def first_content(sqlite_template: Path) -> Path:
    """Give the file that a test's SQLite database is copied from; a module may give another."""
    return sqlite_template


@pytest.fixture
def sqlite_url(shared_file: Path, first_content: Path) -> str:
    """Give the URL of a new SQLite database."""
    begin_anew(shared_file, first_content)
    return f"sqlite:///{shared_file}"


def begin_anew(file: Path, content: Path) -> None:
    """Put a copy of another database where nobody has one open."""
    for ending in ("", "-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)
    shutil.copy(content, file)


@pytest.fixture(params=[SQLITE, LATER])
def database_url(request: pytest.FixtureRequest) -> str:
    """Give the URL of a database with all tables and no rows."""
    kind = "sqlite_url" if request.param == SQLITE else "shared_postgres_url"
    url: str = request.getfixturevalue(kind)
    return url


@pytest.fixture(scope="session")
def sqlite_app(shared_file: Path) -> Flask:
    """Give the application that the tests on SQLite share: it compiles each statement once."""
    return bare_app(f"sqlite:///{shared_file}")


@pytest.fixture(scope="session")
def postgres_app(shared_postgres_url: str) -> Flask:
    """Give the application that the tests on PostgreSQL share."""
    return bare_app(shared_postgres_url)


@pytest.fixture(scope="session")
def caches() -> list[LRUCache[Any]]:
    """Give every cache of the process."""
    return [cache for cache in gc.get_objects() if type(cache) is LRUCache]


@pytest.fixture(autouse=True)
def app(
    database_url: str,
    caches: list[LRUCache[Any]],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Flask]:
    """Give an application that is nothing but its storage, inside its context.

    Nothing is cached yet: the evening that a test starts with may have been another test's.
    To read the schema is most of the work of `verify`: tests/storage/test_schema.py changes it.
    """
    for cache in caches:
        cache.clear()
    monkeypatch.setattr(schema, "differences", list)
    on_sqlite = database_url.startswith("sqlite")
    app: Flask = request.getfixturevalue("sqlite_app" if on_sqlite else "postgres_app")
    with app.app_context():
        yield app
        storage.db.session.rollback()
        if not on_sqlite:
            leave_no_rows()
        storage.db.engine.dispose()
