"""What each table is worth, and who stands where: points, then the ties in their order.

A season sums what the places in several tournaments are worth.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

from scorer.ledger import shared_places
from scorer.tournaments.facts import (
    Points,
    PointsKind,
    Side,
    TieBreak,
    Tournament,
    TurnDrawn,
    TurnTable,
    digest,
)

#: What the two sides of a table share, by victory points.
ALL_VICTORY_POINTS = 20


@dataclass(slots=True)
class EntryStanding:
    """What an entry came to; ``tables`` has the opponents and the points of each table."""

    entry: str
    points: int = 0
    played: int = 0
    scored: int = 0
    conceded: int = 0
    wins: int = 0
    place: int = 0
    broken_by: TieBreak | None = None
    tables: list[tuple[frozenset[str], int]] = field(default_factory=list)

    @property
    def difference(self) -> int:
        return self.scored - self.conceded

    @property
    def opponents(self) -> list[str]:
        return [entry for opponents, _ in self.tables for entry in opponents]


def standings(
    tournament: Tournament,
    turns: Sequence[TurnDrawn] | None = None,
    entries: Iterable[str] | None = None,
) -> list[EntryStanding]:
    """Order entries by points and ties; those still level share a place, in drawn order."""
    everybody = tournament.order if entries is None else entries
    rows = {entry: EntryStanding(entry) for entry in everybody}
    for turn in tournament.turns if turns is None else turns:
        _add_turn(rows, tournament, turn)
    levels = [LevelEntries(part) for part in _split([*rows.values()], lambda row: -row.points)]
    for tie in tournament.ties:
        levels = [part for level in levels for part in _divided(level, tie, rows, tournament.seed)]
    return _placed(levels)


class LevelEntries(NamedTuple):
    """Rows that nothing divides yet; ``tie`` divides them from those before on the same points."""

    rows: list[EntryStanding]
    tie: TieBreak | None = None


def _add_turn(rows: dict[str, EntryStanding], tournament: Tournament, turn: TurnDrawn) -> None:
    for entry in turn.byes:
        if entry in rows:
            rows[entry].points += tournament.bye_points
    for entry, points in turn.penalty.items():
        if entry in rows:
            rows[entry].points -= points
    for table in turn.tables:
        if not table.plays:
            _add_table(rows, table, tournament.points)


def _add_table(rows: dict[str, EntryStanding], table: TurnTable, points: Points) -> None:
    winner, scores = table.winner(), scores_of(table)
    for side, score in zip(table.sides, scores, strict=True):
        its_points = _side_points(table, side, points, winner)
        opponents = frozenset(entry for other in table.sides if other != side for entry in other)
        for entry in side:
            row = rows.get(entry)
            if row is not None:
                row.points += its_points
                row.played += 1
                row.scored += score
                row.conceded += sum(scores) - score
                row.wins += side == winner
                row.tables.append((opponents, its_points))


def scores_of(table: TurnTable) -> tuple[int, ...]:
    """Return the scores that count: none where a side gave the table up."""
    if table.forfeit is not None or table.scores is None:
        return (0,) * len(table.sides)
    return table.scores


def _side_points(table: TurnTable, side: Side, points: Points, winner: Side | None) -> int:
    """Return what a side of a table gets for it."""
    scores = scores_of(table)
    score = scores[table.sides.index(side)]
    if points.kind is PointsKind.RESULT:
        if winner is None:
            level = score == max(scores) and table.forfeit not in side
            return points.draw if level else points.loss
        return points.win if side == winner else points.loss
    if points.kind is PointsKind.VICTORY:
        if winner is None:
            return ALL_VICTORY_POINTS // 2
        won = ALL_VICTORY_POINTS if table.forfeit else victory_points(points, scores)
        return won if side == winner else ALL_VICTORY_POINTS - won
    if points.kind is PointsKind.PLACES:
        ahead = sum(other > score for other in scores)
        place = len(scores) - 1 if table.forfeit in side else ahead
        return points.values[place] if place < len(points.values) else 0
    return score


def victory_points(points: Points, scores: Sequence[int]) -> int:
    """Return the winner's victory points for the difference."""
    difference = max(scores) - min(scores)
    rows = (won for limit, won in points.table if difference <= limit)
    return next(rows, ALL_VICTORY_POINTS)


Value = Callable[[EntryStanding], int | str]


def _split(rows: list[EntryStanding], value: Value) -> list[list[EntryStanding]]:
    """Divide rows by a value, the least first; the order within a part stays."""
    by_value = defaultdict(list)
    for row in rows:
        by_value[value(row)].append(row)
    return [by_value[key] for key in sorted(by_value)]


