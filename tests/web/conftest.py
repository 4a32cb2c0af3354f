"""One app for all tests of the pages, each test in circles of its own."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorer import create_app, storage
from tests.data.reading import read_here
from tests.web.phones import Phone
from tests.web.rows import rows_put_back

SETTINGS = {"TESTING": True, "SECRET_KEY": "a key for tests", "LAN_HTTP": True}


@pytest.fixture(scope="session")
def shared_url(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the URL of the database that the tests share."""
    path = tmp_path_factory.mktemp("web") / "scorer.sqlite"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@contextmanager
def app_with(url: str, **changed: Any) -> Iterator[Flask]:
    """Make an app with other settings, on a database that is there."""
    app = create_app({**SETTINGS, "DATABASE_URL": url, **changed})
    yield app
    with app.app_context():
        storage.db.engine.dispose()


@pytest.fixture(scope="session")
def shared_app(shared_url: str) -> Iterator[Flask]:
    """Give the app that the tests share, on one database."""
    with app_with(shared_url) as app:
        yield app


@pytest.fixture(scope="module", autouse=True)
def _few_rows(shared_app: Flask) -> Iterator[None]:
    """Take away at the end of a module what its tests wrote: few rows are soon compared."""
    with rows_put_back(shared_app):
        yield


@pytest.fixture(scope="session")
def app(shared_app: Flask) -> Flask:
    """Give the app under test; a module may have one of its own."""
    return shared_app


@pytest.fixture(scope="module", autouse=True)
def readers_here() -> Iterator[None]:
    """Read files in this process."""
    with pytest.MonkeyPatch.context() as patch:
        read_here(patch)
        yield


@pytest.fixture
def phone(app: Flask) -> Phone:
    """Give a phone that knows no circle yet."""
    return Phone(app)


@pytest.fixture
def owner(phone: Phone) -> Phone:
    """Give a phone that has begun a circle."""
    return phone.start()
