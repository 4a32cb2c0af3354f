"""Every test of the storage runs on SQLite and on PostgreSQL, unless it says otherwise."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from scorer import storage
from tests import databases

SQLITE = "sqlite"
POSTGRES = pytest.param("postgresql", marks=pytest.mark.postgres)


@pytest.fixture(scope="session")
def shared_postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """Return the URL of a PostgreSQL database with all tables, for one test after the other."""
    with databases.postgres_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(params=[SQLITE, POSTGRES])
def database_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a database with all tables and no rows."""
    kind = "sqlite_url" if request.param == SQLITE else "shared_postgres_url"
    url: str = request.getfixturevalue(kind)
    return url


@pytest.fixture(params=[SQLITE, POSTGRES])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a database without tables."""
    if request.param == SQLITE:
        yield f"sqlite:///{tmp_path / 'scorer.sqlite'}"
        return
    with databases.postgres_database(request.getfixturevalue("postgres_server")) as url:
        yield url


@pytest.fixture
def app(database_url: str) -> Iterator[Flask]:
    """Return an application that is nothing but its storage, inside its context."""
    app = bare_app(database_url)
    with app.app_context():
        yield app
        storage.db.session.rollback()
        if storage.db.engine.dialect.name == "postgresql":
            leave_no_rows()
        storage.db.engine.dispose()


def bare_app(url: str) -> Flask:
    """Make an application that is nothing but its storage."""
    app = Flask("storage")
    app.config["SQLALCHEMY_DATABASE_URI"] = url
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
            "card_session",
            "rule_set",
            "circle",
            "link_secret",
            "throttle",
        ):
            connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608  # names of ours
