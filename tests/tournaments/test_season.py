"""A season: points by place, the best tournaments, presences."""

import pytest

from scorer.tournaments.standings import SeasonPoints, season_totals

SEASON = ["a1 b2 c3 d3", "b1 a2 d-", "a1 c2 b5"]


def tournament(text: str) -> dict[str, int | None]:
    """Read who had which place: ``a1 b-``, in which b only was there."""
    return {word[0]: None if word[1:] == "-" else int(word[1:]) for word in text.split()}


@pytest.mark.parametrize(
    ("points", "totals"),
    [
        pytest.param(SeasonPoints(), "1:a=14 2:b=10 3:c=7 4:d=3", id="all count"),
        pytest.param(SeasonPoints(best=2), "1:a=10 2:b=9 3:c=7 4:d=3", id="the best two"),
        pytest.param(SeasonPoints(best=1), "1:a=5 1:b=5 3:c=4 4:d=3", id="level"),
        pytest.param(SeasonPoints(best=9), "1:a=14 2:b=10 3:c=7 4:d=3", id="more than there are"),
        pytest.param(
            SeasonPoints((3, 1)), "1:a=7 2:b=5 3:c=2 4:d=1", id="later places get the last"
        ),
        pytest.param(SeasonPoints((3, 0)), "1:a=6 2:b=3 3:c=0 3:d=0", id="only who wins"),
    ],
)
def test_season_sums_the_places_of_each(points: SeasonPoints, totals: str) -> None:
    lines = season_totals([*map(tournament, SEASON)], points)

    assert " ".join(f"{line.place}:{line.person}={line.points}" for line in lines) == totals
    assert {line.person: line.presences for line in lines} == {"a": 3, "b": 3, "c": 2, "d": 2}
    for line in lines:
        assert line.points == sum(result.points for result in line.results if result.counts)


def test_of_equal_results_the_earlier_counts_and_a_presence_has_no_points() -> None:
    totals = season_totals([*map(tournament, SEASON)], SeasonPoints(best=1))
    results = {total.person: total.results for total in totals}

    assert [(result.tournament, result.counts) for result in results["a"]] == [
        (0, True),
        (1, False),
        (2, False),
    ]
    assert [(result.place, result.points) for result in results["d"]] == [(3, 3), (None, 0)]
