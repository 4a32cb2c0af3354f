from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.charts.drawing import deal_ticks, side_by_side, spread
from tests.data.rows import rows

places = st.lists(st.floats(0, 200), min_size=2, max_size=7)


@rows(__file__, "deals")
def test_deals_are_numbered_where_there_is_room(first: int, last: int, ticks: list[int]) -> None:
    pixels_per_deal = 210 / (last - first + 1)
    assert deal_ticks(first, last, spacing=33 / pixels_per_deal) == ticks


@rows(__file__, "places")
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


def test_lines_that_run_together_become_tracks_and_crossing_ones_stay() -> None:
    together, leaving, crossing = [0, 5, 0], [0, 5, 9], [9, 5, 3]
    assert side_by_side([together, leaving, crossing], 2) == [[-1, 4, 0], [1, 6, 9], crossing]
