"""Troubles of a database are told apart, and over when their cause is."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg import errors
from sqlalchemy import make_url, text
from sqlalchemy.exc import IntegrityError, OperationalError

from scorer.storage import db, queries
from scorer.storage.engine import Trouble, sqlite_driver, trouble
from tests.storage.conftest import bare_app, opened
from tests.storage.evenings import write_evening


@pytest.fixture
def file(sqlite_url: str) -> Iterator[Path]:
    """Return the file of an application that is open, with a circle in it."""
    with opened(sqlite_url):
        write_evening("1 ")
        yield Path(make_url(sqlite_url).database or "")


def test_a_file_that_was_replaced_is_opened_anew(file: Path, sqlite_template: Path) -> None:
    assert len(queries.circle.circle_ids()) == 1
    fresh = file.with_name("fresh")
    shutil.copy(sqlite_template, fresh)
    for end in ("-wal", "-shm"):
        Path(f"{file}{end}").unlink(missing_ok=True)
    fresh.replace(file)

    write_evening("2 ")
    assert len(queries.circle.circle_ids()) == 1


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        (errors.DiskFull(), Trouble.FULL),
        (errors.ReadOnlySqlTransaction(), Trouble.READ_ONLY),
        (errors.DataCorrupted(), Trouble.DAMAGED),
        (errors.AdminShutdown(), Trouble.AWAY),
        (sqlite3.OperationalError("unable to open database file"), Trouble.AWAY),
        (sqlite_driver().OperationalError("whatever"), Trouble.AWAY),
    ],
)
def test_troubles_are_known_by_their_codes(fault: Exception, found: Trouble) -> None:
    assert trouble(OperationalError("", {}, fault)) is found


def test_a_question_that_is_wrong_is_no_trouble() -> None:
    assert trouble(IntegrityError("", {}, errors.UniqueViolation())) is None


@pytest.mark.postgres
def test_a_server_that_is_away_is_told_and_found_again(shared_postgres_url: str) -> None:
    with opened(shared_postgres_url):
        queries.circle.circle_ids()
        db.session.remove()
        others = bare_app(shared_postgres_url)
        with others.app_context():
            ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
            ended += "pg_backend_pid() AND datname = current_database()"
            db.session.execute(text(ended))
            db.session.remove()
            db.engine.dispose()
        assert queries.circle.circle_ids() == []


@pytest.mark.postgres
def test_a_connection_that_is_lost_after_the_answer_is_made_spoils_it_no_more(
    shared_postgres_url: str,
) -> None:
    app, others = bare_app(shared_postgres_url), bare_app(shared_postgres_url)
    with app.app_context():
        process = db.session.scalar(text("SELECT pg_backend_pid()"))
        with others.app_context():
            db.session.execute(text("SELECT pg_terminate_backend(:it, 5000)"), {"it": process})
            db.session.remove()
            db.engine.dispose()

    with app.app_context():
        assert db.session.scalar(text("SELECT 1")) == 1
        db.session.remove()
        db.engine.dispose()
