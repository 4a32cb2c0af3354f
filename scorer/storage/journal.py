"""The journal of a circle: which columns it keeps of which tables, and its end.

The entries of a row, applied one after the other, give its present values: `scorer verify`
compares.
"""

import hashlib
from typing import Any

from scorer.storage import chain, queries
from scorer.storage.models import Base, JournalEntry, plain
from scorer.storage.transactions import write

#: The tables of the journal, each with the columns that it leaves out: they are in the chain of a
#: session, follow from what is kept, or are shown on no page.
LEFT_OUT: dict[str, tuple[str, ...]] = {
    "circle": ("journaled", "chain"),
    "link": (),
    "program_key": (),
    "player": (),
    "season": (),
    "phone": ("last_seen_at", "browser"),
    "rule_set": (),
    "rule_set_version": (),
    "card_session": (
        *("next_number", "finished_number", "version", "changes", "written", "chain"),
        "went_on_from",
    ),
    "seat": (),
    "started_deal": ("dealer",),
    "timer": (),
    "ledger_entry": (),
    "posting": (),
    "public_page": (),
    "note": (),
    "tournament": ("version",),
    "tournament_entry": (),
    "tournament_player": (),
    "tournament_turn": (),
    "tournament_table": (),
    "table_phone": (),
}
#: The columns of which an entry has the hash, not the value.
HASHED = {"rules"}
COLUMNS = {
    subject: [
        column.name
        for column in Base.metadata.tables[subject].columns
        if not column.primary_key and column.name not in left_out
    ]
    for subject, left_out in LEFT_OUT.items()
}


def key_of(subject: str, row: object) -> str:
    """Return the key of a row as entries have it: ``5ee4…`` or, of several columns, ``5ee4…/2``."""
    return "/".join(str(getattr(row, column)) for column in _keys(subject))


def _keys(subject: str) -> list[str]:
    """List the columns of a table's key, within its circle."""
    columns = [column.name for column in Base.metadata.tables[subject].primary_key]
    return columns[1:] or columns


def values_of(subject: str, row: object) -> dict[str, Any]:
    """Return the present values of a row in the columns that the journal keeps."""
    return {column: value_of(column, getattr(row, column)) for column in COLUMNS[subject]}


def value_of(column: str, value: Any) -> Any:
    if column in HASHED:
        return hashlib.sha256(chain.written(value).encode()).hexdigest()
    return plain(value)


def subject_of(row: Base) -> str:
    """Return the subject of entries about a row: its table."""
    return str(row.__tablename__)


def append(entry: JournalEntry) -> str:
    """Write an entry at the end of its circle's journal, which stays locked; return its hash."""
    written, last = queries.journal.journal_end(entry.circle_id).one()
    chain.place(entry, written + 1, last)
    write(entry)
    queries.journal.keep_journal_end(entry.circle_id, entry.serial, entry.chain)
    return entry.chain
