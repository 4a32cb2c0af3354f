"""Sides: the seats that win and lose together, and answers that there is one of for each side."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from scorer.rules.seats import Seat
from scorer.texts import Text, joined

T = TypeVar("T")

Sides = tuple[tuple[Seat, ...], ...]
IN_TWO_SIDES = (4, 6)


class PerSide(tuple[T, ...]):
    """One answer for each side, in the order of the sides; empty where nothing was said."""

    __slots__ = ()

    def of(self, side: int, otherwise: T) -> T:
        """Return the answer of a side, or the default where there are no answers."""
        return self[side] if self else otherwise


def every_seat(active: Sequence[Seat]) -> Sides:
    """Return each seat as a side of its own."""
    return tuple((seat,) for seat in active)


def sides_of(active: Sequence[Seat]) -> Sides:
    """Return two sides of four or six, sitting in turn; of others, each seat as its own side.

    >>> sides_of([0, 1, 2, 3]), sides_of([0, 1, 2])
    (((0, 2), (1, 3)), ((0,), (1,), (2,)))
    """
    count = 2 if len(active) in IN_TWO_SIDES else len(active)
    return tuple(tuple(active[side::count]) for side in range(count))


def pairs_of(active: Sequence[Seat]) -> Sides:
    """Return pairs who sit opposite each other: seats 0 and 2 of four, 0 and 3 of six.

    >>> pairs_of([0, 1, 2, 3, 4, 5])
    ((0, 3), (1, 4), (2, 5))
    """
    half = len(active) // 2
    return tuple((active[place], active[place + half]) for place in range(half))


def named(side: Sequence[Seat], names: Sequence[str]) -> Text:
    """Return the names of a side: ``Ada and Ciro``."""
    return joined([names[seat] for seat in side])


def in_seat_order(sides: Sides) -> Sides:
    """Sort the seats of each side, and the sides by their first seats."""
    return tuple(sorted(tuple(sorted(side)) for side in sides))


def lasting(by_terms: Sequence[Sides], opening: Mapping[Seat, int]) -> Sides:
    """Return the sides of a session; ``by_terms`` are those of each of its terms.

    Everybody is a side where somebody changes sides, joins or leaves, or where partners bring in
    different balances: such a side has no figure of its own.
    """
    first, *others = map(in_seat_order, by_terms)
    everybody = {seat for side in first for seat in side}
    level = all(len({opening[seat] for seat in side}) == 1 for side in first)
    stays = everybody == opening.keys() and all(other == first for other in others)
    return first if stays and level else every_seat(tuple(opening))


def gathered(sides: Sides, amounts: Mapping[Seat, T]) -> list[tuple[tuple[Seat, ...], T | None]]:
    """Return each side with its amount; partners with different amounts are listed alone.

    A seat without an amount has None.

    >>> gathered(((0, 2), (1, 3)), {0: 11, 2: 11, 1: 4, 3: 0})
    [((0, 2), 11), ((1,), 4), ((3,), 0)]
    """
    rows: list[tuple[tuple[Seat, ...], T | None]] = []
    for side in sides:
        alike = len({amounts.get(seat) for seat in side}) == 1
        rows += [(part, amounts.get(part[0])) for part in ((side,) if alike else every_seat(side))]
    return rows


def strictly_most(values: Sequence[int | None]) -> int | None:
    """Return which side has more than every other; None if the best are level or have nothing.

    >>> strictly_most([60, 44, 16]), strictly_most([60, 60, None])
    (0, None)
    """
    known = [value for value in values if value is not None]
    if not known or known.count(max(known)) > 1:
        return None
    return values.index(max(known))
