"""The one handle on the database: `db.session` reads, `in_transaction` writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.exc import DatabaseError

from scorer.storage import migrate
from scorer.storage.engine import database_url, engine_options, mode, prepare

if TYPE_CHECKING:
    from flask import Flask

    from scorer.storage.engine import Mode

# Only its engine and its session are used: the tables have a class of their own, `columns.Base`.
# What a transaction gives back stays readable after it: nothing is loaded again behind its back.
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
    with app.app_context():
        prepare(db.engine, watched=True)
    try:
        migrate.refuse_unknown(url)
    except DatabaseError as error:
        app.logger.warning("The database cannot be read yet: %s", error)


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
