"""Sides: the seats that win and lose together, and answers that there is one of for each side."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import TypeVar

from scorer.rules.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

Sides = tuple[tuple[Seat, ...], ...]
IN_TWO_SIDES = (4, 6)


class PerSide(tuple[T, ...]):
    """One answer for each side, in the order of the sides; empty where nothing was said."""

    __slots__ = ()

    def of(self, side: int, otherwise: T) -> T:
        """The answer of a side, or what is meant where nothing was said."""
        return self[side] if self else otherwise


def every_seat(active: Sequence[Seat]) -> Sides:
    """Each for itself."""
    return tuple((seat,) for seat in active)


def sides_of(active: Sequence[Seat]) -> Sides:
    """Four play in two pairs and six in two threes, who sit in turn; fewer play each for itself."""
    count = 2 if len(active) in IN_TWO_SIDES else len(active)
    return tuple(tuple(active[side::count]) for side in range(count))


def strictly_most(values: Sequence[int | None]) -> int | None:
    """Say which side has more than every other; None when the best are level or nobody has any."""
    known = [value for value in values if value is not None]
    if not known or known.count(max(known)) > 1:
        return None
    return values.index(max(known))
