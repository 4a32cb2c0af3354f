"""Tests of the services run on SQLite; those whose result may depend on the engine on both.

Every question to the database is asked of both engines by `tests/storage/test_queries.py`.
"""

import gc
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorer.services.base.caching import LRUCache
from scorer.storage import database
from tests.data.reading import read_here
from tests.databases import begin_anew
from tests.services.evenings import Evening, start
from tests.storage.conftest import POSTGRES, SQLITE

BOTH_ENGINES = pytest.mark.parametrize("database_url", [SQLITE, POSTGRES], indirect=True)


@pytest.fixture
def sqlite_url(shared_file: Path, sqlite_template: Path) -> str:
    """Give the URL of a new SQLite database."""
    return begin_anew(shared_file, sqlite_template)


@pytest.fixture(params=[SQLITE])
def database_url(request: pytest.FixtureRequest) -> str:
    """Give the URL of a database with all tables and no rows."""
    kind = "sqlite_url" if request.param == SQLITE else "shared_postgres_url"
    url: str = request.getfixturevalue(kind)
    return url


@pytest.fixture(autouse=True)
def readers_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files in this process."""
    read_here(monkeypatch)


@pytest.fixture(scope="session")
def caches() -> list[LRUCache[Any]]:
    """Give every cache of the process."""
    return [cache for cache in gc.get_objects() if type(cache) is LRUCache]


@pytest.fixture(autouse=True)
def app(caches: list[LRUCache[Any]], storage_app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """Give an application that is nothing but its storage, inside its context.

    Nothing is cached yet: the evening that a test starts with may have been another test's.
    To read the schema is most of the work of `verify`: tests/storage/test_schema.py changes it.
    """
    for cache in caches:
        cache.clear()
    monkeypatch.setattr(database, "differences", list)
    return storage_app


@pytest.fixture
def evening() -> Evening:
    """Start an evening of five by the classic rules; a module may start another one."""
    return start()
