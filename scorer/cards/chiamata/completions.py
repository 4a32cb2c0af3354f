"""The most card points that a side can end with, over all ways to complete a record.

A completion puts every unseen card into a slot: a player's place in an open trick, or the cards
laid aside. The winner of each trick leads to the next one, a written hand is played by whoever held
it, and leaders and winners are as they were written down. The search is best first. It fixes who
wins each open trick, and solves only the assignment of cards to slots. If a trick then goes to
another card than its winner's, the search branches on which of the two is the stronger. So the
first assignment without such a trick is the best completion.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, count
from typing import NamedTuple

from scorer.cards.chiamata.record import ChiamataLayout
from scorer.cards.trick_game import EMPTY, CardPile
from scorer.rules.seats import Seat

Tricks = Sequence[CardPile | None]

MOST_UNKNOWN = 2
MOST_STEPS = 5000
NEVER = 10**6
#: The cost of a card point: more than the cost of a card in each slot that rather has another.
A_POINT = 100


class Side(NamedTuple):
    """Players whose card points count together, in one possible distribution of the cards.

    ``held`` are the cards that each player may have played, ``aside`` those that may lie aside.
    """

    players: frozenset[Seat]
    held: Mapping[Seat, frozenset[int]]
    aside: frozenset[int]


class OpenTrick(NamedTuple):
    """A trick with cards to come: the cards that lie there, and which of them wins, if any."""

    cards: tuple[int, ...]
    winner: int | None


class Slot(NamedTuple):
    """Where an unseen card may be: in an open trick by its number, or aside (-1).

    ``counts`` says whether it goes to the side whose points are wanted, ``leads`` and ``wins``
    whether it leads or wins the trick. Nothing else about its player matters.
    """

    trick: int
    leads: bool
    wins: bool
    counts: bool
    cards: frozenset[int]


class CompletionSearch(NamedTuple):
    """The completions that agree on who won each trick, and on which cards each slot may have.

    ``points`` are those of the side without the cards in the slots.
    """

    points: int
    tricks: tuple[OpenTrick, ...]
    slots: tuple[Slot, ...]


class Branch(NamedTuple):
    """The cards that may win a trick, lie in it otherwise, or lead it."""

    winner: frozenset[int]
    others: frozenset[int]
    lead: frozenset[int]

    def allowed(self, *, leads: bool, wins: bool) -> frozenset[int]:
        cards = self.winner if wins else self.others
        return cards & self.lead if leads else cards


def tricks_to_complete(layout: ChiamataLayout) -> Tricks | None:
    """Return every trick of the deal, or None if too many are unknown or at fault."""
    players, each = len(layout.turns), layout.deal.trick_count
    tricks = [*layout.deal.tricks, *[None] * (each - len(layout.deal.tricks))]
    sizes = [players if trick is None else len(trick.cards) for trick in tricks]
    begun = [size for size, trick in zip(sizes, tricks, strict=True) if trick is not None]
    if layout.doubtful or len(tricks) > each or any(size != players for size in begun[:-1]):
        return None
    too_much = max(sizes) > players or tricks.count(None) > MOST_UNKNOWN
    return None if too_much else tricks


def most_points(
    layout: ChiamataLayout, tricks: Tricks, sides: Iterable[Side]
) -> tuple[int, bool] | None:
    """Return the most points that a side can end with, and whether that is exact or an upper bound.

    None if nothing is possible.
    Starts that differ only in the order of their slots have the same completions: one is searched.
    """
    unseen = layout.unseen()
    starts = {
        (start.points, start.tricks, frozenset(Counter(start.slots).items())): start
        for side in sides
        for start in _starts(layout, tricks, side)
        if len(start.slots) == len(unseen)
    }
    return _best(layout, starts.values(), unseen)


def _starts(layout: ChiamataLayout, tricks: Tricks, side: Side) -> Iterator[CompletionSearch]:
    """Yield every possible sequence of leaders and winners."""
    deck, aside = layout.deal.deck, layout.deal.aside
    if not side.aside.issuperset(aside):
        return
    paths: list[tuple[Seat | None, CompletionSearch]] = [
        (layout.deal.first_leader, CompletionSearch(0, (), ()))
    ]
    for index, trick in enumerate(tricks):
        ways = {seat: [*_ways(layout, index, trick, seat, side)] for seat in layout.turns}
        paths = [
            (
                winner,
                CompletionSearch(
                    before.points + points,
                    before.tricks + begun,
                    before.slots
                    + tuple([slot._replace(trick=len(before.tricks)) for slot in slots]),
                ),
            )
            for expected, before in paths
            for leader in (layout.turns if expected is None else (expected,))
            for winner, points, begun, slots in ways[leader]
        ]
    for last, before in paths:
        counts = last in side.players
        more = Slot(-1, leads=False, wins=False, counts=counts, cards=side.aside)
        yield before._replace(
            points=before.points + counts * sum([deck.points[card] for card in aside]),
            slots=before.slots + (more,) * (layout.deal.laid_aside - len(aside)),
        )


def _ways(
    layout: ChiamataLayout, index: int, trick: CardPile | None, leader: Seat, side: Side
) -> Iterator[tuple[Seat, int, tuple[OpenTrick, ...], list[Slot]]]:
    """Yield who may have won a trick that this seat led: the points, and what is open in it.

    None if the cards on the table were not held by their players.
    """
    cards, players = (trick or EMPTY).cards, layout.turns[leader]
    written = EMPTY if trick is None else trick
    held = [side.held[seat] for seat in players]
    if written.leader not in (None, leader) or any(
        card not in hand for hand, card in zip(held, cards, strict=False)
    ):
        return
    place = layout.places[index] if index < len(layout.places) else None
    worth = sum([layout.deal.deck.points[card] for card in cards])
    for at in range(len(players)) if place is None else (place,):
        winner = players[at]
        if written.winner in (None, winner):
            counts = winner in side.players
            slots = [
                Slot(0, leads=not other, wins=other == at, counts=counts, cards=held[other])
                for other in range(len(cards), len(players))
            ]
            lying = at if at < len(cards) else None
            yield winner, counts * worth, (OpenTrick(cards, lying),) if slots else (), slots


def _best(
    layout: ChiamataLayout, starts: Iterable[CompletionSearch], unseen: Sequence[int]
) -> tuple[int, bool] | None:
    """Follow the most promising search; of equal ones the furthest."""
    points = layout.deal.deck.points
    most = [0, *accumulate(sorted((points[card] for card in unseen), reverse=True))]
    numbers = count()
    heap: list[tuple[int, int, int, CompletionSearch, list[int] | None]] = [
        (
            -search.points - most[sum([slot.counts for slot in search.slots])],
            0,
            next(numbers),
            search,
            None,
        )
        for search in starts
    ]
    heapify(heap)
    for _ in range(MOST_STEPS):
        if not heap:
            return None
        bound, depth, _, search, cards = heappop(heap)
        if cards is None:
            cards = _assign(layout, search, unseen)
            if cards is not None:
                slots = zip(search.slots, cards, strict=True)
                value = search.points + sum([points[card] for slot, card in slots if slot.counts])
                heappush(heap, (-value, depth - 1, next(numbers), search, cards))
            continue
        wrong = _wrong_trick(layout, search, cards)
        if wrong is None:
            return -bound, True
        for more in _narrow(layout, search, *wrong):
            heappush(heap, (bound, depth, next(numbers), more, None))
    return (-heap[0][0], False) if heap else None


def _wrong_trick(
    layout: ChiamataLayout, search: CompletionSearch, cards: Sequence[int]
) -> tuple[int, int, int] | None:
    """Find the first trick that another card takes, with that card and the lead, if any."""
    for number, trick in enumerate(search.tricks):
        slots = [
            (slot, card)
            for slot, card in zip(search.slots, cards, strict=True)
            if slot.trick == number
        ]
        played = [*trick.cards, *[card for _, card in slots]]
        lead = trick.cards[0] if trick.cards else next(card for slot, card in slots if slot.leads)
        strengths = layout.deal.deck.strengths(layout.deal.trump, lead)
        best = max(played, key=strengths.__getitem__)
        wins = trick.winner is not None and trick.cards[trick.winner] == best
        if not wins and not any(card == best and slot.wins for slot, card in slots):
            return number, best, lead
    return None


def _narrow(
    layout: ChiamataLayout, search: CompletionSearch, number: int, best: int, lead: int
) -> Iterator[CompletionSearch]:
    """Split a search so that the card that takes a trick can't lie there as it did."""
    trick = search.tricks[number]
    for branch in _branches(layout, best, lead):
        if all(
            card in branch.allowed(leads=not place, wins=place == trick.winner)
            for place, card in enumerate(trick.cards)
        ):
            slots = [
                slot._replace(cards=slot.cards & branch.allowed(leads=slot.leads, wins=slot.wins))
                if slot.trick == number
                else slot
                for slot in search.slots
            ]
            yield search._replace(slots=tuple(slots))


