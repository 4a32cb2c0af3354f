"""The most card points that a side can end with, over all ways to complete a record.

A completion puts every unseen card into a slot: a player's place in an open trick, or the cards
laid aside. The winner of each trick leads to the next one, a written hand is played by whoever held
it, and leaders and winners are as they were written down. The search is best first: it fixes who
wins each open trick, then with which card. What is left to be put into slots is an assignment
problem, whose solution bounds what can still be reached; so the first complete search is the best.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import accumulate, count
from typing import TYPE_CHECKING, NamedTuple

from scorer.cards.trick_record import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorer.cards.chiamata.record import ChiamataLayout
    from scorer.cards.trick_record import CardPile
    from scorer.rules.seats import Seat

    Tricks = Sequence[CardPile | None]
    Path = tuple[tuple[Seat, Seat], ...]

MOST_UNKNOWN = 2
MOST_STEPS = 1000
NEVER = 10**6


class Side(NamedTuple):
    """Players whose card points count together, if the cards lay in this way.

    ``held`` are the cards that each player may have played, ``aside`` those that may lie aside.
    """

    players: frozenset[Seat]
    held: Mapping[Seat, frozenset[int]]
    aside: frozenset[int]


class OpenTrick(NamedTuple):
    """A trick with cards to come: who leads and wins it, and the cards that lie there."""

    leader: Seat
    winner: Seat
    cards: tuple[int, ...]


class Slot(NamedTuple):
    """Where an unseen card may be: in an open trick by its number, or aside (-1).

    ``counts`` is whether it goes to the side whose points are wanted.
    """

    trick: int
    player: Seat | None
    counts: bool
    cards: frozenset[int]


class Search(NamedTuple):
    """The completions that agree on who won each trick, and how the first of them were won.

    ``points`` are those of the side without the cards in the slots.
    """

    points: int
    tricks: tuple[OpenTrick, ...]
    slots: tuple[Slot, ...]
    decided: int = 0


def tricks_to_complete(layout: ChiamataLayout) -> Tricks | None:
    """Every trick of the deal, entered or not; None where too many are unknown, or at fault."""
    players, each = len(layout.turns), layout.game.trick_count
    tricks = [*layout.record.tricks, *[None] * (each - len(layout.record.tricks))]
    sizes = [players if trick is None else len(trick.cards) for trick in tricks]
    begun = [size for size, trick in zip(sizes, tricks, strict=True) if trick is not None]
    if layout.doubtful or len(tricks) > each or any(size != players for size in begun[:-1]):
        return None
    too_much = max(sizes) > players or tricks.count(None) > MOST_UNKNOWN
    return None if too_much else tricks


def most_points(layout: ChiamataLayout, tricks: Tricks, sides: Iterable[Side]) -> int | None:
    """The most card points that any of the sides can end with; None where nothing is possible.

    The result is exact unless the search takes too many steps; then it is a bound.
    """
    ways, unseen = _paths(layout, tricks), layout.unseen()
    starts = [
        one
        for side in sides
        for path in ways
        if (one := _start(layout, tricks, path, side)) is not None and len(one.slots) == len(unseen)
    ]
    return _best(layout, starts, unseen)


def _paths(layout: ChiamataLayout, tricks: Tricks) -> list[Path]:
    """Every way in which leaders and winners may have followed each other."""
    first = layout.game.first_leader
    found: list[Path] = [()]
    for index, trick in enumerate(tricks):
        place = layout.places[index] if index < len(layout.places) else None
        written = EMPTY if trick is None else trick
        found = [
            (*path, (leader, winner))
            for path in found
            for leader in _either(path[-1][1] if path else first, layout)
            if written.leader in (None, leader)
            for winner in _either(None if place is None else layout.turns[leader][place], layout)
            if written.winner in (None, winner)
        ]
    return found


def _either(seat: Seat | None, layout: ChiamataLayout) -> Iterable[Seat]:
    return layout.turns if seat is None else (seat,)


def _start(layout: ChiamataLayout, tricks: Tricks, path: Path, side: Side) -> Search | None:
    """Begin with who won each trick; None if the cards that lie there were not held so."""
    points, open_tricks, slots = 0, list[OpenTrick](), list[Slot]()
    deck, aside = layout.game.deck, (layout.record.discards or EMPTY).cards
    for (leader, winner), trick in zip(path, tricks, strict=True):
        cards, players = (trick or EMPTY).cards, layout.turns[leader]
        if any(card not in side.held[seat] for seat, card in zip(players, cards, strict=False)):
            return None
        counts = winner in side.players
        points += counts * sum([deck.points[card] for card in cards])
        if len(cards) < len(players):
            to_come, number = players[len(cards) :], len(open_tricks)
            slots += [Slot(number, seat, counts, side.held[seat]) for seat in to_come]
            open_tricks.append(OpenTrick(leader, winner, cards))
    counts = path[-1][1] in side.players
    slots += [Slot(-1, None, counts, side.aside)] * (layout.game.laid_aside - len(aside))
    points += counts * sum([deck.points[card] for card in aside])
    fits = side.aside.issuperset(aside)
    return Search(points, tuple(open_tricks), tuple(slots)) if fits else None


def _best(layout: ChiamataLayout, starts: Iterable[Search], unseen: Sequence[int]) -> int | None:
    """Follow the most promising search, the furthest of them first."""
    points = layout.game.deck.points
    most = [0, *accumulate(sorted((points[card] for card in unseen), reverse=True))]
    numbers = count()
    heap = [
        (-one.points - most[sum(slot.counts for slot in one.slots)], 0, next(numbers), one, False)
        for one in starts
    ]
    heapify(heap)
    for _ in range(MOST_STEPS):
        if not heap:
            return None
        bound, depth, _, one, sure = heappop(heap)
        if not sure:
            value = _assign(one, unseen, points)
            if value is not None:
                heappush(heap, (-value, depth, next(numbers), one, True))
        elif one.decided == len(one.tricks):
            return -bound
        else:
            for more in _decide(layout, one, unseen):
                heappush(heap, (bound, depth - 1, next(numbers), more, False))
    return -heap[0][0] if heap else None


def _decide(layout: ChiamataLayout, one: Search, unseen: Sequence[int]) -> Iterator[Search]:
    """Every card that may take the next of the open tricks, and what else may lie in it then."""
    deck, trump, trick = layout.game.deck, layout.game.trump, one.tricks[one.decided]
    place = layout.turns[trick.leader].index(trick.winner)
    played = trick.cards[place : place + 1]
    for best in played or unseen:
        strengths = deck.strengths(trump, trick.cards[0] if trick.cards else best)
        if any(strengths[card] > strengths[best] for card in trick.cards) or not strengths[best]:
            continue
        weaker = frozenset([card for card in unseen if strengths[card] < strengths[best]])
        led = weaker
        if not trick.cards and deck.suit_of(best) != trump:
            led = frozenset([card for card in weaker if strengths[card]])
        slots = []
        for slot in one.slots:
            cards = slot.cards
            if slot.trick == one.decided:
                cards &= weaker if slot.player != trick.leader else led
                if slot.player == trick.winner:
                    cards = slot.cards & {best}
            slots.append(slot._replace(cards=cards))
        yield one._replace(slots=tuple(slots), decided=one.decided + 1)


def _assign(one: Search, unseen: Sequence[int], points: Sequence[int]) -> int | None:
    """The most points if each unseen card goes to a slot that it fits; None if that can't be.

    This is the Hungarian method: slots are rows, cards are columns, and points are costs below 0.
    """
    costs = [
        [(-points[card] if slot.counts else 0) if card in slot.cards else NEVER for card in unseen]
        for slot in one.slots
    ]
    total = least_cost(costs)
    return None if total >= NEVER // 2 else one.points - total


def least_cost(costs: Sequence[Sequence[int]]) -> int:
    """The least total of a square table, with one cell of each row and each column.

    ``row_of`` is the row of each column, both counted from 1; 0 is the row to be placed next.
    """
    size = len(costs)
    of_rows, of_columns, row_of = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0] = row
        column, way = _way_to_free_column(costs, of_rows, of_columns, row_of)
        while column:
            row_of[column] = row_of[way[column]]
            column = way[column]
    return sum(costs[row_of[column] - 1][column - 1] for column in range(1, size + 1))


def _way_to_free_column(
    costs: Sequence[Sequence[int]], of_rows: list[int], of_columns: list[int], row_of: list[int]
) -> tuple[int, list[int]]:
    """The nearest column without a row, and from which column each was reached.

    The potentials of rows and columns are changed, so that the way to it costs nothing.
    """
    size, column, used = len(costs), 0, [0]
    slack, way, free = (
        [2 * NEVER * (size + 1)] * (size + 1),
        [0] * (size + 1),
        [*range(1, size + 1)],
    )
    while row_of[column]:
        row = row_of[column]
        cells, potential = costs[row - 1], of_rows[row]
        for other in free:
            rest = cells[other - 1] - potential - of_columns[other]
            if rest < slack[other]:
                slack[other], way[other] = rest, column
        column = min(free, key=slack.__getitem__)
        step = slack[column]
        for other in used:
            of_rows[row_of[other]] += step
            of_columns[other] -= step
        for other in free:
            slack[other] -= step
        free.remove(column)
        used.append(column)
    return column, way
