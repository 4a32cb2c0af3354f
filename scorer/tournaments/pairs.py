"""Plans of two sides a table: round robin, Mitchell, Danish."""

from collections.abc import Sequence
from math import gcd

from scorer.tournaments.facts import (
    Repeat,
    SeatingMethod,
    Sides,
    Tournament,
    TurnSeating,
    meetings,
    seated,
)
from scorer.tournaments.matching import ALLOWED, APART, REPEATED, first_pairs
from scorer.tournaments.standings import standings

Pairs = list[tuple[str, str]]
Met = frozenset[frozenset[str]]


def circle(people: Sequence[str]) -> list[Pairs]:
    """Return the turns of a round robin; with an odd number each rests once.

    >>> circle(["a", "b", "c", "d"])
    [[('a', 'd'), ('b', 'c')], [('a', 'c'), ('d', 'b')], [('a', 'b'), ('c', 'd')]]
    """
    turns = []
    ring: list[str | None] = [*people, *[None] * (len(people) % 2)]
    fixed, *moving = ring
    for _ in moving:
        ring = [fixed, *moving]
        facing = zip(ring, reversed(ring), strict=True)
        turns.append([(a, b) for a, b in [*facing][: len(ring) // 2] if a and b])
        moving = [moving[-1], *moving[:-1]]
    return turns


def opponents(pairs: Pairs) -> list[Sides]:
    """Return the tables of pairs who play against each other, each alone."""
    return [((one,), (other,)) for one, other in pairs]


def circle_turns(count: int) -> int:
    """Return how many turns the round robin of so many has."""
    return count - 1 + count % 2


class RoundRobin(SeatingMethod):
    """Everybody meets everybody once."""

    @property
    def fits(self) -> int:
        return circle_turns(len(self.tournament.order))

    def seat(self, turn: int) -> TurnSeating:
        return seat_circle(self.tournament, self.tournament.order, turn)


def seat_circle(tournament: Tournament, people: Sequence[str], turn: int) -> TurnSeating:
    """Seat a turn of a round robin among some people, with others if it would repeat a meeting."""
    turns, present = circle(people), set(tournament.present(turn))
    here = [entry for entry in people if entry in present]
    if turn > len(turns):
        return TurnSeating([], [])
    for pairs in (turns[turn - 1], *turns):
        playing = [pair for pair in pairs if present >= {*pair}]
        if not any(frozenset(pair) in tournament.met for pair in playing):
            return seated(opponents(playing), here)
    return seat_first_pairs(tournament, here, frozenset(tournament.met))


def seat_first_pairs(tournament: Tournament, order: Sequence[str], forbidden: Met) -> TurnSeating:
    """Seat the first pairs in an order without forbidden ones; with an odd number one rests."""
    resting = tournament.resting(order, len(order) % 2)
    people = [entry for entry in order if entry not in resting]
    levels = [[_level(tournament, frozenset((a, b)), forbidden) for b in people] for a in people]
    pairs = [(people[a], people[b]) for a, b in first_pairs(levels)]
    return seated(opponents(pairs), order, frozenset(map(frozenset, pairs)) & forbidden)


def _level(tournament: Tournament, pair: frozenset[str], forbidden: Met) -> int:
    if pair in tournament.apart:
        return APART
    return REPEATED if pair in forbidden else ALLOWED


class Mitchell(SeatingMethod):
    """One side of each table stays, the other moves up."""

    @property
    def fits(self) -> int:
        tables = len(self.places(len(self.tournament.turns) + 1)) // 2
        return tables // gcd(tables, self.tournament.plan.step)

    def places(self, turn: int) -> list[str | None]:
        """Return who has which place in a turn: who stays at table 1, who moves from it, and so on.

        A late entry takes a place that was left, else a new one at the end.
        """
        tournament = self.tournament
        places: list[str | None] = [*tournament.present(1)]
        places += [None] * (len(places) % 2)
        for number in range(2, turn + 1):
            present = tournament.present(number)
            places = [entry if entry in present else None for entry in places]
            for late in present:
                if tournament.by_id[late].first == number:
                    if None not in places:
                        places += [None, None]
                    places[places.index(None)] = late
        return places

    def seat(self, turn: int) -> TurnSeating:
        """Move by the plan, or further if that would repeat a meeting."""
        places, plan = self.places(turn), self.tournament.plan
        stay, move = places[::2], places[1::2]
        shifts = [(plan.step * (turn - 1) + more) % len(stay) for more in range(len(stay))]
        seatings = [[(a, move[table - shift]) for table, a in enumerate(stay)] for shift in shifts]
        met = frozenset(self.tournament.met)
        turns = [[(a, b) for a, b in pairs if a and b] for pairs in seatings]
        fresh = (pairs for pairs in turns if not met & {*map(frozenset, pairs)})
        pairs = next(fresh, turns[0])
        repeated = met & {*map(frozenset, pairs)}
        return seated(opponents(pairs), self.tournament.present(turn), repeated)


class Danish(SeatingMethod):
    """Neighbours in the standings meet."""

    @property
    def fits(self) -> int:
        """An upper bound: whether so many can be drawn depends on the standings."""
        return circle_turns(len(self.tournament.order))

    def seat(self, turn: int) -> TurnSeating:
        tournament, present = self.tournament, self.tournament.present(turn)
        order = [row.entry for row in standings(tournament) if row.entry in present]
        order = present if turn == 1 else order
        return seat_first_pairs(tournament, order, self._forbidden(turn))

    def _forbidden(self, turn: int) -> Met:
        """Return the meetings that this turn may not repeat."""
        plan, turns = self.tournament.plan, self.tournament.turns
        if plan.repeat is Repeat.NEVER:
            return frozenset(self.tournament.met)
        last_turn = turn == (plan.rounds or self.fits)
        if plan.repeat is Repeat.ANY or last_turn or not turns:
            return frozenset()
        return frozenset(pair for table in turns[-1].tables for pair in meetings(table.sides))