def _branches(layout: ChiamataLayout, best: int, lead: int) -> Iterator[Branch]:
    """Yield the ways in which this card does not take a trick; together they miss no completion."""
    deck, trump, pack = layout.deal.deck, layout.deal.trump, layout.deal.letters.pack
    strengths = deck.strengths(trump, lead)
    above = frozenset([card for card in pack if strengths[card] > strengths[best]])
    if deck.suit_of(best) == trump:
        yield Branch(above, pack, pack)
        yield Branch(pack - above, pack - above - {best}, pack)
        return
    trumps = frozenset([card for card in pack if deck.suit_of(card) == trump])
    plain, suit = pack - trumps, frozenset([card for card in pack if strengths[card]]) - trumps
    yield Branch(trumps, pack, pack)
    yield Branch(above - trumps, plain, suit)
    yield Branch(suit - above, plain - above - {best}, suit)
    yield Branch(plain - suit, plain, plain - suit)


def _assign(
    layout: ChiamataLayout, search: CompletionSearch, unseen: Sequence[int]
) -> list[int] | None:
    """Return the possible assignment of cards to slots with the most points; None if none exists.

    Slots are rows, cards are columns, and points are costs below 0. Among equal ones it prefers
    trumps for the winners and other cards for the rest, so that most tricks go to their winners.
    """
    deck, trump = layout.deal.deck, layout.deal.trump
    priced = [(card, deck.points[card] * A_POINT, deck.suit_of(card) == trump) for card in unseen]
    costs = [
        [
            (slot.trick >= 0 and slot.wins != is_trump) - slot.counts * price
            if card in slot.cards
            else NEVER
            for card, price, is_trump in priced
        ]
        for slot in search.slots
    ]
    columns = least_cost(costs)
    if any(costs[row][column] == NEVER for row, column in enumerate(columns)):
        return None
    return [unseen[column] for column in columns]


def least_cost(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return each row of a square table a column of its own, so that their cells cost the least.

    This is the Hungarian method. ``row_of`` is the row of each column, both counted from 1; 0 is
    the row to be placed next.
    """
    size = len(costs)
    of_rows, of_columns, row_of = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0] = row
        column, way = _way_to_free_column(costs, of_rows, of_columns, row_of)
        while column:
            row_of[column] = row_of[way[column]]
            column = way[column]
    columns = [0] * size
    for column in range(1, size + 1):
        columns[row_of[column] - 1] = column - 1
    return columns


def _way_to_free_column(
    costs: Sequence[Sequence[int]], of_rows: list[int], of_columns: list[int], row_of: list[int]
) -> tuple[int, list[int]]:
    """Return the nearest column without a row, and the column before each on the way.

    The potentials of rows and columns are changed, so that the way to it costs nothing.
    """
    size, column, used = len(costs), 0, [0]
    slack = [2 * NEVER * (size + 1)] * (size + 1)
    way, free = [0] * (size + 1), [*range(1, size + 1)]
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
