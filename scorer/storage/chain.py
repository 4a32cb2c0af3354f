"""The hash chains: one over a circle's journal, and one over each session.

A hash covers the hash before it and the content of a row, so that no row can be changed, removed,
added or moved without changing all later hashes. The chain of a session begins with the hash of the
journal entry that started it.
"""

import hashlib
import json
from typing import Any

from scorer.storage.models import CardSession, ChainedRow, plain

#: Letters that neither look like another one nor like a digit.
LETTERS = "ABCDEFGHJKLMNPRSTUWXYZ"
SHORT = 8
_WRITER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=plain)


def append(session: CardSession, row: ChainedRow) -> None:
    """Append a row to the chain of a session, which is locked."""
    place(row, session.written + 1, session.chain)
    session.written, session.chain = row.serial, row.chain


def place(row: ChainedRow, serial: int, previous: str) -> None:
    """Give a row its place in a chain, after the row with the hash ``previous``."""
    row.serial = serial
    row.chain = link(previous, canonical(row))


def link(previous: str, said: str) -> str:
    """Return the hash of a content that follows another hash."""
    return hashlib.sha256((previous + said).encode()).hexdigest()


def short(chain: str) -> str:
    """Shorten a hash to eight letters that can be read aloud: ``KDWA-ZHTR``."""
    number, letters = int(chain, 16), ""
    for _ in range(SHORT):
        number, place = divmod(number, len(LETTERS))
        letters += LETTERS[place]
    return f"{letters[: SHORT // 2]}-{letters[SHORT // 2 :]}"


def canonical(row: ChainedRow) -> str:
    """Write the content of a row without its hash, the same way on both engines."""
    columns = row.__table__.columns.keys()
    return written({name: getattr(row, name) for name in columns if name != "chain"})


def written(said: Any) -> str:
    """Write a value in the form that is hashed."""
    return _WRITER.encode(said)
