"""Plans that end with one: the knockout, and groups before it."""

from collections.abc import Sequence
from typing import Any

from scorer.rules.questions import Reading
from scorer.texts import say
from scorer.tournaments.facts import (
    SeatingMethod,
    Tournament,
    TurnDrawn,
    TurnSeating,
    TurnTable,
    seated,
)
from scorer.tournaments.pairs import circle_turns, opponents, seat_circle
from scorer.tournaments.standings import EntryStanding, standings

Slots = list[str | None]
Pair = tuple[str, str]


def bracket(size: int) -> list[int]:
    """Return the seeds of a bracket in its order; neighbours meet.

    >>> bracket(8)
    [1, 8, 5, 4, 6, 3, 7, 2]
    """
    seeds = [1]
    while len(seeds) < size:
        whole = 2 * len(seeds) + 1
        pairs = [(whole - seed, seed) for seed in seeds]
        pairs[0] = (1, whole - 1)
        seeds = [seed for pair in pairs for seed in pair]
    return seeds


def slots_of(seeds: Sequence[str]) -> Slots:
    """Put seeds into their bracket, the better one of two first; missing ones are None."""
    order = bracket(1 << (len(seeds) - 1).bit_length())
    pairs = zip(order[::2], order[1::2], strict=False)
    numbers = [number for pair in pairs for number in sorted(pair)] or [1]
    return [seeds[number - 1] if number <= len(seeds) else None for number in numbers]


class Bracket:
    """A knockout as far as it was played: who is in, and in which turn the others went out."""

    def __init__(
        self, tournament: Tournament, seeds: Sequence[str], first: int, reading: Reading
    ) -> None:
        """Take in the turns that were drawn, and report what is wrong with them."""
        self.tournament, self.seeds = tournament, seeds
        self.slots = slots_of(seeds)
        self.out: dict[str, float] = {}
        #: Who lost before the final, and plays for the third place.
        self.thirds: list[str] = []
        self.turn = first
        for turn in tournament.turns[first - 1 :]:
            self._leave()
            self._take(turn, reading)
            self.turn += 1
        self._leave()

    def _leave(self) -> None:
        """Take out who withdrew before this turn; a turn without a table is passed over."""
        for number, entry in enumerate(self.slots):
            if entry is not None and not self.tournament.by_id[entry].plays(self.turn):
                self.slots[number] = None
                self.out[entry] = self.turn
        while len(self.slots) > 2 and not self.pairs():
            halves = zip(self.slots[::2], self.slots[1::2], strict=True)
            self.slots, self.thirds = [one or other for one, other in halves], []

    def pairs(self) -> list[Pair]:
        """Return who meets now: the bracket's tables, then that for the third place."""
        ends = zip(self.slots[::2], self.slots[1::2], strict=False)
        pairs = [(one, other) for one, other in ends if one and other]
        for_third = [
            entry for entry in self.thirds if self.tournament.by_id[entry].plays(self.turn)
        ]
        if pairs and len(self.slots) == 2 and len(for_third) == 2:
            pairs.append((for_third[0], for_third[1]))
        return pairs

    def _take(self, turn: TurnDrawn, reading: Reading) -> None:
        wanted = {frozenset(pair) for pair in self.pairs()}
        winners: dict[frozenset[str], str | None] = {}
        for table in turn.tables:
            pair = frozenset(entry for side in table.sides for entry in side)
            if pair not in wanted or pair in winners:
                reading.fault("wrong-table", f"{table.path}.sides", NOT_IN_BRACKET)
            winners[pair] = self._winner(table, reading)
        if not wanted <= winners.keys():
            path = f"rounds[{self.turn - 1}].tables"
            reading.fault("wrong-table", path, say("A table of the bracket is missing."))
        slots: Slots = []
        losers = []
        for one, other in zip(self.slots[::2], self.slots[1::2], strict=False):
            winner = winners.get(frozenset((one, other))) if one and other else one or other
            slots.append(winner)
            if one and other and winner:
                losers.append(other if winner == one else one)
        self.out |= dict.fromkeys(losers, self.turn)
        if len(self.slots) == len(self.thirds) == 2:
            third = winners.get(frozenset(self.thirds))
            self.out |= {third: self.out[third] + 0.5} if third else {}
        plan = self.tournament.plan
        for_third = plan.third_place or plan.then.get("third_place") is True
        self.thirds = losers if for_third and len(self.slots) == 4 else []
        self.slots = slots

    def _winner(self, table: TurnTable, reading: Reading) -> str | None:
        if table.plays:
            return None
        side = table.winner()
        if side is None:
            message = say("Somebody has to win here: a level result sends nobody on.")
            reading.fault("needs-a-winner", f"{table.path}.scores", message)
        return None if side is None else side[0]

    def seat(self) -> TurnSeating:
        pairs = self.pairs()
        return seated(opponents(pairs), filter(None, self.slots) if pairs else [])

    def places(self, rows: list[EntryStanding]) -> list[EntryStanding]:
        """Order rows by the turn of going out; who was never in comes after, as they stood."""
        ranks = {entry: float("inf") for entry in self.seeds} | self.out
        ordered = sorted(rows, key=lambda row: -ranks.get(row.entry, 0))
        for number, row in enumerate(ordered):
            before = ordered[number - 1] if number else None
            rank = ranks.get(row.entry)
            if rank is not None:
                row.broken_by = None
                level = before is not None and ranks.get(before.entry) == rank
                row.place = before.place if before and level else number + 1
        return ordered


