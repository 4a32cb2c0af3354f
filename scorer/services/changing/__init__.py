"""Changing a session itself from a deal on: its rules, who sits where, who sits out, who deals.

What is changed from a deal that was played already has every deal from there on written anew, in
one act: the sheets stay, and the dealers, those who sit out and the payouts follow.
"""

from scorer.services.changing.acts import change, change_session, check_seen
from scorer.services.changing.anew import Again, check_next, written_anew
from scorer.services.changing.rows import write_changes
from scorer.services.changing.wanted import Guest, NewRules, NewSeats, Wanted

__all__ = [
    "Again",
    "Guest",
    "NewRules",
    "NewSeats",
    "Wanted",
    "change",
    "change_session",
    "check_next",
    "check_seen",
    "write_changes",
    "written_anew",
]
