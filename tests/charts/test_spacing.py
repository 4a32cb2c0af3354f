from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.charts.drawing import deal_ticks, side_by_side, spread

places = st.lists(st.floats(0, 200), min_size=2, max_size=7)


@pytest.mark.parametrize(
    ("first", "last", "ticks"),
    [
        pytest.param(1, 1, [1], id="one deal"),
        pytest.param(1, 17, [1, 5, 10, 17], id="the last is numbered"),
        pytest.param(2, 20, [2, 5, 10, 15, 20], id="the first is numbered"),
        pytest.param(4, 20, [5, 10, 15, 20], id="the first has no room"),
    ],
)
def test_deals_are_numbered_where_there_is_room(first: int, last: int, ticks: list[int]) -> None:
    pixels_per_deal = 210 / (last - first + 1)
    assert deal_ticks(first, last, spacing=33 / pixels_per_deal) == ticks


@given(places)
def test_places_end_up_apart_in_order_and_within_and_stay_there(wanted: list[float]) -> None:
    got = spread(wanted, gap=20, low=0, high=200)
    assert all(after - before >= 19.99 for before, after in pairwise(sorted(got)))
    assert -0.01 <= min(got) <= max(got) <= 200.01
    by_wish = sorted(range(len(wanted)), key=lambda index: wanted[index])
    assert by_wish == sorted(range(len(got)), key=lambda index: got[index])
    assert spread(got, gap=20, low=0, high=200) == pytest.approx(got)


def test_places_are_pushed_apart_as_much_down_as_up_and_closer_when_there_is_no_room() -> None:
    assert spread([50, 30, 50, 70], gap=20, low=0, high=100) == pytest.approx([40, 20, 60, 80])
    assert spread([5, 5, 5], gap=20, low=0, high=10) == pytest.approx([0, 5, 10])


def test_lines_that_run_together_become_tracks_and_crossing_ones_stay() -> None:
    together, leaving, crossing = [0, 5, 0], [0, 5, 9], [9, 5, 3]
    assert side_by_side([together, leaving, crossing], 2) == [[-1, 4, 0], [1, 6, 9], crossing]
