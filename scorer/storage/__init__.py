"""The database: tables, the questions put to it, and the one way to write."""

from scorer.storage.backups import hide_data, served
from scorer.storage.database import (
    database_mode,
    db,
    downgrade,
    init_app,
    make_ready,
    revision,
    upgrade,
)
from scorer.storage.snapshots import damages, one_moment
from scorer.storage.transactions import in_transaction, rolled_back, write, write_plain
