"""An app under any server: it brings a new database up, or says what it is waiting for."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorer import create_app, storage
from scorer.storage import migrate
from tests.revisions import NEXT, add_next, by_a_newer_program
from tests.web.phones import Phone


@pytest.fixture
def made() -> Iterator[Callable[[str], Flask]]:
    """Give a way to make apps as another server would: by the factory alone."""
    apps: list[Flask] = []

    def make(url: str) -> Flask:
        apps.append(create_app({"DATABASE_URL": url, "LAN_HTTP": True}))
        return apps[-1]

    yield make
    for app in apps:
        with app.app_context():
            storage.db.engine.dispose()


@pytest.mark.parametrize("first", ["/", "/health"])
def test_new_database_is_brought_up_by_the_first_request(
    made: Callable[[str], Flask], tmp_path: Path, first: str
) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    client = made(url).test_client()
    before = client.get("/health/live"), (tmp_path / "new.sqlite").exists()

    answer = client.get(first)

    assert (before[0].get_json(), before[1]) == ({"ok": True}, False)
    assert answer.status_code == 200
    assert migrate.current(url) == migrate.newest()


def test_older_tables_are_told_until_they_are_brought_up_to_date(
    made: Callable[[str], Flask], sqlite_url: str, own_migrations: Path
) -> None:
    add_next(own_migrations)
    client = made(sqlite_url).test_client()

    page, health, live = (client.get(path) for path in ("/", "/health", "/health/live"))
    migrate.upgrade(sqlite_url)

    assert (page.status_code, health.status_code, live.status_code) == (503, 503, 200)
    assert "scorer db upgrade" in page.text
    (problem,) = health.get_json()["problems"]
    assert "scorer db upgrade" in problem["message"]
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    "url", ["sqlite_url", pytest.param("postgres_url", marks=pytest.mark.postgres)]
)
def test_page_that_newer_tables_break_says_that_they_are_newer(
    made: Callable[[str], Flask], url: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    tables = request.getfixturevalue(url)
    app = made(tables)
    phone = Phone(app).start()
    with by_a_newer_program(tmp_path, then='op.rename_table("player", "person")'):
        migrate.upgrade(tables)

    answer = phone.get(phone.circle_url)

    assert answer.status_code == 503
    assert "newer version" in answer.text
    assert NEXT in answer.text
