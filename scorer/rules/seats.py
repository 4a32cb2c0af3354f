"""Seats around a table, numbered in order of play: seat i+1 plays after seat i (rules.md A2)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from collections.abc import Collection

Seat = NewType("Seat", int)
Side = NewType("Side", int)

MOST_SEATS = 20


@cache
def all_seats(count: int) -> tuple[Seat, ...]:
    """Every seat of a table for ``count`` people, in order of play."""
    return tuple(Seat(number) for number in range(count))


def next_seat(seat: Seat, order: tuple[Seat, ...], among: Collection[Seat] | None = None) -> Seat:
    """Give the seat that follows ``seat`` around the table, or the next one that is ``among`` some.

    ``order`` are all at the table in order of play, ``seat`` is one of them. It need not be among
    those asked for: a dealer may sit out.
    """
    place = order.index(seat) + 1
    if among is None or among == order:
        return order[place % len(order)]
    around = order[place:] + order[:place]
    return next(other for other in around if other in among)
