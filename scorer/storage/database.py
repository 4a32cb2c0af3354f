"""The one handle on the database: `db.session` reads, `in_transaction` writes."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from flask import current_app
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.exc import DatabaseError, DBAPIError

from scorer.errors import NotReadyError
from scorer.storage import migrate
from scorer.storage.engine import database_url, engine_options, mode, prepare
from scorer.texts import say

if TYPE_CHECKING:
    from flask import Flask

    from scorer.storage.engine import Mode

# Only its engine and its session are used: the tables have a class of their own, `columns.Base`.
# What a transaction gives back stays readable after it: nothing is loaded again behind its back.
READY = "scorer-ready"
OLDER = say(
    "The tables are of an older version of the program. Whoever looks after the server brings them "
    "up to date by: scorer db upgrade."
)
NEWER = say(
    "The tables are of a newer version of the program. Whoever looks after the server installs "
    "that version."
)
_bringing_up = Lock()
db = SQLAlchemy(add_models_to_shell=False, session_options={"expire_on_commit": False})


def init_app(app: Flask) -> None:
    """Give the application its database, at the URL in `SQLALCHEMY_DATABASE_URI`.

    A database that a newer version of the program has migrated is refused. One that does not
    answer, or is damaged, is not: the application serves it as soon as it can be read.
    """
    url = database_url(app.config["SQLALCHEMY_DATABASE_URI"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(url)
    db.init_app(app)
    app.teardown_appcontext(_let_go)
    with app.app_context():
        prepare(db.engine, watched=True)
    app.extensions[READY] = False
    try:
        app.extensions[READY] = migrate.refuse_unknown(url) == migrate.newest()
    except DatabaseError as error:
        app.logger.warning("The database cannot be read yet: %s", error)


def _let_go(_: BaseException | None) -> None:
    """End what was read, also where the server went away meanwhile: the answer is made already."""
    try:
        db.session.close()
    except DBAPIError as error:
        current_app.logger.warning("A connection was lost while it was given back: %s", error)
        db.session.registry.clear()  # the session cannot be closed twice; its connection is gone


def make_ready() -> None:
    """Make the tables of a new database, whichever server runs the application.

    Raise NotReadyError where they are of another version: only the operator migrates what is there.
    Once they are as they have to be nothing is looked at again.
    """
    if current_app.extensions[READY]:
        return
    with _bringing_up:
        try:
            found = migrate.refuse_unknown(db.engine.url)
        except migrate.UnknownRevisionError as error:
            raise NotReadyError(NEWER) from error
        if found is None:
            migrate.upgrade(db.engine.url)
        elif found != migrate.newest():
            raise NotReadyError(OLDER)
        current_app.extensions[READY] = True


def upgrade(revision: str = "head") -> None:
    """Bring the tables of the application to a revision."""
    migrate.upgrade(db.engine.url, revision)


def downgrade(revision: str) -> None:
    """Take the tables of the application back to an older revision."""
    migrate.downgrade(db.engine.url, revision)


def revision() -> str | None:
    """Give the revision that the tables of the application have."""
    return migrate.current(db.engine.url)


def database_mode() -> Mode:
    """Say which engine keeps the data of the application, and how; fail if it does not answer."""
    return mode(db.engine)
