"""The database: tables, the questions put to it, and the one way to write."""

from scorer.storage.database import db
from scorer.storage.database import init_app
from scorer.storage.transactions import in_transaction
from scorer.storage.transactions import write

__all__ = ["db", "in_transaction", "init_app", "write"]
