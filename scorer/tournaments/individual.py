"""The individual plan: tables of two pairs, and a new partner each turn.

With 4k entries, one stands still and the others go round, each turn one step, in a circle of
4k - 1; with 4k + 1 all go round, and one rests. So the first turn makes all the others, and each
difference within a pair has to be there once. For 4, 8, 12 and 16 a first turn is searched for in
which each difference between opponents is there exactly twice (a whist tournament); otherwise
partners are i and -i, which differ by 2i.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from scorer.tournaments.facts import SeatingMethod, Side, Sides, TurnSeating, meetings, seated
from scorer.tournaments.matching import ALLOWED, APART, REPEATED, first_pairs

#: Positions at a table: two partners against two.
Four = tuple[int, int, int, int]
LARGEST_SEARCH, LARGEST_TRIAL = 16, 24


def first_turn(count: int) -> list[Four]:
    """Return the tables of turn 1 for 4k or 4k + 1 entries; the last of 4k stands still.

    >>> first_turn(8)
    [(7, 0, 1, 3), (2, 6, 4, 5)]
    """
    ring = ring_of(count)
    if count > ring and count <= LARGEST_SEARCH:
        return whist(ring)
    pairs = [(i, ring - i) for i in range(1, (ring + 1) // 2)]
    if count > ring:
        pairs.insert(0, (count - 1, 0))
    return _tables(pairs, ring)


def whist(ring: int) -> list[Four]:
    """Return a turn in which partners differ by each figure once, and opponents twice."""
    partners, opponents = [0] * ring, [0] * ring

    def fill(free: list[int], tables: list[Four]) -> list[Four]:
        """Fill tables with those who are free; an empty list if that fails."""
        if not free:
            return tables
        first, *others = free
        for partner, left, right in (
            (partner, left, right)
            for partner in others
            for left, right in combinations(others, 2)
            if partner not in (left, right)
        ):
            table = (first, partner, left, right)
            if _count(table, partners, opponents, 1):
                after = [entry for entry in others if entry not in table]
                whole = fill(after, [*tables, table])
                if whole:
                    return whole
            _count(table, partners, opponents, -1)
        return []

    return fill([ring, *range(ring)], [])


def _count(table: Four, partners: list[int], opponents: list[int], add: int) -> bool:
    """Count the differences at a table; False if one is there too often."""
    a, b, c, d = table
    ring, fine = len(partners), True
    for counts, pairs, most in (
        (partners, ((a, b), (c, d)), 1),
        (opponents, ((a, c), (a, d), (b, c), (b, d)), 2),
    ):
        for one, other in pairs:
            if one < ring:  # who stands still is the first at a table
                difference = min((one - other) % ring, (other - one) % ring)
                counts[difference] += add
                fine = fine and counts[difference] <= most
    return fine


def _tables(pairs: Sequence[tuple[int, int]], ring: int) -> list[Four]:
    """Seat pairs of i and -i against each other, so that few differences come again."""
    left, used, tables = [*pairs], set[int](), list[Four]()
    while left:
        first = left.pop(0)
        again = [len(used & _differences(first, pair, ring)) for pair in left]
        other = left.pop(again.index(min(again)))
        used |= _differences(first, other, ring)
        tables.append((*first, *other))
    return tables


def _differences(one: tuple[int, int], other: tuple[int, int], ring: int) -> set[int]:
    return {min((a - b) % ring, (b - a) % ring) for a in one for b in other if max(a, b) < ring}


class Individual(SeatingMethod):
    """Two against two, with a new partner each turn."""

    @property
    def fits(self) -> int:
        """How many turns there are without a partner twice: by the plan, or by a trial."""
        people = self.tournament.present(1)
        if len(people) % 4 < 2:
            return ring_of(len(people))
        if len(people) > LARGEST_TRIAL:
            return len(people) // 4 * 2
        trial = replace(self.tournament, turns=())
        while True:
            seating, had = Individual(trial).seat(1), trial.partnered
            if any(frozenset(side) in had for sides in seating.tables for side in sides):
                return len(trial.turns)
            trial = trial.with_turn(seating)

    def seat(self, turn: int) -> TurnSeating:
        """Seat by the plan; where somebody left or came, by who was whose partner so far."""
        tournament, people = self.tournament, self.tournament.present(turn)
        before = tournament.partnered
        if len(people) < 4:
            return TurnSeating([], people)
        if len(people) % 4 < 2:
            planned = _turn(people, turn)
            seating, rested = seated(planned, people), tournament.rested
            least = min(rested[entry] for entry in people)
            fair = all(rested[entry] == least for entry in seating.byes)
            fresh = not {frozenset(pair) for four in planned for pair in four} & before.keys()
            if turn > ring_of(len(people)) or (fair and fresh):
                return seating
        resting = tournament.resting(people, len(people) % 4)
        pairs = self._partners([one for one in people if one not in resting])
        return seated(self._opponents(pairs), people)

    def _partners(self, people: list[str]) -> list[Side]:
        """Pair people with the partner they had least often."""
        had = self.tournament.partnered
        counts = [[had[frozenset((a, b))] if a != b else 0 for b in people] for a in people]
        least = min(had[frozenset(pair)] for pair in combinations(people, 2))
        levels = [[REPEATED if count > least else ALLOWED for count in row] for row in counts]
        return [(people[a], people[b]) for a, b in first_pairs(levels)]

    def _opponents(self, pairs: list[Side]) -> list[Sides]:
        """Seat pairs against those whom they met least."""
        met, apart = self.tournament.met, self.tournament.apart
        costs = [[sum(met[pair] for pair in meetings((a, b))) for b in pairs] for a in pairs]
        kept = [[any(pair in apart for pair in meetings((a, b))) for b in pairs] for a in pairs]

        def paired(most: int) -> list[tuple[int, int]] | None:
            """Seat all without those who met more often; None if somebody has to."""
            levels = [
                [APART if never else REPEATED if cost > most else ALLOWED for cost, never in both]
                for both in (zip(*rows, strict=True) for rows in zip(costs, kept, strict=True))
            ]
            found = first_pairs(levels)
            return None if any(levels[a][b] == REPEATED for a, b in found) else found

        limits = sorted({cost for row in costs for cost in row})
        tables = next(filter(None, map(paired, limits)))
        return [(pairs[a], pairs[b]) for a, b in tables]


def ring_of(count: int) -> int:
    """Return how many go round: after so many turns everybody was everybody's partner."""
    return count - (count % 4 == 0)


def _turn(people: Sequence[str], turn: int) -> list[Sides]:
    """Turn the first turn on by so many steps; who is last rests first."""
    ring = ring_of(len(people))
    moved = [people[(place - turn) % ring] for place in range(ring)] + [*people[ring:]]
    return [((moved[a], moved[b]), (moved[c], moved[d])) for a, b, c, d in first_turn(len(people))]
