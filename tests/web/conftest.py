"""One app for all tests of the pages, each test in circles of its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorer import create_app, storage
from tests.web.phones import Phone

SETTINGS = {"TESTING": True, "SECRET_KEY": "a key for tests", "LAN_HTTP": True}


@pytest.fixture(scope="session")
def shared_url(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the URL of the database that the tests share."""
    path = tmp_path_factory.mktemp("web") / "scorer.sqlite"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def app(shared_url: str) -> Iterator[Flask]:
    """Give the app, which asks for no token here."""
    app = create_app({**SETTINGS, "DATABASE_URL": shared_url, "WTF_CSRF_ENABLED": False})
    yield app
    with app.app_context():
        storage.db.engine.dispose()


@pytest.fixture
def phone(app: Flask) -> Phone:
    """Give a phone that knows no circle yet."""
    return Phone(app)


@pytest.fixture
def owner(phone: Phone) -> Phone:
    """Give a phone that has begun a circle."""
    return phone.start()
