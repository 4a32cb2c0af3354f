"""The one handle on the database: `db.session` reads, `in_transaction` writes."""

from __future__ import annotations

from flask_sqlalchemy import SQLAlchemy

# Only its engine and its session are used: the tables have a class of their own, `columns.Base`.
db = SQLAlchemy(add_models_to_shell=False)
