from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.tournaments.matching import ALLOWED, APART, REPEATED, first_pairs
from tests.data.strategies import examples

Pairs = list[tuple[int, int]]


def every_pairing(left: list[int]) -> Iterator[Pairs]:
    """Give all pairings, the first in order first."""
    if not left:
        yield []
        return
    first, *others = left
    for other in others:
        rest = [vertex for vertex in others if vertex != other]
        yield from ([(first, other), *pairs] for pairs in every_pairing(rest))


def broken(pairs: Pairs, levels: list[list[int]]) -> tuple[int, int]:
    found = [levels[a][b] for a, b in pairs]
    return found.count(APART), found.count(REPEATED)


@st.composite
def some_levels(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.sampled_from([0, 2, 4, 6, 8]))
    kinds = draw(st.sampled_from([[ALLOWED, REPEATED], [ALLOWED, REPEATED, REPEATED, APART]]))
    levels = [[ALLOWED] * count for _ in range(count)]
    for a, b in combinations(range(count), 2):
        levels[a][b] = levels[b][a] = draw(st.sampled_from(kinds))
    return levels


@examples(100)
@given(some_levels())
def test_pairs_are_the_first_of_those_that_break_least(levels: list[list[int]]) -> None:
    every = every_pairing(list(range(len(levels))))

    assert first_pairs(levels) == min(every, key=lambda pairs: broken(pairs, levels))


def only(count: int, edges: str) -> list[list[int]]:
    """Give the levels where only some edges, such as ``01 12``, are allowed."""
    levels = [[REPEATED] * count for _ in range(count)]
    for edge in edges.split():
        a, b = int(edge[0]), int(edge[1])
        levels[a][b] = levels[b][a] = ALLOWED
    return levels


@pytest.mark.parametrize(
    ("count", "edges", "pairs"),
    [
        pytest.param(4, "01 12 23", "01 23", id="path"),
        pytest.param(6, "01 12 02 23 34 45", "01 23 45", id="odd cycle at the end of a path"),
        pytest.param(6, "12 23 13 10 24 35", "01 24 35", id="odd cycle with three tails"),
        pytest.param(8, "01 12 23 34 45 51 36 27", "01 27 36 45", id="cycle of five"),
        pytest.param(10, "01 12 23 31 34 45 56 64 57 28 69", "01 28 34 57 69", id="two odd cycles"),
    ],
)
def test_path_through_odd_cycles_is_found(count: int, edges: str, pairs: str) -> None:
    expected = [(int(pair[0]), int(pair[1])) for pair in pairs.split()]

    assert first_pairs(only(count, edges)) == expected


@pytest.mark.untraced
def test_hundred_are_paired_without_those_they_met() -> None:
    levels = [[int((a + b) % 7 == 0 or abs(a - b) < 20) for b in range(100)] for a in range(100)]

    pairs = first_pairs(levels)

    assert pairs[0] == (0, 20)
    assert broken(pairs, levels) == (0, 0)
    assert sorted(vertex for pair in pairs for vertex in pair) == list(range(100))


def table_of(text: str) -> list[list[int]]:
    return [[int(level) for level in row] for row in text.split()]


HARD = table_of("02111210 20111012 11021221 11200212 11100221 20222021 11212201 02121110")


def test_one_more_meets_again_where_that_keeps_more_apart() -> None:
    levels = table_of("010122 102102 020211 112012 201101 221210")

    every = every_pairing(list(range(6)))
    assert first_pairs(levels) == min(every, key=lambda pairs: broken(pairs, levels))
    assert first_pairs(table_of("0112 1001 1001 2110")) == [(0, 1), (2, 3)]


def test_search_gives_up_the_fewest_after_many_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    best = broken(first_pairs(HARD), HARD)
    monkeypatch.setattr("scorer.tournaments.matching.MOST_TRIES", 0)

    pairs = first_pairs(HARD)

    assert sorted(vertex for pair in pairs for vertex in pair) == list(range(8))
    assert broken(pairs, HARD) >= best
