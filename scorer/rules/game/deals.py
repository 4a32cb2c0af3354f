"""A deal: what became of it, who dealt it, and the people around the table for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from scorer.rules.seats import Seat, all_seats, next_seat
from scorer.rules.sheet import Reading, read
from scorer.rules.sides import named
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer.errors import Problem


class Outcome(StrEnum):
    """What became of a deal (rules.md A11)."""

    PLAYED = "played"
    MISDEAL = "misdeal"
    ALL_PASSED = "all-passed"
    THROWN_IN = "thrown-in"
    REDEAL = "redeal"
    PENALTY = "penalty"


class RuleSet(Protocol):
    """What every game's rules have: a slug and a name."""

    @property
    def slug(self) -> str:
        """The name in documents and addresses."""

    @property
    def name(self) -> str:
        """The name for people."""


R = TypeVar("R", bound=RuleSet)


@dataclass(frozen=True, slots=True)
class Table(Generic[R]):
    """The people around a table for one deal: the rules, all names by seat, and who plays.

    ``order`` are the seats of all at the table in order of play, by default as they are numbered;
    ``active`` are those of them who play, in the same order. ``balances`` are those before the
    deal, None where a deal is looked at alone.
    """

    rules: R
    seats: tuple[str, ...]
    active: tuple[Seat, ...]
    order: tuple[Seat, ...] = ()
    balances: Mapping[Seat, int] | None = None

    def name(self, seat: Seat) -> str:
        """Who sits there."""
        return self.seats[seat]

    def names(self, side: Sequence[Seat]) -> str:
        """Who sit there: ``Ada & Ciro``."""
        return named(side, self.seats)

    def after(self, seat: Seat) -> Seat:
        """Who plays after somebody at the table, who may sit out."""
        return next_seat(seat, self.order or all_seats(len(self.seats)), self.active)


class Turn(NamedTuple):
    """The next deal: who deals, and how many times it counts."""

    dealer: Seat
    times: int = 1


def with_times(answers: Any, times: int) -> Any:
    """Put the multiplier carried over into the answers of a sheet that don't name their own."""
    if times == 1 or not isinstance(answers, dict):
        return answers
    return {"times": times, **answers}


@dataclass(frozen=True, slots=True)
class PenaltySheet:
    """A penalty: who broke a rule."""

    offender: Seat


def read_penalty(
    data: object, table: Table[Any], path: str = "sheet"
) -> tuple[PenaltySheet | None, list[Problem]]:
    """Read who is to pay a penalty; it must be somebody who plays this deal."""
    reading = Reading(table.seats)
    sheet = read(PenaltySheet, data, reading, path)
    if sheet is not None and sheet.offender not in table.active:
        message = say("%(name)s sits this deal out.", name=table.name(sheet.offender))
        reading.fault("sits-out", f"{path}.offender", message)
    return (None if reading.problems else sheet), reading.problems
