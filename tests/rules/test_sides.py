import pytest

from scorer.rules.seats import (
    PerSide,
    Seat,
    Sides,
    all_seats,
    every_seat,
    gathered,
    lasting,
    sides_of,
    strictly_most,
)
from tests.data.rows import rows


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


ALONE = every_seat(all_seats(4))
PAIRS = sides_of(all_seats(4))
TURNED = sides_of(tuple(Seat(seat) for seat in (2, 3, 0, 1)))
OTHERS = sides_of(tuple(Seat(seat) for seat in (0, 2, 1, 3)))


@pytest.mark.parametrize(
    ("found", "opening", "sides"),
    [
        pytest.param([PAIRS], [0, 0, 0, 0], PAIRS, id="all along"),
        pytest.param([PAIRS, TURNED], [0, 0, 0, 0], PAIRS, id="the same from another seat on"),
        pytest.param([PAIRS], [3, 7, 3, 7], PAIRS, id="level partners"),
        pytest.param([PAIRS], [3, 0, 0, 0], ALONE, id="partners who bring in different balances"),
        pytest.param([PAIRS, OTHERS], [0, 0, 0, 0], ALONE, id="other partners"),
        pytest.param([PAIRS], [0, 0, 0, 0, 0], every_seat(all_seats(5)), id="somebody joins"),
        pytest.param([ALONE], [1, 2, 3, 4], ALONE, id="each for itself"),
    ],
)
def test_sides_last_where_nobody_changes_them(
    found: list[Sides], opening: list[int], sides: Sides
) -> None:
    brought = dict(zip(all_seats(len(opening)), opening, strict=True))

    assert lasting(found, brought) == sides


def test_partners_with_one_amount_are_one_and_others_stand_alone() -> None:
    paid = {Seat(0): 4, Seat(2): 4, Seat(1): 2, Seat(3): 3}

    assert gathered(PAIRS, paid) == [((0, 2), 4), ((1,), 2), ((3,), 3)]
    assert gathered(PAIRS, {Seat(0): 4, Seat(2): 4}) == [((0, 2), 4), ((1, 3), None)]


@rows(__file__, "most")
def test_one_side_has_the_most_or_nobody(values: list[int | None], best: int | None) -> None:
    assert strictly_most(values) == best


def test_answer_of_a_side_is_its_own_or_what_is_meant() -> None:
    assert PerSide((3, 0)).of(0, 9) == 3
    assert PerSide[int]().of(1, 9) == 9
    assert PerSide((3, 0)) == (3, 0)
