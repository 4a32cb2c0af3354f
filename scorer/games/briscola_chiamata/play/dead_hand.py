"""The dead hand, *il morto*: dealt to nobody, and turned over card by card (rules.md A9).

At the table where the cards are played it has a place of its own, behind all the people: its card
comes last of those around, and where it took a trick it leads to the next. It is nobody's: it
neither deals nor bids, and what it takes is lost to the caller's side.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scorer.rules.seats import Seat, all_seats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.game import Table

NAME = "Morto"
KEPT = "dead"


def with_dead_hand(table: Table[ChiamataRules]) -> Table[ChiamataRules]:
    """Give the dead hand its place at a table of people, where the rules have one."""
    if not table.rules.dead_hand:
        return table
    order = table.order or all_seats(len(table.seats))
    return replace(table, seats=(*table.seats, _name(table.seats)), order=order)


def _name(people: Sequence[str]) -> str:
    """What it is called: somebody at the table may have that name already."""
    names = (NAME, *(f"{NAME} {number}" for number in range(2, len(people) + 2)))
    return next(name for name in names if name not in people)


def dead_hand(table: Table[ChiamataRules]) -> Seat | None:
    """Where the dead hand is; None where there is none."""
    return Seat(len(table.seats) - 1) if table.rules.dead_hand else None


def people(table: Table[ChiamataRules]) -> tuple[str, ...]:
    """Give the names of all but the dead hand."""
    return table.seats[: dead_hand(table)]


def in_turn(table: Table[ChiamataRules]) -> tuple[Seat, ...]:
    """Everybody who plays to the tricks: those who play the deal, and after them the dead hand."""
    dead = dead_hand(table)
    return table.active if dead is None else (*table.active, dead)


def kept_names(table: Table[ChiamataRules], numbers: Sequence[str]) -> tuple[str, ...]:
    """Name everybody as the cards are kept: people by number, the dead hand by a word of its own.

    Its place moves when somebody joins, and the word doesn't.
    """
    named = tuple(numbers[: len(people(table))])
    return named if dead_hand(table) is None else (*named, KEPT)