def _divided(
    level: LevelEntries, tie: TieBreak, rows: dict[str, EntryStanding], seed: str
) -> list[LevelEntries]:
    level_entries = {row.entry for row in level.rows}
    if tie is TieBreak.HEAD_TO_HEAD and any(
        level_entries - {row.entry} - {*row.opponents} for row in level.rows
    ):
        return [level]
    # What is the least for the first of those who are level.
    values: dict[TieBreak, Value] = {
        TieBreak.HEAD_TO_HEAD: lambda row: (
            -sum(points for opponents, points in row.tables if opponents & level_entries)
        ),
        TieBreak.DIFFERENCE: lambda row: -row.difference,
        TieBreak.SCORED: lambda row: -row.scored,
        TieBreak.CONCEDED: lambda row: row.conceded,
        TieBreak.WINS: lambda row: -row.wins,
        TieBreak.OPPONENTS: lambda row: (
            -sum(rows[entry].points for entry in row.opponents if entry in rows)
        ),
        TieBreak.LOT: lambda row: digest(seed, "0", row.entry),
    }
    first, *others = _split(level.rows, values[tie])
    return [LevelEntries(first, level.tie), *(LevelEntries(part, tie) for part in others)]


def _placed(levels: list[LevelEntries]) -> list[EntryStanding]:
    """Number the places, and say what divides neighbours who are level on points."""
    ordered: list[EntryStanding] = []
    for level in levels:
        place = len(ordered) + 1
        for number, row in enumerate(level.rows):
            row.place = place
            row.broken_by = None if number else level.tie
            ordered.append(row)
    for before, row, after in zip([None, *ordered], ordered, [*ordered[1:], None], strict=False):
        first = before is None or before.points != row.points
        if first and after is not None and after.points == row.points:
            row.broken_by = after.broken_by
    return ordered


Person = TypeVar("Person", bound=Hashable)


@dataclass(frozen=True, slots=True)
class SeasonPoints:
    """The points of each place, the first one first; every later place gets those of the last.

    Of each person only the ``best`` tournaments count, or all of them without that.
    """

    values: tuple[int, ...] = Points().values
    best: int | None = None

    def of_place(self, place: int | None) -> int:
        """Return the points of a place; None is a presence without one, which has none."""
        return 0 if place is None else self.values[min(place, len(self.values)) - 1]


class SeasonResult(NamedTuple):
    """The points of somebody in a tournament, by its number from 0, and whether they count."""

    tournament: int
    place: int | None
    points: int
    counts: bool


class SeasonTotal(NamedTuple, Generic[Person]):
    """The place of somebody in a season, and the results that the points are the sum of."""

    place: int
    person: Person
    points: int
    results: tuple[SeasonResult, ...]

    @property
    def presences(self) -> int:
        return len(self.results)


def season_totals(
    tournaments: Sequence[Mapping[Person, int | None]], points: SeasonPoints
) -> list[SeasonTotal[Person]]:
    """Sum the places of everybody in each tournament, most points first; level share a place.

    >>> first, second = {"Ada": 1, "Bea": 2}, {"Bea": 1, "Ciro": None}
    >>> totals = season_totals([first, second], SeasonPoints((3, 1)))
    >>> [(total.place, total.person, total.points, total.presences) for total in totals]
    [(1, 'Bea', 4, 2), (2, 'Ada', 3, 1), (3, 'Ciro', 0, 1)]
    """
    places: defaultdict[Person, dict[int, int | None]] = defaultdict(dict)
    for number, of_tournament in enumerate(tournaments):
        for person, place in of_tournament.items():
            places[person][number] = place
    results = {person: _results(played, points) for person, played in places.items()}
    sums = {
        person: sum(result.points for result in of_person if result.counts)
        for person, of_person in results.items()
    }
    places_by_sum = shared_places({person: -points for person, points in sums.items()})
    return [
        SeasonTotal(place, person, sums[person], results[person])
        for person, place in sorted(places_by_sum.items(), key=itemgetter(1))
    ]


def _results(places: Mapping[int, int | None], points: SeasonPoints) -> tuple[SeasonResult, ...]:
    """Return the results of one person; of equal ones the earlier counts."""
    worth = {number: points.of_place(place) for number, place in places.items()}
    best = sorted(worth, key=lambda number: -worth[number])[: points.best]
    return tuple(
        SeasonResult(number, places[number], worth[number], number in best) for number in worth
    )
