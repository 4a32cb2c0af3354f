from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.charts.scale import Scale, deal_ticks, side_by_side, spread, thin

places = st.lists(st.floats(0, 200), min_size=2, max_size=7)


def test_a_scale_goes_from_low_to_high() -> None:
    scale = Scale(-10, 30, start=200, stop=0)
    assert [scale(-10), scale(0), scale(30)] == [200, 150, 0]


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        pytest.param(-1, 1, [-1, 0, 1], id="whole numbers only"),
        pytest.param(-20, 25, [-20, -10, 0, 10, 20], id="tens"),
        pytest.param(0, 7, [0, 2, 4, 6], id="twos"),
        pytest.param(-900, 1300, [-500, 0, 500, 1000], id="five hundreds"),
    ],
)
def test_ticks_are_round_whole_numbers(low: int, high: int, ticks: list[int]) -> None:
    assert Scale(low, high, start=200, stop=0).ticks(34) == ticks


@given(st.integers(-(10**9), 0), st.integers(1, 10**9))
def test_ticks_hold_zero_and_keep_their_distance(low: int, high: int) -> None:
    scale = Scale(low, high, start=200, stop=0)
    ticks = scale.ticks(34)
    assert 0 in ticks
    assert all(scale(below) - scale(above) >= 33.9 for below, above in pairwise(ticks))


@pytest.mark.parametrize(
    ("first", "last", "ticks"),
    [
        pytest.param(1, 1, [1], id="one deal"),
        pytest.param(1, 5, [1, 2, 3, 4, 5], id="few deals"),
        pytest.param(1, 17, [1, 5, 10, 17], id="the last is numbered"),
        pytest.param(2, 20, [2, 5, 10, 15, 20], id="the first is numbered"),
        pytest.param(4, 20, [5, 10, 15, 20], id="the first has no room"),
        pytest.param(1951, 2000, [1951, 1960, 1970, 1980, 1990, 2000], id="a window"),
    ],
)
def test_deals_are_numbered_where_there_is_room(first: int, last: int, ticks: list[int]) -> None:
    scale = Scale(first - 1, last, start=0, stop=210)
    assert deal_ticks(scale, first, spacing=33) == ticks


@pytest.mark.parametrize(
    ("wanted", "given_places"),
    [
        pytest.param([10, 50, 90], [10, 50, 90], id="far apart"),
        pytest.param([50, 50], [40, 60], id="equal, in the order given"),
        pytest.param([52, 48], [60, 40], id="near, order kept"),
        pytest.param([0, 0, 0], [0, 20, 40], id="against the low end"),
        pytest.param([100, 100, 100], [60, 80, 100], id="against the high end"),
        pytest.param([30, 50, 50, 70], [20, 40, 60, 80], id="a block"),
    ],
)
def test_places_are_pushed_apart(wanted: list[float], given_places: list[float]) -> None:
    assert spread(wanted, gap=20, low=0, high=100) == pytest.approx(given_places)


@given(places)
def test_places_end_up_apart_in_order_and_within(wanted: list[float]) -> None:
    got = spread(wanted, gap=20, low=0, high=200)
    assert all(after - before >= 19.99 for before, after in pairwise(sorted(got)))
    assert -0.01 <= min(got) <= max(got) <= 200.01
    by_wish = sorted(range(len(wanted)), key=lambda index: wanted[index])
    assert by_wish == sorted(range(len(got)), key=lambda index: got[index])


@given(places)
def test_places_that_are_apart_stay(wanted: list[float]) -> None:
    apart = spread(wanted, gap=20, low=0, high=200)
    assert spread(apart, gap=20, low=0, high=200) == pytest.approx(apart)


def test_places_move_closer_when_there_is_no_room() -> None:
    assert spread([5, 5, 5], gap=20, low=0, high=10) == pytest.approx([0, 5, 10])


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=300), st.integers(4, 40))
def test_thinning_keeps_ends_and_extremes(heights: list[float], most: int) -> None:
    points = [(float(x), y) for x, y in enumerate(heights)]
    kept = thin(points, most)
    assert len(kept) <= max(most, 2)
    assert [kept[0], kept[-1]] == [points[0], points[-1]]
    assert kept == sorted(kept)
    assert min(y for _, y in kept) == min(heights)
    assert max(y for _, y in kept) == max(heights)


def test_thinning_leaves_short_lines_alone() -> None:
    points = [(0.0, 1.0), (1.0, 2.0)]
    assert thin(points, 2) == points


def test_lines_that_run_together_become_tracks_and_crossing_ones_stay() -> None:
    together = [(0.0, 0.0), (1.0, 5.0), (2.0, 0.0)]
    leaving = [(0.0, 0.0), (1.0, 5.0), (2.0, 9.0)]
    crossing = [(0.0, 9.0), (1.0, 5.0), (2.0, 3.0)]
    assert side_by_side([together, leaving, crossing], 2) == [
        [(0.0, -1.0), (1.0, 4.0), (2.0, 0.0)],
        [(0.0, 1.0), (1.0, 6.0), (2.0, 9.0)],
        crossing,
    ]
