from __future__ import annotations

import pytest

from scorer.rules.seats import all_seats
from scorer.rules.sides import PerSide
from scorer.rules.sides import every_seat
from scorer.rules.sides import sides_of
from scorer.rules.sides import strictly_most


@pytest.mark.parametrize(
    ("active", "sides"),
    [
        ((0, 1), ((0,), (1,))),
        ((0, 1, 2), ((0,), (1,), (2,))),
        ((0, 1, 2, 3), ((0, 2), (1, 3))),
        ((0, 1, 2, 3, 4), ((0,), (1,), (2,), (3,), (4,))),
        ((0, 1, 2, 3, 4, 5), ((0, 2, 4), (1, 3, 5))),
        ((0, 2, 3, 5), ((0, 3), (2, 5))),
    ],
)
def test_those_who_sit_in_turn_are_a_side(
    active: tuple[int, ...], sides: tuple[tuple[int, ...], ...]
) -> None:
    assert sides_of(tuple(all_seats(6)[seat] for seat in active)) == sides


def test_each_may_be_a_side() -> None:
    assert every_seat(all_seats(4)) == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize(
    ("values", "best"),
    [
        pytest.param([22, 18], 0, id="the first"),
        pytest.param([18, 22], 1, id="the second"),
        pytest.param([20, 20], None, id="level"),
        pytest.param([13, 14, 13], 1, id="the best of three"),
        pytest.param([14, 12, 14], None, id="the best two level"),
        pytest.param([None, 51], 1, id="one of those who compete"),
        pytest.param([None, None], None, id="nobody competes"),
        pytest.param([0, 0], None, id="nothing and nothing"),
        pytest.param([-5, -3], 1, id="the least loss"),
        pytest.param([], None, id="no sides"),
    ],
)
def test_one_side_has_the_most_or_nobody(values: list[int | None], best: int | None) -> None:
    assert strictly_most(values) == best


def test_answer_of_a_side_is_its_own_or_what_is_meant() -> None:
    assert PerSide((3, 0)).of(0, 9) == 3
    assert PerSide[int]().of(1, 9) == 9
    assert PerSide((3, 0)) == (3, 0)
