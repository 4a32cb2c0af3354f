"""A tournament as it was written down: entries, plan, what a table is worth, the turns so far."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from typing import Annotated, NamedTuple

from scorer.rules.questions import Ask, Json

#: Those who play together: one entry, or two partners of an individual tournament.
Side = tuple[str, ...]
Sides = tuple[Side, ...]
MOST_TURNS, MOST_POINTS = 999, 1_000_000


class PlanKind(StrEnum):
    """How a tournament seats its entries."""

    ROUND_ROBIN = "round-robin"
    MITCHELL = "mitchell"
    DANISH = "danish"
    KNOCKOUT = "knockout"
    INDIVIDUAL = "individual"
    TABLES = "tables"
    GROUPS = "groups"


#: Plans in which everybody is an entry alone.
SINGLE = (PlanKind.INDIVIDUAL, PlanKind.TABLES)


class DrawBy(StrEnum):
    """The order in which the entries are seated."""

    ORDER = "order"
    LOT = "lot"


class Repeat(StrEnum):
    """Whom a Danish turn may bring together again."""

    ANY = "any"
    LAST = "last"
    NEVER = "never"


class Rest(StrEnum):
    """What becomes of those who don't fill a table."""

    TURN = "turn"
    LARGER = "larger"


class PointsKind(StrEnum):
    """What a table is worth."""

    RESULT = "result"
    VICTORY = "victory"
    SCORES = "scores"
    PLACES = "places"
    GAMES = "games"


class TieBreak(StrEnum):
    """What orders entries that are level on points."""

    HEAD_TO_HEAD = "head-to-head"
    DIFFERENCE = "difference"
    SCORED = "scored"
    CONCEDED = "conceded"
    WINS = "wins"
    OPPONENTS = "opponents"
    LOT = "lot"


@dataclass(frozen=True, slots=True)
class Plan:
    """How the entries are seated, turn after turn; without ``rounds``, as many as fit."""

    kind: Annotated[PlanKind, Ask("How the entries are seated")]
    rounds: Annotated[int | None, Ask("Turns", low=1, high=MOST_TURNS)] = None
    draw: Annotated[DrawBy, Ask("In which order they are drawn")] = DrawBy.ORDER
    step: Annotated[int, Ask("Step", low=1, high=MOST_TURNS)] = 1
    repeat: Annotated[Repeat, Ask("Whom a Danish turn may bring together again")] = Repeat.ANY
    third_place: Annotated[bool, Ask("Whether a match is played for the third place")] = False
    size: Annotated[int, Ask("Size of a table", low=3, high=6)] = 5
    rest: Annotated[Rest, Ask("What becomes of those who fill no table")] = Rest.TURN
    groups: Annotated[int, Ask("Groups", low=1, high=100)] = 2
    through: Annotated[int, Ask("How many go on", low=1, high=100)] = 2
    then: Annotated[Json, Ask("The knockout after the groups")] = field(default_factory=Json)


