"""A season: what the places in several tournaments sum to, person by person."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from scorer.tournaments.facts import Points

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
    ordered = sorted(sums, key=lambda person: -sums[person])
    most_first = [sums[person] for person in ordered]
    return [
        SeasonTotal(most_first.index(sums[person]) + 1, person, sums[person], results[person])
        for person in ordered
    ]


def _results(places: Mapping[int, int | None], points: SeasonPoints) -> tuple[SeasonResult, ...]:
    """Return the results of one person; of equal ones the earlier counts."""
    worth = {number: points.of_place(place) for number, place in places.items()}
    best = sorted(worth, key=lambda number: -worth[number])[: points.best]
    return tuple(
        SeasonResult(number, places[number], worth[number], number in best) for number in worth
    )
