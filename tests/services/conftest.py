"""Tests of the services run on SQLite, and on PostgreSQL too in `make test-all`.

Those whose result may depend on the engine are marked with `BOTH_ENGINES`: `make test` runs them on
both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorer import storage
from tests import databases
from tests.storage.conftest import POSTGRES, SQLITE, bare_app, leave_no_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

BOTH_ENGINES = pytest.mark.parametrize("database_url", [SQLITE, POSTGRES], indirect=True)
LATER = pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.slow])


@pytest.fixture(scope="session")
def shared_postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """Give the URL of a PostgreSQL database with all tables, for one test after the other."""
    with databases.postgres_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(params=[SQLITE, LATER])
def database_url(request: pytest.FixtureRequest) -> str:
    """Give the URL of a database with all tables and no rows."""
    kind = "sqlite_url" if request.param == SQLITE else "shared_postgres_url"
    url: str = request.getfixturevalue(kind)
    return url


@pytest.fixture(scope="session")
def postgres_app(shared_postgres_url: str) -> Flask:
    """Give the application that the tests on PostgreSQL share."""
    return bare_app(shared_postgres_url)


@pytest.fixture(autouse=True)
def app(database_url: str, request: pytest.FixtureRequest) -> Iterator[Flask]:
    """Give an application that is nothing but its storage, inside its context."""
    on_sqlite = database_url.startswith("sqlite")
    app = bare_app(database_url) if on_sqlite else request.getfixturevalue("postgres_app")
    with app.app_context():
        yield app
        storage.db.session.rollback()
        if not on_sqlite:
            leave_no_rows()
        storage.db.engine.dispose()
