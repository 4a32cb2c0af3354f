"""Tables of three to six single players who meet as few others twice as can be.

For m full tables, entry (row, column) sits in turn k at table column + k · row, in a ring of m
elements. Two who sit together in two turns would have (k - k') · (row - row') = 0, which can't be
where rows differ by elements with an inverse: nobody meets anybody twice in m turns, and in one
more, where each row is a table, if there are as many rows as tables.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

from scorer.tournaments.facts import Rest, SeatingMethod, Sides, TurnSeating, meetings, seated

#: So many seats are tried at most to find out how many turns fit.
MOST_TRIED = 600
#: What it costs to seat two together who should be kept apart.
KEPT_APART = 1_000
#: As long as somebody meets twice a draw begins again, each time with another entry, for this many
#: seats.
MOST_STARTED = 360


def by_ring(count: int, size: int, turn: int) -> list[list[int]] | None:
    """Return who sits where, by numbers in drawn order; None where the ring has no such turn.

    >>> [by_ring(9, 3, turn)[0] for turn in (1, 2, 3, 4)]
    [[0, 1, 2], [0, 7, 5], [0, 4, 8], [0, 3, 6]]
    """
    tables = count // size
    if count % size or tables < 2 or turn > ring_turns(tables, size):
        return None
    if turn > tables:
        return [[table * size + row for table in range(tables)] for row in range(size)]
    ring = Ring(tables)
    seats: list[list[int]] = [[] for _ in range(tables)]
    for row in range(size):
        for column in range(tables):
            seats[ring.table(column, turn - 1, row)].append(column * size + row)
    return seats


def ring_turns(tables: int, size: int) -> int:
    """Return how many turns the ring has."""
    return tables + (size == tables) if Ring(tables).units >= size else 0


class Tables(SeatingMethod):
    """Single players, at tables of a size."""

    @property
    def fits(self) -> int:
        """How many turns can be drawn in which nobody meets anybody twice."""
        count, size = len(self.tournament.present(1)), self.tournament.plan.size
        if by_ring(count, size, 1):
            return ring_turns(count // size, size)
        trial = replace(self.tournament, turns=())
        while len(trial.turns) * count < MOST_TRIED:
            seating = Tables(trial).seat(1)
            if any(pair in trial.met for sides in seating.tables for pair in meetings(sides)):
                break
            trial = trial.with_turn(seating)
        return len(trial.turns)

    def sizes(self, count: int) -> list[int]:
        """Return how many sit at each table."""
        size = self.tournament.plan.size
        tables, over = divmod(count, size)
        larger = min(over, tables) if self.tournament.plan.rest is Rest.LARGER else 0
        return [size + (number >= tables - larger) for number in range(tables)]

    def seat(self, turn: int) -> TurnSeating:
        """Seat by the ring, or so that few meet again who met before."""
        people = self.tournament.present(turn)
        sizes = self.sizes(len(people))
        numbers = by_ring(len(people), self.tournament.plan.size, turn)
        if numbers:
            tables: list[Sides] = [tuple((people[n],) for n in table) for table in numbers]
            met = self.tournament.met.keys() | self.tournament.apart
            if not any(pair in met for sides in tables for pair in meetings(sides)):
                return TurnSeating(tables, [])
        resting = self.tournament.resting(people, len(people) - sum(sizes))
        playing = [entry for entry in people if entry not in resting]
        drawn = self._drawn(playing, sizes)
        return seated((tuple((entry,) for entry in table) for table in drawn), people)

    def _drawn(self, people: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
        """Seat people apart from those they met, the best of several trials."""
        costs = [[self._cost(a, b) for b in people] for a in people]
        best: list[list[int]] = []
        for start in range(min(len(people), 1 + MOST_STARTED // max(1, len(people)))):
            order = [*range(start, len(people)), *range(start)]
            tables = improved(greedy(order, sizes, costs), costs)
            if not best or total(tables, costs) < total(best, costs):
                best = tables
            if total(best, costs) == 0:
                break
        return [[people[number] for number in table] for table in best]

    def _cost(self, one: str, other: str) -> int:
        pair = frozenset((one, other))
        return self.tournament.met[pair] + KEPT_APART * (pair in self.tournament.apart)


Costs = Sequence[Sequence[int]]


def greedy(order: list[int], sizes: Sequence[int], costs: Costs) -> list[list[int]]:
    """Fill table after table, each place with who costs least there, the first in order of them."""
    left, tables = [*order], []
    for size in sizes:
        table = [left.pop(0)]
        load = {one: costs[table[0]][one] for one in left}
        while len(table) < size:
            cheapest = min(left, key=load.__getitem__)
            left.remove(cheapest)
            table.append(cheapest)
            load = {one: load[one] + costs[cheapest][one] for one in left}
        tables.append(table)
    return tables


def total(tables: Sequence[Sequence[int]], costs: Costs) -> int:
    return sum(costs[a][b] for table in tables for a, b in combinations(table, 2))


def improved(tables: list[list[int]], costs: Costs) -> list[list[int]]:
    """Exchange two places as long as that makes it cheaper."""
    changed = True
    while changed:
        changed = False
        for one, other in permutations(tables, 2):
            for place, entry in enumerate(one):
                if _cost_at(entry, one, costs):
                    changed = _exchanged(place, one, other, costs) or changed
    return tables


def _cost_at(entry: int, table: Sequence[int], costs: Costs, but: int = -1) -> int:
    """Return what it costs to seat an entry at a table, where another one has left it."""
    return sum(costs[entry][other] for other in table if other not in (entry, but))


def _exchanged(place: int, one: list[int], other: list[int], costs: Costs) -> bool:
    """Exchange the entry at a place with the first of another table with whom that is cheaper."""
    entry = one[place]
    for number, candidate in enumerate(other):
        now = _cost_at(entry, one, costs) + _cost_at(candidate, other, costs)
        then = _cost_at(entry, other, costs, candidate) + _cost_at(candidate, one, costs, entry)
        if then < now:
            one[place], other[number] = candidate, entry
            return True
    return False


Digits = tuple[int, ...]


def prime_powers(number: int) -> list[tuple[int, int]]:
    """Return the primes of a number with their powers.

    >>> prime_powers(40)
    [(2, 3), (5, 1)]
    """
    powers, prime = [], 2
    while number > 1:
        power = 0
        while number % prime == 0:
            number //= prime
            power += 1
        powers += [(prime, power)] if power else []
        prime += 1
    return powers


class PrimeField:
    """The field of a prime power: an element is a number whose digits are those of a polynomial."""

    def __init__(self, prime: int, power: int) -> None:
        self.prime, self.power, self.size = prime, power, int(prime**power)
        self.powers = next(
            powers
            for tail in product(range(prime), repeat=power)
            if len(powers := self._powers(tail)) == self.size - 1
        )
        self.logs = {element: log for log, element in enumerate(self.powers)}

    def _powers(self, tail: Digits) -> list[int]:
        """Return the powers of x until they come again, if x to the power of the degree is tail."""
        element: Digits = (1, *[0] * (self.power - 1))
        powers: list[int] = []
        while (number := self._number(element)) not in powers and number:
            powers.append(number)
            *low, high = element
            shifted = (0, *low)
            element = tuple((a + high * b) % self.prime for a, b in zip(shifted, tail, strict=True))
        return powers

    def _number(self, digits: Digits) -> int:
        return sum(digit * int(self.prime**place) for place, digit in enumerate(digits))

    def _digits(self, number: int) -> Iterator[int]:
        for _ in range(self.power):
            number, digit = divmod(number, self.prime)
            yield digit

    def add(self, one: int, other: int) -> int:
        digits = zip(self._digits(one), self._digits(other), strict=True)
        return self._number(tuple((a + b) % self.prime for a, b in digits))

    def times(self, one: int, other: int) -> int:
        if not one or not other:
            return 0
        return self.powers[(self.logs[one] + self.logs[other]) % (self.size - 1)]


class Ring:
    """A field for each prime power of a number, side by side.

    Two of its first ``units`` elements differ by one that has an inverse.
    """

    def __init__(self, size: int) -> None:
        self.fields = [PrimeField(*power) for power in prime_powers(size)]
        self.units = min(field.size for field in self.fields)

    def table(self, column: int, turn: int, row: int) -> int:
        """Return column + turn × row, where the row is the same element of each field."""
        result, scale = 0, 1
        for field in self.fields:
            column, its_column = divmod(column, field.size)
            turn, its_turn = divmod(turn, field.size)
            result += scale * field.add(its_column, field.times(its_turn, row))
            scale *= field.size
        return result
