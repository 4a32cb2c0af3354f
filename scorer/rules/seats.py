"""Seats around a table, numbered in order of play, and sides that win together (rules.md A2)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NewType, TypeVar

from scorer.errors import Problem
from scorer.texts import Text, joined, say

Seat = NewType("Seat", int)
Side = NewType("Side", int)

MOST_SEATS = 20


@dataclass(frozen=True, slots=True)
class Seating:
    """How many people a game is for by its rules.

    ``playing`` are the numbers of people who can play a deal. ``spare`` more can be at the table of
    a session and take turns sitting out; with a ``rota`` the rules say whose turn it is. A session
    begins with at least ``fewest``, where fewer play only because others are out.
    """

    playing: tuple[int, ...]
    spare: int = 0
    rota: bool = False
    fewest: int = 0

    @property
    def most(self) -> int:
        return max(self.playing) + self.spare

    @property
    def for_deal(self) -> tuple[int, ...]:
        """The numbers of people at the table of a single deal; with a rota one sits out."""
        return (*self.playing, max(self.playing) + 1) if self.rota else self.playing

    @property
    def for_session(self) -> tuple[int, ...]:
        """The numbers at the table of a session that begins."""
        waiting = range(max(self.playing) + 1, self.most + 1)
        playing = tuple(count for count in self.playing if count >= self.fewest)
        return (*playing, *waiting) if self.rota else playing

    def fits(self, count: int) -> bool:
        """Whether a number of people can be at the table of a session, once a rota is agreed on.

        >>> seating = Seating(playing=(4,), spare=2)
        >>> [count for count in range(3, 8) if seating.fits(count)]
        [4, 5, 6]
        """
        playing = count in self.playing and count >= self.fewest
        return playing or max(self.playing) < count <= self.most


def counts_text(counts: Sequence[int]) -> str:
    """Write numbers of people; three or more in a row are a span.

    >>> counts_text((2, 3, 4, 6, 8, 9))
    '2–4 / 6 / 8 / 9'
    """
    spans: list[list[int]] = []
    for count in counts:
        if spans and spans[-1][-1] == count - 1:
            spans[-1].append(count)
        else:
            spans.append([count])
    written = ([f"{span[0]}–{span[-1]}"] if len(span) > 2 else map(str, span) for span in spans)
    return " / ".join(chain.from_iterable(written))


def wrong_count(count: int, counts: Sequence[int], path: str = "seats") -> Problem | None:
    """Return the problem that the rules are for another number of people, if they are."""
    if count in counts:
        return None
    message = say(
        "These rules are for %(wanted)s players, not for %(count)s.",
        wanted=counts_text(counts),
        count=count,
    )
    return Problem("seats-count", path, message)


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
    return tuple((seat,) for seat in active)


def sides_of(active: Sequence[Seat]) -> Sides:
    """Return two sides of four or six, sitting in turn; of others, each seat as its own side.

    >>> sides_of([0, 1, 2, 3]), sides_of([0, 1, 2])
    (((0, 2), (1, 3)), ((0,), (1,), (2,)))
    """
    count = 2 if len(active) in IN_TWO_SIDES else len(active)
    return tuple(tuple(active[side::count]) for side in range(count))


def named(side: Sequence[Seat], names: Sequence[str]) -> Text:
    return joined([names[seat] for seat in side])


def lasting(by_terms: Sequence[Sides], opening: Mapping[Seat, int]) -> Sides:
    """Return the sides of a session; ``by_terms`` has the sides for each of its terms.

    If somebody changes sides, joins or leaves, or partners bring in different balances, each player
    is a side.
    """
    first, *others = (tuple(sorted(tuple(sorted(side)) for side in sides)) for sides in by_terms)
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
