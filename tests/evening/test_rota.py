"""The rota for sitting out; 0 Ada, 1 Bea, 2 Ciro, 3 Dora, 4 Ezio, 5 Fulvia."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.evening.terms import SatOut, times_out, to_change, to_the_good
from scorer.rules.seats import Seat


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in numbers)


def deal(out: int, by_turn: int) -> SatOut:
    return SatOut(seats(out), seats(by_turn))


BY_TURN = [deal(0, 0), deal(1, 1), deal(2, 2)]
CIRO_FOR_BEA = [deal(0, 0), deal(2, 1)]


def test_deals_sat_out_are_counted() -> None:
    assert times_out([*CIRO_FOR_BEA, SatOut(seats(2, 3), seats(2, 3))]) == {0: 1, 2: 2, 3: 1}


@pytest.mark.parametrize(
    ("deals", "ahead"),
    [
        pytest.param([], {}, id="nothing played"),
        pytest.param(BY_TURN, {}, id="always by turn"),
        pytest.param(CIRO_FOR_BEA, {2: 1, 1: -1}, id="one stood in for another"),
        pytest.param([*CIRO_FOR_BEA, deal(1, 2)], {}, id="and was paid back"),
        pytest.param([*CIRO_FOR_BEA, deal(3, 2)], {3: 1, 1: -1}, id="a third one took it over"),
        pytest.param([*CIRO_FOR_BEA, deal(2, 1)], {2: 2, 1: -2}, id="twice"),
        pytest.param([SatOut(seats(0, 5), seats(0, 1))], {5: 1, 1: -1}, id="one of two changed"),
    ],
)
def test_whoever_stood_in_has_a_turn_to_the_good(
    deals: list[SatOut], ahead: dict[int, int]
) -> None:
    assert to_the_good(deals) == ahead


@pytest.mark.parametrize(
    ("out", "playing", "ahead", "change"),
    [
        pytest.param(seats(2), seats(0, 1, 3), {2: 1, 1: -1}, (2, 1), id="it is to be paid back"),
        pytest.param(seats(3), seats(0, 1, 2), {2: 1, 1: -1}, None, id="it is a third one's turn"),
        pytest.param(seats(1), seats(0, 2, 3), {2: 1, 1: -1}, None, id="whoever owes is out"),
        pytest.param(seats(2), seats(0, 3), {2: 1, 1: -1}, None, id="whoever owes has gone"),
        pytest.param(seats(2), seats(0, 1, 3), {2: 3, 1: -1, 3: -2}, (2, 3), id="who owes most"),
        pytest.param(seats(2), seats(0, 1, 3), {}, None, id="nobody owes anything"),
    ],
)
def test_whoever_owes_a_turn_is_offered_where_it_can_be_paid_back(
    out: tuple[Seat, ...],
    playing: tuple[Seat, ...],
    ahead: dict[Seat, int],
    change: tuple[int, int] | None,
) -> None:
    assert to_change(out, playing, ahead) == change


pairs = st.lists(st.integers(0, 6).map(Seat), min_size=2, max_size=2, unique=True).map(tuple)


@given(st.lists(st.builds(SatOut, pairs, pairs)))
def test_what_one_owes_another_has_to_the_good(deals: list[SatOut]) -> None:
    ahead = to_the_good(deals)

    assert sum(ahead.values()) == 0
    assert all(ahead.values())
