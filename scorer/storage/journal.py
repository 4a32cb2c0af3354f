"""The journal of a circle: which columns it keeps of which tables, and its end.

What the entries of a row say, one after the other, is how the row stands: `scorer verify` compares.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from scorer.storage import chain, queries
from scorer.storage.chain import JournalHead
from scorer.storage.models import Base, JournalEntry, Posting, Seat, plain
from scorer.storage.transactions import write

#: What is not here is in the chain of a session, follows from what is, or is shown on no page.
#: `rules` stands for the hash of the rules.
COLUMNS = {
    "circle": ("name", "created_at", "zone", "currency"),
    "link": ("role", "name", "created_at", "revoked_at", "expires_at", "once"),
    "player": ("name", "created_at", "retired_at", "merged", "nickname"),
    "season": ("name", "first_day", "last_day", "created_at"),
    "phone": ("name", "role", "player_id", "link_id", "joined_at", "revoked_at"),
    "rule_set": ("game", "name", "created_at", "retired_at"),
    "rule_set_version": ("rules", "phone_id", "written_by", "at"),
    "card_session": (
        "game",
        "title",
        "rules",
        "rule_set_id",
        "rule_set_version",
        "first_dealer",
        "stake_cents",
        "started_at",
        "ended_at",
    ),
    "seat": ("player_id", "opening", "joined"),
    "started_deal": ("deal_id", "number", "stored", "phone_id", "at"),
    "ledger_entry": (
        "kind",
        "session_id",
        "number",
        "way",
        "stake_cents",
        "fee_cents",
        "means",
        "note",
        "phone_id",
        "written_by",
        "at",
        "confirmed_at",
        "voided_at",
    ),
    "posting": ("player_id", "cents"),
    "public_page": ("session_id", "names", "money", "created_at", "revoked_at"),
    "note": ("number", "text", "photo", "phone_id", "written_by", "at"),
}


def key_of(subject: str, row: object) -> str:
    """Return the key of a row as entries have it: ``5ee4…`` or, of several columns, ``5ee4…/2``."""
    return "/".join(str(getattr(row, column)) for column in _keys(subject))


@cache
def _keys(subject: str) -> list[str]:
    """List the columns of a table's key, within its circle."""
    columns = [column.name for column in Base.metadata.tables[subject].primary_key]
    return columns[1:] or columns


def values_of(subject: str, row: object) -> dict[str, Any]:
    """Return what the journal keeps of a row, as it stands."""
    return {column: value_of(column, getattr(row, column)) for column in COLUMNS[subject]}


def value_of(column: str, value: Any) -> Any:
    return digest(value) if column == "rules" else plain(value)


def digest(document: Any) -> str:
    return hashlib.sha256(chain.written(document).encode()).hexdigest()


def seats_of(seats: Sequence[Seat]) -> list[list[Any]]:
    """Return what the entry that starts a session keeps of its seats, in their order."""
    return [[str(seat.player_id), seat.opening] for seat in seats]


def postings_of(postings: Sequence[Posting]) -> list[list[Any]]:
    """Return what the entry that posts something keeps of it, in the order of its lines."""
    return [[str(posting.player_id), posting.cents] for posting in postings]


def subject_of(row: Base) -> str:
    """Return the subject of entries about a row: its table."""
    return str(row.__tablename__)


def append(entry: JournalEntry) -> str:
    """Write an entry, which has no serial yet, at the end of its circle's journal; give its hash.

    The circle's row stays locked until the commit.
    """
    head = JournalHead(*queries.record.journal_end(entry.circle_id).one())
    chain.append(head, entry)
    write(entry)
    queries.record.keep_journal_end(entry.circle_id, head.written, head.chain)
    return entry.chain
