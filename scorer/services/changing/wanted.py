"""What is to change about a session, as a phone asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID


@dataclass(frozen=True, slots=True)
class NewRules:
    """Other rules, as a document; ``rule_set`` names the version of the circle's own they are."""

    rules: Any
    rule_set: tuple[UUID, int] | None = None


@dataclass(frozen=True, slots=True)
class NewSeats:
    """Who sits where: ``order`` are all at the table in order of play, by seat.

    A guest is named by the number that follows on the seats there are. ``sits_out`` and ``dealer``
    are who was chosen to, None where the rules decide; whoever was chosen before to sit out a deal
    that was played stays chosen. ``by_place`` says that what was written belongs to the places: it
    is of whoever sits there now.
    """

    order: Sequence[int]
    sits_out: Sequence[int] | None = None
    dealer: int | None = None
    guests: Sequence[Guest] = ()
    by_place: bool = False


class Guest(NamedTuple):
    """Somebody who joins in the middle of a session, with the balance brought in."""

    name: str
    opening: int = 0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to change from deal ``from_number`` on, up to ``until_number`` where that is given.

    ``next_number`` is the deal that the phone believes to be the next. ``seen`` is how much was
    written in the session when the phone looked, where the change rests on what it saw.
    """

    from_number: int
    next_number: int
    rules: NewRules | None = None
    seats: NewSeats | None = None
    until_number: int | None = None
    reason: str = ""
    seen: int | None = None

    def holds_for(self, number: int) -> bool:
        """Whether it says anything of a deal."""
        return self.from_number <= number <= (self.until_number or number)