NOT_IN_BRACKET = say("The bracket has no such table in this turn.")


class Knockout(SeatingMethod):
    """Who loses is out."""

    @property
    def fits(self) -> int:
        return (len(self.tournament.present(1)) - 1).bit_length()

    def bracket(self, reading: Reading) -> Bracket:
        return Bracket(self.tournament, self.tournament.present(1), 1, reading)

    def seat(self, turn: int) -> TurnSeating:  # noqa: ARG002  # all plans are seated so
        return self.bracket(Reading()).seat()


class Groups(SeatingMethod):
    """Round robins in groups; the first of each go on to a knockout."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(tournament)
        count = tournament.plan.groups
        rows = [tournament.order[at : at + count] for at in range(0, len(tournament.order), count)]
        self.groups: list[list[str]] = [[] for _ in range(count)]
        for number, row in enumerate(rows):
            there = self.groups[::-1] if number % 2 else self.groups
            for group, entry in zip(there, row, strict=False):
                group.append(entry)

    @property
    def group_turns(self) -> int:
        return max(circle_turns(len(group)) for group in self.groups)

    @property
    def fits(self) -> int:
        plan = self.tournament.plan
        return self.group_turns + (plan.groups * plan.through - 1).bit_length()

    def bracket(self, reading: Reading) -> Bracket | None:
        """Return the knockout once the groups have played; None before."""
        turns = self.tournament.turns[: self.group_turns]
        if len(turns) < self.group_turns or any(turn.plays for turn in turns):
            return None
        return Bracket(self.tournament, self._seeds(turns), self.group_turns + 1, reading)

    def _seeds(self, turns: Sequence[TurnDrawn]) -> list[str]:
        """Return the firsts, then the seconds …, so that no two of a group meet at once."""
        tables = [
            [
                row.entry
                for row in standings(self.tournament, turns, group)
                if self.tournament.by_id[row.entry].plays(self.group_turns + 1)
            ]
            for group in self.groups
        ]
        ranks = [
            [table[rank] for table in tables if rank < len(table)]
            for rank in range(self.tournament.plan.through)
        ]
        groups = {entry: number for number, group in enumerate(self.groups) for entry in group}
        return kept_apart(ranks, groups) or [entry for rank in ranks for entry in rank]

    def seat(self, turn: int) -> TurnSeating:
        bracket = self.bracket(Reading())
        if bracket is not None:
            return bracket.seat()
        seatings = [seat_circle(self.tournament, group, turn) for group in self.groups]
        return TurnSeating(
            [sides for seating in seatings for sides in seating.tables],
            [entry for seating in seatings for entry in seating.byes],
            frozenset().union(*(seating.repeated for seating in seatings)),
        )


def kept_apart(ranks: Sequence[list[str]], groups: dict[str, Any]) -> list[str] | None:
    """Return the first seeds in order in which no two of a group meet in the first turn."""
    count = sum(map(len, ranks))
    size = 1 << (count - 1).bit_length()

    def place(seeds: list[str]) -> list[str] | None:
        if len(seeds) == count:
            return seeds
        rank = next(rank for rank in ranks if not {*rank} <= {*seeds})
        opponent = size - 1 - len(seeds)
        for entry in rank:
            meets = opponent < len(seeds) and groups[seeds[opponent]] == groups[entry]
            if entry not in seeds and not meets:
                whole = place([*seeds, entry])
                if whole:
                    return whole
        return None

    return place([])
