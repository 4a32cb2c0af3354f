"""The database of the application: `db.session` reads, `in_transaction` writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock

from flask import Flask, current_app
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError, DBAPIError, SQLAlchemyError

from scorer.errors import NotReadyError
from scorer.storage import migrate
from scorer.storage.engine import Mode, Trouble, database_url, engine_options, mode, prepare
from scorer.texts import say

READY, REVISION = "scorer-ready", "scorer-revision"
OLDER = say(
    "The tables are of an older version of the program (%(found)s; this one has %(ours)s). "
    "Whoever runs the server has to upgrade them: scorer db upgrade."
)
NEWER = say(
    "The tables are of a newer version of the program (%(found)s; this one has %(ours)s). "
    "Whoever runs the server has to install that version."
)
#: How the session reads one moment. A transaction of SQLite always does, and an isolation level
#: would let its driver begin transactions by itself.
ONE_MOMENT = {"sqlite": {}, "postgresql": {"isolation_level": "REPEATABLE READ"}}
SIZES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT pg_database_size(current_database())",
}
_bringing_up = Lock()
# Only the engine and the session of the extension are used: tables derive from `models.Base`.
# Rows stay readable after their transaction, without being loaded again.
db = SQLAlchemy(add_models_to_shell=False, session_options={"expire_on_commit": False})


def init_app(app: Flask) -> None:
    """Open the database at `SQLALCHEMY_DATABASE_URI` for the application.

    Raise UnknownRevisionError for one that a newer version of the program has migrated. One that
    is away or damaged is accepted: it is served as soon as it can be read.
    """
    url = database_url(app.config["SQLALCHEMY_DATABASE_URI"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(url)
    db.init_app(app)
    app.teardown_appcontext(_let_go)
    with app.app_context():
        prepare(db.engine, watched=True)
    app.extensions[READY], app.extensions[REVISION] = False, migrate.newest()
    try:
        app.extensions[READY] = migrate.refuse_unknown(url) == migrate.newest()
    except DatabaseError as error:
        app.logger.warning("The database cannot be read yet: %s", error)


def _let_go(_: BaseException | None) -> None:
    """Close the session; ignore a lost connection, as the answer is ready."""
    try:
        db.session.close()
    except DBAPIError as error:
        current_app.logger.warning("A connection was lost while it was given back: %s", error)
        db.session.registry.clear()  # the session cannot be closed twice; its connection is gone


def make_ready() -> None:
    """Make the tables of a new database, and check the version of existing ones once.

    Raise NotReadyError for tables of another version: only the operator migrates existing data.
    """
    if current_app.extensions[READY]:
        return
    with _bringing_up:
        revision = migrate.current(db.engine.url)
        if revision is None:
            migrate.upgrade(db.engine.url)
        else:
            _refuse_other(revision)
        current_app.extensions[READY] = True


def check_tables(connection: Connection | None = None) -> None:
    """Raise NotReadyError if the tables are now of another version.

    Writes check it within their transaction, for which `migrate` waits.
    """
    if connection is None:
        with db.engine.connect() as fresh:
            check_tables(fresh)
        return
    try:
        _refuse_other(connection.scalar(migrate.CURRENT))
    except NotReadyError:
        current_app.extensions[READY] = False
        raise


def other_tables(trouble: Trouble | None) -> NotReadyError | None:
    """Return the error of tables of another version, if a statement failed because of them.

    For a missing column SQLite reports that the database is away.
    """
    if trouble is None or (trouble is Trouble.AWAY and db.engine.dialect.name == "sqlite"):
        try:
            db.session.rollback()  # gives its connection back
            check_tables()
        except NotReadyError as error:
            return error
        except SQLAlchemyError:
            return None
    return None


def _refuse_other(revision: str | None) -> None:
    ours = current_app.extensions[REVISION]
    if revision != ours:
        sentence = OLDER if revision is None or migrate.is_known(revision) else NEWER
        raise NotReadyError(replace(sentence, values={"found": revision or "–", "ours": ours}))


def upgrade(revision: str = "head") -> Path | None:
    """Migrate the application's tables up to a revision; return the copy that was made before."""
    return migrate.upgrade(db.engine.url, revision)


def downgrade(revision: str) -> None:
    """Migrate the application's tables back to an older revision."""
    migrate.downgrade(db.engine.url, revision)


def revision() -> str | None:
    return migrate.current(db.engine.url)


def database_mode() -> Mode:
    """Describe the engine of the application's data; raise DBAPIError if it does not answer."""
    return mode(db.engine)


def database_bytes() -> int:
    """Return the size of the data on the disk, on SQLite without the log beside the file."""
    return int(db.session.scalar(text(SIZES[db.engine.dialect.name])) or 0)


@contextmanager
def one_moment() -> Iterator[None]:
    """Read the database in the block as it is at one moment."""
    db.session.close()
    db.session.connection(execution_options=ONE_MOMENT[db.engine.dialect.name])
    try:
        yield
    finally:
        db.session.close()


def damages() -> Iterator[str]:
    """Yield what SQLite's integrity check finds in its file; nothing on PostgreSQL."""
    if db.engine.dialect.name == "sqlite":
        for line in db.session.scalars(text("PRAGMA integrity_check")):
            if line != "ok":
                yield line
