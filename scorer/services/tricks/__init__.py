"""Tricks: the cards of a deal as somebody wrote them down, beside what the sheet says."""

from scorer.services.tricks.opening import NO_VERSION, Tricks, open_tricks, tricks_at
from scorer.services.tricks.settling import (
    amend_by_tricks,
    differences,
    record_by_tricks,
    sheet_by_tricks,
)
from scorer.services.tricks.writing import TricksEntry, put_down_play, write_tricks

__all__ = [
    "NO_VERSION",
    "Tricks",
    "TricksEntry",
    "amend_by_tricks",
    "differences",
    "open_tricks",
    "put_down_play",
    "record_by_tricks",
    "sheet_by_tricks",
    "tricks_at",
    "write_tricks",
]
