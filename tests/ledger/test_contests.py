"""Who won a deal against whom."""

import pytest

from scorer.ledger.records import Contest, DealResult, called, contest

PAID = {0: 2, 1: -1, 2: 1, 3: -1, 4: -1}
CALLED = {0: "caller", 2: "partner"}


@pytest.mark.parametrize(
    ("made", "roles", "sides", "places"),
    [
        pytest.param(True, CALLED, ((0, 2), (1, 3, 4)), (0, 1), id="made with a partner"),
        pytest.param(False, CALLED, ((0, 2), (1, 3, 4)), (1, 0), id="missed"),
        pytest.param(None, CALLED, ((0, 2), (1, 3, 4)), (0, 0), id="a draw"),
        pytest.param(True, {3: "alone"}, ((3,), (0, 1, 2, 4)), (0, 1), id="alone"),
    ],
)
def test_call_is_the_side_of_the_caller_against_the_rest(
    *,
    made: bool | None,
    roles: dict[int, str],
    sides: tuple[tuple[int, ...], ...],
    places: tuple[int, int],
) -> None:
    deal = DealResult(4, penalty=False, bid="70", made=made, payouts=PAID, roles=roles)

    won = () if made is None else sides[0] if made else sides[1]
    assert called(deal) == Contest(4, sides, places, "70", made, won)


def test_without_a_call_there_is_no_side_of_a_caller() -> None:
    assert called(DealResult(1, penalty=False, bid=None, made=None, payouts=PAID, roles={})) is None
    penalty = DealResult(1, penalty=True, bid=None, made=None, payouts=PAID, roles={0: "caller"})
    assert called(penalty) is None


@pytest.mark.parametrize(
    ("paid", "sides", "lowest", "places"),
    [
        pytest.param([2, -2, 2, -2], ((0, 2), (1, 3)), False, (0, 1), id="pairs"),
        pytest.param([5, 9, 5, 0], ((0,), (1,), (2,), (3,)), False, (1, 0, 1, 3), id="each alone"),
        pytest.param([5, 9, 5, 0], ((0,), (1,), (2,), (3,)), True, (1, 3, 1, 0), id="lowest"),
        pytest.param([0, 0], ((0,), (1,)), False, (0, 0), id="level"),
    ],
)
def test_sides_take_places_by_what_they_were_paid(
    *, paid: list[int], sides: tuple[tuple[int, ...], ...], lowest: bool, places: tuple[int, ...]
) -> None:
    payouts = dict(enumerate(paid))
    deal = DealResult(2, penalty=False, bid=None, made=None, payouts=payouts, roles={})

    result = contest(deal, sides, lowest_first=lowest)

    assert result == Contest(2, sides, places)
    assert [result.place_of(seat) for seat in range(len(paid))] == [
        places[next(at for at, side in enumerate(sides) if seat in side)] for seat in payouts
    ]
    assert result.place_of(9) is None


def test_penalty_and_a_single_side_are_no_contest() -> None:
    deal = DealResult(1, penalty=True, bid=None, made=None, payouts={0: -1, 1: 1}, roles={})

    assert contest(deal, ((0,), (1,))) is None
    assert contest(deal._replace(penalty=False), ((0, 1),)) is None