class Points(NamedTuple):
    """What a table is worth; ``table`` has rows of a largest difference and the winner's points."""

    kind: PointsKind = PointsKind.RESULT
    win: int = 3
    draw: int = 1
    loss: int = 0
    values: tuple[int, ...] = (5, 4, 3, 2, 1)
    table: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One person, a pair or a team; in from one turn on, until before another one."""

    id: str
    name: str
    first: int = 1
    withdrawn: int = MOST_TURNS + 1

    def plays(self, turn: int) -> bool:
        return self.first <= turn < self.withdrawn


@dataclass(frozen=True, slots=True)
class TurnTable:
    """A table of a turn; ``scores`` are None while it plays, ``path`` is where it was written."""

    sides: Sides
    scores: tuple[int, ...] | None
    forfeit: str | None
    path: str

    @property
    def plays(self) -> bool:
        return self.scores is None and self.forfeit is None

    def winner(self) -> Side | None:
        """Return the side that has the highest score alone, or did not give the table up."""
        if self.forfeit is not None:
            others = [side for side in self.sides if self.forfeit not in side]
            return others[0] if len(others) == 1 else None
        scores = self.scores or ()
        best = [
            side for side, score in zip(self.sides, scores, strict=True) if score == max(scores)
        ]
        return best[0] if len(best) == 1 else None


def meetings(sides: Sides) -> Iterator[frozenset[str]]:
    """Yield the pairs of opponents of a table."""
    for one, other in combinations(sides, 2):
        for entry in one:
            yield from (frozenset((entry, opponent)) for opponent in other)


@dataclass(frozen=True, slots=True)
class TurnDrawn:
    """What was drawn for a turn, and what came of it."""

    tables: tuple[TurnTable, ...]
    byes: tuple[str, ...]
    penalty: Mapping[str, int]

    @property
    def plays(self) -> bool:
        return any(table.plays for table in self.tables)


@dataclass(frozen=True)
class Tournament:
    """Everything that was written down, in the order of the turns."""

    entries: tuple[Entry, ...]
    plan: Plan
    points: Points
    ties: tuple[TieBreak, ...]
    apart: frozenset[frozenset[str]]
    bye_points: int
    seed: str
    turns: tuple[TurnDrawn, ...]

    @cached_property
    def order(self) -> list[str]:
        """The ids as drawn; a late entry stands last."""
        ids = [entry.id for entry in self.entries]
        drawn = ids if self.plan.draw is DrawBy.ORDER else by_lot(ids, self.seed)
        return sorted(drawn, key=lambda entry: self.by_id[entry].first)

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.entries}

    def present(self, turn: int) -> list[str]:
        """Return who plays in a turn, in drawn order."""
        return [entry for entry in self.order if self.by_id[entry].plays(turn)]

    @cached_property
    def met(self) -> Counter[frozenset[str]]:
        """How often each two were opponents."""
        return Counter(pair for table in self.tables for pair in meetings(table.sides))

    @property
    def partnered(self) -> Counter[frozenset[str]]:
        """How often each two were partners."""
        return Counter(frozenset(side) for table in self.tables for side in table.sides)

    @property
    def rested(self) -> Counter[str]:
        return Counter(entry for turn in self.turns for entry in turn.byes)

    @property
    def tables(self) -> Iterator[TurnTable]:
        return (table for turn in self.turns for table in turn.tables)

    def with_turn(self, seating: TurnSeating) -> Tournament:
        """Return the tournament with one turn more, of which nothing is played."""
        tables = tuple(TurnTable(sides, None, None, "") for sides in seating.tables)
        turn = TurnDrawn(tables, tuple(seating.byes), {})
        return replace(self, turns=(*self.turns, turn))

    def resting(self, order: Iterable[str], count: int) -> set[str]:
        """Choose who rests: those who rested least, of these the lowest in the order."""
        places, rested = {entry: place for place, entry in enumerate(order)}, self.rested
        lowest = sorted(places, key=lambda entry: (rested[entry], -places[entry]))
        return set(lowest[:count])


def written_side(side: Side, kind: str | None) -> str | list[str]:
    """Return a side as documents have it: an entry, or two partners."""
    return [*side] if kind == PlanKind.INDIVIDUAL else side[0]


class TurnSeating(NamedTuple):
    """Who sits where in a turn; ``repeated`` are meetings that the plan could not avoid."""

    tables: list[Sides]
    byes: list[str]
    repeated: frozenset[frozenset[str]] = frozenset()


class SeatingMethod(ABC):
    """One way to seat a tournament."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @property
    @abstractmethod
    def fits(self) -> int:
        """How many turns the plan has room for without a meeting twice."""

    @abstractmethod
    def seat(self, turn: int) -> TurnSeating:
        """Draw a turn, the next after those that were drawn."""


def seated(
    tables: Iterable[Sides],
    people: Iterable[str],
    repeated: frozenset[frozenset[str]] = frozenset(),
) -> TurnSeating:
    """Seat a turn at some tables; who of the people sits at none rests."""
    tables = [*tables]
    sitting = {entry for sides in tables for side in sides for entry in side}
    return TurnSeating(tables, [entry for entry in people if entry not in sitting], repeated)


def digest(*parts: str) -> str:
    """Return the hexadecimal SHA-256 of texts joined by slashes, in UTF-8."""
    return sha256("/".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def by_lot(ids: Iterable[str], *seed: str) -> list[str]:
    """Sort ids by the digests of the seed and each id, as anybody can compute again.

    >>> by_lot(["a", "b"], "any text"), digest("any text", "b")[:8]
    (['a', 'b'], '8be082b3')
    """
    return sorted(ids, key=lambda entry: digest(*seed, entry))
