"""Seats around a table, numbered in order of play: seat i+1 plays after seat i (rules.md A2)."""

from __future__ import annotations

from functools import cache
from typing import NewType

Seat = NewType("Seat", int)
Side = NewType("Side", int)


@cache
def all_seats(count: int) -> tuple[Seat, ...]:
    """Every seat of a table for ``count`` people, in order of play."""
    return tuple(Seat(number) for number in range(count))


def next_seat(seat: Seat, active: tuple[Seat, ...]) -> Seat:
    """Give the seat that plays after ``seat`` among those who play this deal, or deals after it.

    ``seat`` itself need not be active: a dealer may sit out.
    """
    return min(active, key=lambda other: (other <= seat, other))
