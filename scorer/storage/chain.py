"""The hash chains: one over a circle's journal, and one over each session.

A hash is taken over the hash of what was written before and over everything that is said, so that
nothing can be changed, left out, put in or moved without all later ones telling. The chain of a
session begins with the hash of the journal entry that started it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any
from uuid import UUID

from scorer.storage.columns import Base, plain
from scorer.storage.models import (
    CardSession,
    Deal,
    DealVersion,
    JournalEntry,
    Play,
    Review,
    SessionChange,
)

#: A row says all its columns but its own hash, and these two only where they are set.
UNSAID = {"chain", "change", "proposal"}
#: Letters that neither look like another one nor like a digit.
LETTERS = "ABCDEFGHJKLMNPRSTUWXYZ"
SHORT = 8


def append(row: CardSession, deal: Deal, version: DealVersion) -> None:
    """Give a new version its place at the end of the chain; the session's row is locked."""
    version.serial = row.written + 1
    version.chain = _append(row, canonical(deal, version))


def append_change(row: CardSession, change: SessionChange) -> None:
    """Give a change, which has its serial, its place at the end of the chain."""
    change.chain = _append(row, canonical_change(change))


def append_review(row: CardSession, review: Review) -> None:
    """Give a review its place at the end of the chain."""
    review.chained = row.written + 1
    review.chain = _append(row, canonical_review(row.session_id, review))


def append_play(row: CardSession, tricks: Play) -> None:
    """Give the cards of a deal their place at the end of the chain."""
    tricks.chained = row.written + 1
    tricks.chain = _append(row, canonical_play(tricks))


def _append(row: CardSession, said: str) -> str:
    row.written, row.chain = row.written + 1, link(row.chain, said)
    return row.chain


def link(previous: str, said: str) -> str:
    """Give the hash of what is said after something else."""
    return hashlib.sha256((previous + said).encode()).hexdigest()


def short(chain: str) -> str:
    """Shorten a hash to eight letters that can be read aloud: ``KDWA-ZHTR``."""
    number, letters = int(chain, 16), ""
    for _ in range(SHORT):
        number, place = divmod(number, len(LETTERS))
        letters += LETTERS[place]
    return f"{letters[: SHORT // 2]}-{letters[SHORT // 2 :]}"


def canonical(deal: Deal, version: DealVersion) -> str:
    """Write down everything that a version says, the same way on both engines."""
    said = _says(DealVersion, version)
    said |= {"session_id": plain(deal.session_id), "number": deal.number}
    return written(said if version.change is None else {**said, "change": version.change})


def canonical_change(change: SessionChange) -> str:
    """Write down everything that a change of a session says."""
    return written(_says(SessionChange, change))


def canonical_review(session_id: UUID, review: Review) -> str:
    """Write down everything that a review says."""
    said = {**_says(Review, review), "session_id": plain(session_id)}
    if review.proposal is None:
        return written(said)
    return written({**said, "proposal": plain(review.proposal)})


def canonical_play(tricks: Play) -> str:
    """Write down everything that was written of the cards of a deal."""
    return written(_says(Play, tricks))


def canonical_entry(entry: JournalEntry) -> str:
    """Write down everything that an entry of a journal says."""
    return written(_says(JournalEntry, entry))


def _says(kind: type[Base], row: object) -> dict[str, Any]:
    columns = kind.metadata.tables[kind.__tablename__].columns.keys()
    return {column: plain(getattr(row, column)) for column in columns if column not in UNSAID}


def written(said: Any) -> str:
    """Write a value in the one form that its hash is taken of."""
    return json.dumps(said, sort_keys=True, separators=(",", ":"))
