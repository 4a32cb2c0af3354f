"""The most card points that some players can end with, over all ways to complete a record.

A completion puts every unseen card into a slot: a player's place in an open trick, or the cards
laid aside. The winner of each trick leads to the next one, a written hand is played by whoever held
it, and leaders and winners are as they were written down. The search is best first. It fixes who
wins each open trick, and solves only the assignment of cards to slots. If a trick then goes to
another card than its winner's, the search branches on which of the two is the stronger. So the
first assignment without such a trick is the best completion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, count
from typing import NamedTuple

from scorer.cards.board import EMPTY, Board, PlayedTrick
from scorer.cards.line import Line
from scorer.rules.seats import Seat

Tricks = Sequence[PlayedTrick | None]

MOST_UNKNOWN, MOST_STEPS, NEVER = 2, 5000, 10**6
#: The cost of a card point: more than the cost of a card in each slot that rather has another.
A_POINT = 100


class Group(NamedTuple):
    """Players whose card points count together, what each may have played, what may lie aside."""

    players: frozenset[Seat]
    held: Mapping[Seat, frozenset[int]]
    aside: frozenset[int]


class Slot(NamedTuple):
    """A place for a card: in an open trick by its number, or aside (-1).

    ``counts`` says whether it goes to the group, ``leads`` and ``wins`` whether it leads or wins
    the trick. Nothing else about its player matters. A card on the table is the only one of its
    slot.
    """

    trick: int
    leads: bool
    wins: bool
    counts: bool
    cards: frozenset[int]


class Completions(NamedTuple):
    """Completions that agree on who won each trick, and on which cards each slot may have.

    ``points`` are those of the group without the unseen cards.
    """

    points: int
    slots: tuple[Slot, ...]


def tricks_to_complete(line: Line) -> Tricks | None:
    """Return every trick of the deal, or None if too many are unknown or at fault."""
    players, each = len(line.board.players), line.board.facts.tricks
    tricks = [*line.board.tricks, *[None] * (each - len(line.board.tricks))]
    sizes = [len(trick.cards) for trick in tricks if trick is not None]
    wrong = line.doubtful or len(tricks) > each or any(size != players for size in sizes[:-1])
    too_much = max(sizes, default=0) > players or tricks.count(None) > MOST_UNKNOWN
    return None if wrong or too_much else tricks


def most_points(line: Line, tricks: Tricks, groups: Iterable[Group]) -> tuple[int, bool] | None:
    """Return the most points of any group, and whether that is exact or an upper bound.

    None if nothing is possible.
    """
    board, unseen = line.board, line.unseen()
    open_tricks = [trick for trick in tricks if trick and len(trick.cards) < len(board.players)]
    cards = [*unseen, *(card for trick in open_tricks for card in trick.cards)]
    # Starts that differ only in the order of their slots have the same completions.
    starts = {
        (start.points, frozenset(Counter(start.slots).items())): start
        for group in groups
        for start in _starts(line, tricks, group)
        if len(start.slots) == len(cards)
    }
    return _best(line, starts.values(), cards)


def _starts(line: Line, tricks: Tricks, group: Group) -> Iterator[Completions]:
    """Yield every possible sequence of leaders and winners."""
    board = line.board
    aside = board.aside or ()
    if not group.aside.issuperset(aside):
        return
    paths: list[tuple[Seat | None, Completions]] = [(board.first_leader, Completions(0, ()))]
    for index, trick in enumerate(tricks):
        ways = {seat: [*_ways(line, index, trick, seat, group)] for seat in board.players}
        paths = [
            (winner, Completions(before.points + way.points, before.slots + way.slots))
            for expected, before in paths
            for leader in (board.players if expected is None else (expected,))
            for winner, way in ways[leader]
        ]
    for last, before in paths:
        counts = last in group.players
        more = Slot(-1, leads=False, wins=False, counts=counts, cards=group.aside)
        points = before.points + counts * sum(board.deck.points[card] for card in aside)
        yield Completions(points, before.slots + (more,) * (board.facts.monte - len(aside)))


def _ways(
    line: Line, index: int, trick: PlayedTrick | None, leader: Seat, group: Group
) -> Iterator[tuple[Seat, Completions]]:
    """Yield who may have won a trick that this seat led, with its points and slots.

    Nothing if the cards on the table were not held by their players.
    """
    written, players = trick or EMPTY, line.board.turns[leader]
    cards, held = written.cards, [group.held[seat] for seat in players]
    misheld = any(card not in hand for hand, card in zip(held, cards, strict=False))
    if written.leader not in (None, leader) or misheld:
        return
    place = line.places[index] if index < len(line.places) else None
    worth = sum(line.board.deck.points[card] for card in cards)
    known = [frozenset({card}) for card in cards]
    may_be = [*known, *held[len(cards) :]] if len(cards) < len(players) else []
    for at in range(len(players)) if place is None else (place,):
        counts = players[at] in group.players
        if written.winner in (None, players[at]):
            slots = (Slot(index, not n, n == at, counts, each) for n, each in enumerate(may_be))
            yield players[at], Completions(counts * worth, tuple(slots))


def _best(
    line: Line, starts: Iterable[Completions], cards: Sequence[int]
) -> tuple[int, bool] | None:
    """Follow the most promising start; of equal ones the furthest."""
    unseen, numbers = frozenset(cards) - line.seen, count()
    points = {card: line.board.deck.points[card] * (card in unseen) for card in cards}
    most = [0, *accumulate(sorted(points.values(), reverse=True))]
    heap: list[tuple[int, int, int, Completions, list[int] | None]] = []
    for start in starts:
        counting = [slot.counts and not unseen.isdisjoint(slot.cards) for slot in start.slots]
        heap.append((-start.points - most[sum(counting)], 0, next(numbers), start, None))
    heapify(heap)
    for _ in range(MOST_STEPS):
        if not heap:
            return None
        bound, depth, _, start, chosen = heappop(heap)
        if chosen is None:
            chosen = _assign(line, start, points)
            if chosen is not None:
                slots = zip(start.slots, chosen, strict=True)
                value = start.points + sum(points[card] for slot, card in slots if slot.counts)
                heappush(heap, (-value, depth - 1, next(numbers), start, chosen))
            continue
        wrong = _wrong_trick(line, start, chosen)
        if wrong is None:
            return -bound, True
        for more in _narrow(line, start, *wrong):
            heappush(heap, (bound, depth, next(numbers), more, None))
    return (-heap[0][0], False) if heap else None


def _wrong_trick(
    line: Line, start: Completions, chosen: Sequence[int]
) -> tuple[int, int, int] | None:
    """Find the first trick that another card takes, with that card and the lead, if any."""
    deck = line.board.deck
    for number in sorted({slot.trick for slot in start.slots if slot.trick >= 0}):
        played = {c: s for s, c in zip(start.slots, chosen, strict=True) if s.trick == number}
        lead = next(card for card, slot in played.items() if slot.leads)
        best = max(played, key=lambda c: deck.strength(c, deck.suit(lead), line.board.trump))
        if not played[best].wins:
            return number, best, lead
    return None


def _narrow(
    line: Line, start: Completions, number: int, best: int, lead: int
) -> Iterator[Completions]:
    """Split a start so that the card that takes a trick can't lie there as it did."""
    for winners, others, leads in _branches(line.board, best, lead):
        slots = tuple(
            slot._replace(cards=slot.cards & (winners if slot.wins else others))
            if slot.trick == number
            else slot
            for slot in start.slots
        )
        slots = tuple(
            slot._replace(cards=slot.cards & leads) if slot.trick == number and slot.leads else slot
            for slot in slots
        )
        if all(slot.cards for slot in slots):
            yield start._replace(slots=slots)


