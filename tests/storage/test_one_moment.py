"""Checks: they see the database as it is at one moment, and say what is broken."""

import pytest

from scorer import storage
from scorer.storage import db, queries
from tests.storage.conftest import bare_app
from tests.storage.evenings import write_evening


@pytest.mark.usefixtures("app")
def test_a_moment_does_not_see_what_is_written_meanwhile(database_url: str) -> None:
    write_evening("1 ")
    others = bare_app(database_url)
    with storage.one_moment():
        before = queries.circle.circle_ids()
        with others.app_context():
            write_evening("2 ")
            db.engine.dispose()
        assert queries.circle.circle_ids() == before
    assert len(queries.circle.circle_ids()) == 2


@pytest.mark.usefixtures("app")
def test_after_a_moment_the_connection_begins_as_before() -> None:
    with storage.one_moment():
        queries.circle.circle_ids()
    raw = db.session.connection().connection.dbapi_connection
    if db.engine.dialect.name == "sqlite":
        assert raw is not None
        assert raw.isolation_level is None
    write_evening()


@pytest.mark.usefixtures("app")
def test_a_sound_database_has_no_damage_and_no_strays() -> None:
    write_evening()
    assert list(storage.damages()) == []
    assert queries.journal.strays() == []
