"""The database: tables, the questions put to it, and the one way to write."""

from scorer.storage.backups import seal
from scorer.storage.backups import served
from scorer.storage.database import database_mode
from scorer.storage.database import db
from scorer.storage.database import downgrade
from scorer.storage.database import init_app
from scorer.storage.database import revision
from scorer.storage.database import upgrade
from scorer.storage.snapshots import damages
from scorer.storage.snapshots import one_moment
from scorer.storage.transactions import in_transaction
from scorer.storage.transactions import rehearsed
from scorer.storage.transactions import write
from scorer.storage.transactions import write_plain

__all__ = [
    "damages",
    "database_mode",
    "db",
    "downgrade",
    "in_transaction",
    "init_app",
    "one_moment",
    "rehearsed",
    "revision",
    "seal",
    "served",
    "upgrade",
    "write",
    "write_plain",
]
