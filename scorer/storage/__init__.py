"""The database: its tables, the queries, and the one way to write."""

from scorer.storage.backups import hide_data, served
from scorer.storage.database import (
    check_tables,
    damages,
    database_bytes,
    database_mode,
    db,
    downgrade,
    init_app,
    make_ready,
    one_moment,
    other_tables,
    revision,
    upgrade,
)
from scorer.storage.transactions import dry_run, in_transaction, transaction, write
