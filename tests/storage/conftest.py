"""Every test of the storage runs on SQLite and on PostgreSQL, unless it says otherwise."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from scorer import storage
from tests import databases
from tests.databases import begin_anew
from tests.storage.evenings import Evening, write_evening

SQLITE = "sqlite"
POSTGRES = pytest.param("postgresql", marks=pytest.mark.postgres)
#: Where all migrations are run again, `make test` looks at one engine.
SLOW_POSTGRES = (pytest.mark.postgres, pytest.mark.slow)


@pytest.fixture(params=[SQLITE, POSTGRES])
def database_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a database with all tables and no rows."""
    kind = "shared_sqlite_url" if request.param == SQLITE else "shared_postgres_url"
    url: str = request.getfixturevalue(kind)
    return url


@pytest.fixture(params=[SQLITE, pytest.param("postgresql", marks=SLOW_POSTGRES)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a database without tables."""
    if request.param == SQLITE:
        yield f"sqlite:///{tmp_path / 'scorer.sqlite'}"
        return
    with databases.postgres_database(request.getfixturevalue("postgres_server")) as url:
        yield url


@pytest.fixture(params=[SQLITE, POSTGRES])
def migrated_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a database of its own with all tables."""
    kind = "sqlite_url" if request.param == SQLITE else "postgres_url"
    url: str = request.getfixturevalue(kind)
    return url


@pytest.fixture
def shared_sqlite_url(shared_file: Path, sqlite_template: Path) -> str:
    """Return the URL of a SQLite database with all tables and no rows, always the same."""
    return begin_anew(shared_file, sqlite_template)


@pytest.fixture
def app(storage_app: Flask) -> Flask:
    """Return an application that is nothing but its storage, inside its context."""
    return storage_app


@pytest.fixture
def evening(app: Flask) -> Evening:  # noqa: ARG001  # which has the database open
    """Write a circle with two sessions."""
    return write_evening()


def bare_app(url: str) -> Flask:
    """Make an application that is nothing but its storage."""
    app = Flask("storage")
    keys = {"SECRET_KEY": "a key for tests", "SECRET_KEY_FALLBACKS": []}
    app.config |= {"SQLALCHEMY_DATABASE_URI": url, **keys}
    storage.init_app(app)
    return app


@contextmanager
def opened(url: str) -> Iterator[None]:
    """Open a database as another process would, and close it after the block."""
    with bare_app(url).app_context():
        try:
            yield
        finally:
            storage.db.session.remove()
            storage.db.engine.dispose()


def leave_no_rows() -> None:
    """Delete every circle as it is done: money, sessions and rule sets first, then the rest."""
    with storage.db.engine.begin() as connection:
        for table in (
            "ledger_entry",
            "tournament",
            "card_session",
            "rule_set",
            "circle",
            "link_secret",
            "throttle",
        ):
            connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608  # names of ours
