"""Tricks: the cards of a deal as somebody wrote them down, beside what the sheet says."""

from scorer.services.tricks.opening import NO_VERSION
from scorer.services.tricks.opening import Tricks
from scorer.services.tricks.opening import open_tricks
from scorer.services.tricks.opening import tricks_at
from scorer.services.tricks.settling import amend_by_tricks
from scorer.services.tricks.settling import differences
from scorer.services.tricks.settling import record_by_tricks
from scorer.services.tricks.settling import sheet_by_tricks
from scorer.services.tricks.writing import TricksEntry
from scorer.services.tricks.writing import put_down_play
from scorer.services.tricks.writing import write_tricks

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
