"""The one handle on the database: `db.session` reads, `in_transaction` writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_sqlalchemy import SQLAlchemy

from scorer.storage.engine import database_url
from scorer.storage.engine import engine_options
from scorer.storage.engine import prepare

if TYPE_CHECKING:
    from flask import Flask

# Only its engine and its session are used: the tables have a class of their own, `columns.Base`.
db = SQLAlchemy(add_models_to_shell=False)


def init_app(app: Flask) -> None:
    """Give the application its database, at the URL in `SQLALCHEMY_DATABASE_URI`."""
    url = database_url(app.config["SQLALCHEMY_DATABASE_URI"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(url)
    db.init_app(app)
    with app.app_context():
        prepare(db.engine)
