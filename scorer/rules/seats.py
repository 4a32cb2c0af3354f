"""Seats around a table, numbered in order of play: seat i+1 plays after seat i (rules.md A2)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NewType

from scorer.errors import Problem
from scorer.texts import say

Seat = NewType("Seat", int)
Side = NewType("Side", int)

MOST_SEATS = 20


@dataclass(frozen=True, slots=True)
class Seating:
    """How many people a game is for by its rules.

    ``playing`` are the numbers of people who can play a deal. ``spare`` more can be at the table of
    a session and take turns sitting out; with a ``rota`` the rules say whose turn it is.
    """

    playing: tuple[int, ...]
    spare: int = 0
    rota: bool = False

    @property
    def most(self) -> int:
        """The most who can be at the table of a session."""
        return max(self.playing) + self.spare

    @property
    def for_deal(self) -> tuple[int, ...]:
        """The numbers at the table of a single deal, where by a rota one sits out."""
        return (*self.playing, max(self.playing) + 1) if self.rota else self.playing

    @property
    def for_session(self) -> tuple[int, ...]:
        """The numbers at the table of a session that begins."""
        waiting = range(max(self.playing) + 1, self.most + 1)
        return (*self.playing, *waiting) if self.rota else self.playing

    def fits(self, count: int) -> bool:
        """Whether so many can be at the table of a session, once a rota is agreed on.

        >>> seating = Seating(playing=(4,), spare=2)
        >>> [count for count in range(3, 8) if seating.fits(count)]
        [4, 5, 6]
        """
        return count in self.playing or max(self.playing) < count <= self.most


def wrong_count(count: int, counts: Sequence[int], path: str = "seats") -> Problem | None:
    """Return the problem that the rules are not for so many people, if they are not."""
    if count in counts:
        return None
    message = say(
        "These rules are for %(wanted)s players, not for %(count)s.",
        wanted=" / ".join(map(str, counts)),
        count=count,
    )
    return Problem("seats-count", path, message)


@cache
def all_seats(count: int) -> tuple[Seat, ...]:
    """Return every seat of a table for ``count`` people, in order of play."""
    return tuple(Seat(number) for number in range(count))


def next_seat(seat: Seat, order: tuple[Seat, ...], among: Collection[Seat] | None = None) -> Seat:
    """Return the next seat after ``seat`` around the table; with ``among``, the next one in it.

    ``order`` has all at the table in order of play, ``seat`` included. ``seat`` need not be in
    ``among``: a dealer may sit out.

    >>> five = all_seats(5)
    >>> next_seat(Seat(4), five), next_seat(Seat(4), five, among=five[2:4])
    (0, 2)
    """
    place = order.index(seat) + 1
    if among is None or among == order:
        return order[place % len(order)]
    around = order[place:] + order[:place]
    return next(other for other in around if other in among)
