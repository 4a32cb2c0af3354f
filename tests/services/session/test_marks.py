"""Marks: a person has the same one in every session of a circle."""

import pytest

from scorer.services.circle.players import JoinOrder, marks_of, marks_to_be


def sits(place: int, joined: int = 0) -> tuple[int, int]:
    return joined, place


@pytest.mark.parametrize(
    ("seats", "marks"),
    [
        pytest.param([], (), id="nobody"),
        pytest.param([sits(0), sits(1), sits(2)], (0, 1, 2), id="the first session"),
        pytest.param([sits(2), sits(7), sits(0)], (2, 7, 0), id="others, in another order"),
        pytest.param([sits(0), sits(10)], (0, 1), id="the eleventh has the next free one"),
        pytest.param([sits(10), sits(0)], (1, 0), id="wherever they sit"),
        pytest.param([sits(10), sits(1)], (0, 1), id="the eleventh without the first"),
        pytest.param([sits(10), sits(11), sits(0)], (1, 2, 0), id="two of them"),
        pytest.param([sits(10), sits(0, joined=4)], (0, 1), id="a guest takes none away"),
        pytest.param([sits(9), sits(19)], (9, 0), id="after the last comes the first"),
    ],
)
def test_mark_is_that_of_the_player(seats: list[tuple[int, int]], marks: tuple[int, ...]) -> None:
    assert marks_of(seats) == marks


def test_ten_at_a_table_have_ten_marks() -> None:
    assert sorted(marks_of([sits(10 * seat) for seat in range(10)])) == list(range(10))


def test_who_is_new_comes_after_those_who_are_there() -> None:
    order = JoinOrder({"ada": 0, "bea": 1}, 2)

    assert marks_to_be(["Fede", "BEA", "", "Ada"], order) == (2, 1, 3, 0)