def _branches(board: Board, best: int, lead: int) -> Iterator[tuple[frozenset[int], ...]]:
    """Yield the ways in which this card does not take a trick; together they miss no completion.

    Each way has the cards that may win the trick, lie in it otherwise, or lead it.
    """
    deck, trump, pack = board.deck, board.trump, board.deck.pack
    strength = {card: deck.strength(card, deck.suit(lead), trump) for card in pack}
    above = frozenset(card for card in pack if strength[card] > strength[best])
    if deck.suit(best) == trump:
        yield above, pack, pack
        yield pack - above, pack - above - {best}, pack
        return
    trumps = frozenset(card for card in pack if deck.suit(card) == trump)
    plain, suit = pack - trumps, frozenset(card for card in pack if strength[card]) - trumps
    yield trumps, pack, pack
    yield above - trumps, plain, suit
    yield suit - above, plain - above - {best}, suit
    yield plain - suit, plain, plain - suit


def _assign(line: Line, start: Completions, points: Mapping[int, int]) -> list[int] | None:
    """Return the possible assignment of cards to slots with the most points; None if none exists.

    Slots are rows, cards are columns, and points are costs below 0. Among equal ones it prefers
    trumps for the winners and other cards for the rest, so that most tricks go to their winners.
    """
    deck, trump = line.board.deck, line.board.trump
    priced = [(card, n * A_POINT, deck.suit(card) == trump) for card, n in points.items()]
    costs = [
        [
            (slot.trick >= 0 and slot.wins != is_trump) - slot.counts * price
            if card in slot.cards
            else NEVER
            for card, price, is_trump in priced
        ]
        for slot in start.slots
    ]
    columns = least_cost(costs)
    if any(costs[row][column] == NEVER for row, column in enumerate(columns)):
        return None
    cards = [*points]
    return [cards[column] for column in columns]


def least_cost(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return each row of a square table a column of its own, so that their cells cost the least.

    This is the Hungarian method. ``row_of`` is the row of each column, both counted from 1; 0 is
    the row to be placed next.
    """
    size = len(costs)
    rows, columns, row_of = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for placed in range(1, size + 1):
        row_of[0], column, used, way = placed, 0, [0], [0] * (size + 1)
        slack, free = [2 * NEVER * (size + 1)] * (size + 1), [*range(1, size + 1)]
        while row := row_of[column]:
            cells, potential = costs[row - 1], rows[row]
            for other in free:
                rest = cells[other - 1] - potential - columns[other]
                if rest < slack[other]:
                    slack[other], way[other] = rest, column
            column = min(free, key=slack.__getitem__)
            step = slack[column]
            for other in used:
                rows[row_of[other]] += step
                columns[other] -= step
            for other in free:
                slack[other] -= step
            free.remove(column)
            used.append(column)
        while column:
            row_of[column] = row_of[way[column]]
            column = way[column]
    return [row_of.index(row, 1) - 1 for row in range(1, size + 1)]
