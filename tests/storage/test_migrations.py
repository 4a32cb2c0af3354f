"""Migrations: the same chain on both engines, up and down with rows, whole or not at all."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, select, text, update
from sqlalchemy.exc import IntegrityError

from scorer import storage
from scorer.errors import NotReadyError, ScorerError
from scorer.services.session.sessions import next_session
from scorer.storage import in_transaction, migrate, models, queries
from scorer.storage.engine import database_url as read_url
from scorer.storage.engine import make_engine
from scorer.storage.models import Base
from tests.revisions import NEXT, add_next, by_a_newer_program
from tests.storage.conftest import bare_app, opened
from tests.storage.evenings import write_evening


@pytest.fixture
def engine(migrated_url: str) -> Iterator[Engine]:
    engine = make_engine(migrated_url)
    yield engine
    engine.dispose()


def alembics_chain() -> list[tuple[str, str]]:
    """List the revisions as Alembic reads them, newest first, each with the one before it."""
    scripts = ScriptDirectory.from_config(migrate._config())
    return [(one.revision, str(one.down_revision or "")) for one in scripts.walk_revisions()]


def copies(url: str) -> list[Path]:
    """List the copies that were made of an SQLite file."""
    file = Path(read_url(url).database or "")
    return [one for one in file.parent.glob("*.sqlite") if one != file]


def test_files_say_the_chain_that_alembic_reads(own_migrations: Path) -> None:
    add_next(own_migrations)
    chain = alembics_chain()
    assert migrate._revisions() == dict(chain)
    assert migrate.newest() == chain[0][0] == NEXT


@pytest.mark.slow
def test_every_revision_goes_up_and_down_with_rows_in_the_tables(
    migrated_url: str, own_migrations: Path
) -> None:
    add_next(own_migrations)
    migrate.upgrade(migrated_url)
    with opened(migrated_url):
        evening = write_evening()
        storage.downgrade(alembics_chain()[-1][0])
        storage.upgrade()
        assert len(evening.deals) == 3
        write_evening("again ")
        storage.downgrade("base")
    assert migrate.current(migrated_url) is None


def test_rematches_are_linked_by_their_key_and_agreed_results_hold_a_downgrade_up(
    migrated_url: str, engine: Engine
) -> None:
    with opened(migrated_url):
        evening = write_evening()
        rematch = next_session(evening.session_id)
        row = evening.row(models.CardSession, session_id=rematch)
        in_transaction(lambda: storage.write(row))
        storage.downgrade("2026_11_28_no_web_hooks")
        storage.upgrade()
        linked = select(models.CardSession.session_id, models.CardSession.went_on_from)
        with engine.connect() as connection:
            from_which = {row[0]: row[1] for row in connection.execute(linked)}
    assert from_which == {
        evening.session_id: None,
        evening.older_id: None,
        rematch: evening.session_id,
    }

    with engine.begin() as connection:
        connection.execute(update(models.DealVersion).values(outcome="agreed"))
    with opened(migrated_url), pytest.raises(ScorerError, match="agreed results are stored"):
        storage.downgrade("2026_11_28_no_web_hooks")
    assert migrate.current(migrated_url) == migrate.newest()
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(update(models.DealRow).values(outcome="unheard-of"))


def test_the_migrations_make_the_models_and_the_way_back_leaves_no_table(
    migrated_url: str, engine: Engine
) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
    migrated = details(engine)
    migrate.downgrade(migrated_url, "base")
    assert migrate.current(migrated_url) is None
    assert inspect(engine).get_table_names() == ["alembic_version"]
    Base.metadata.create_all(engine)
    assert migrated == details(engine)  # what a comparison does not see


def details(engine: Engine) -> dict[str, Any]:
    """Return checks, options and deletion rules of every table."""
    look = inspect(engine)
    return {
        name: (
            sorted((one["name"] or "", one["sqltext"]) for one in look.get_check_constraints(name)),
            sorted((one["name"] or "", str(one["options"])) for one in look.get_foreign_keys(name)),
            look.get_pk_constraint(name)["constrained_columns"],
            look.get_table_options(name) if engine.dialect.name == "sqlite" else None,
        )
        for name in look.get_table_names()
        if name != "alembic_version"
    }


def test_a_migration_that_fails_half_way_leaves_nothing_behind(
    migrated_url: str, engine: Engine, own_migrations: Path
) -> None:
    revision, before = migrate.newest(), details(engine)
    columns = inspect(engine).get_columns("circle")
    add_next(own_migrations, then='raise ValueError("half way")')
    with pytest.raises(ValueError, match="half way"):
        migrate.upgrade(migrated_url)
    assert migrate.current(migrated_url) == revision
    assert details(engine) == before
    assert [one["name"] for one in inspect(engine).get_columns("circle")] == [
        one["name"] for one in columns
    ]


def test_a_program_whose_tables_were_taken_away_writes_no_more(
    migrated_url: str, tmp_path: Path
) -> None:
    with opened(migrated_url):
        write_evening()
        storage.make_ready()
        with by_a_newer_program(tmp_path):
            migrate.upgrade(migrated_url)

        for refused in (write_evening, storage.check_tables, storage.make_ready):
            with pytest.raises(NotReadyError, match=f"newer version .*{NEXT}"):
                refused()
        with by_a_newer_program(tmp_path):
            migrate.downgrade(migrated_url, "-1")
        write_evening("again ")
        storage.check_tables()


def test_an_upgrade_waits_for_what_is_being_written(migrated_url: str, tmp_path: Path) -> None:
    app, begun, go_on = bare_app(migrated_url), Event(), Event()

    def write() -> None:
        begun.set()
        assert go_on.wait(20)

    def writing() -> None:
        with app.app_context():
            in_transaction(write)

    with app.app_context(), ThreadPoolExecutor(2) as threads, by_a_newer_program(tmp_path):
        first = threads.submit(writing)
        assert begun.wait(20)
        upgrading = threads.submit(migrate.upgrade, migrated_url)
        assert wait([upgrading], timeout=0.5).not_done
        go_on.set()
        first.result()
        upgrading.result()
        with pytest.raises(NotReadyError):
            write_evening()
        storage.db.engine.dispose()


def test_a_migration_may_not_break_references_on_sqlite(
    sqlite_url: str, own_migrations: Path
) -> None:
    with opened(sqlite_url):
        write_evening()
        add_next(own_migrations, then='op.execute("DELETE FROM player")')
        with pytest.raises(migrate.BrokenReferenceError):
            storage.upgrade()
        assert len(queries.circle.circle_ids()) == 1


def test_an_upgrade_that_changes_something_copies_the_file_before(
    sqlite_url: str, own_migrations: Path
) -> None:
    with opened(sqlite_url):
        write_evening()
    before = migrate.newest()
    add_next(own_migrations)
    migrate.upgrade(sqlite_url)
    [copy] = copies(sqlite_url)
    assert copy.name.startswith(f"scorer-{before}-")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM payout").fetchone() == (15,)
        assert "motto" not in str(connection.execute("PRAGMA table_info(circle)").fetchall())


def test_upgrades_of_nothing_and_for_nothing_copy_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'scorer.sqlite'}"
    assert migrate.current(url) is None
    assert list(tmp_path.iterdir()) == []
    for _ in range(2):
        migrate.upgrade(url)
        assert copies(url) == []


def test_a_revision_that_is_not_known_is_refused(migrated_url: str, engine: Engine) -> None:
    for revision in ("from_the_future", "2026_11_21_evenings"):
        with engine.begin() as connection:
            changed = text("UPDATE alembic_version SET version_num = :revision")
            connection.execute(changed, {"revision": revision})
        for refused in (migrate.upgrade, bare_app):
            with pytest.raises(migrate.UnknownRevisionError, match=revision):
                refused(migrated_url)
        with pytest.raises(migrate.UnknownRevisionError):
            migrate.downgrade(migrated_url, "base")


def test_an_app_starts_while_its_database_is_away(caplog: pytest.LogCaptureFixture) -> None:
    bare_app("postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=1")
    assert "cannot be read yet" in caplog.text


def test_a_draft_of_the_first_migration_makes_the_models(
    empty_url: str, own_migrations: Path
) -> None:
    for file in (own_migrations / "versions").iterdir():
        file.unlink()
    migrate.draft(empty_url, "all tables")
    [file] = (own_migrations / "versions").glob("*_all_tables.py")
    assert "scorer" not in file.read_text(encoding="utf-8")
    migrate.upgrade(empty_url)
    engine = make_engine(empty_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()
