from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.ledger import Standing, Transfer, settlement, standings
from scorer.rules.seats import Seat
from tests.data.strategies import examples

ANY_TOTALS = st.lists(st.integers(-200, 200), min_size=2, max_size=7)


def seated(*amounts: int) -> dict[Seat, int]:
    return {Seat(seat): amount for seat, amount in enumerate(amounts)}


@pytest.mark.parametrize(
    ("totals", "places"),
    [
        pytest.param(seated(3, 5, -8), [(1, 1, 5), (2, 0, 3), (3, 2, -8)], id="all different"),
        pytest.param(
            seated(3, 5, 3, -11), [(1, 1, 5), (2, 0, 3), (2, 2, 3), (4, 3, -11)],
            id="level ones share a place, and the next is left out",
        ),
        pytest.param(seated(0, 0, 0), [(1, 0, 0), (1, 1, 0), (1, 2, 0)], id="all level"),
        pytest.param(
            seated(-4, 9, 9, -4, -10), [(1, 1, 9), (1, 2, 9), (3, 0, -4), (3, 3, -4), (5, 4, -10)],
            id="two shared places",
        ),
    ],
)  # fmt: skip
def test_standings_go_by_balance(
    totals: dict[Seat, int], places: list[tuple[int, int, int]]
) -> None:
    assert standings(totals) == [Standing(place, Seat(seat), n) for place, seat, n in places]


def test_lowest_balance_leads_where_a_game_says_so() -> None:
    places = standings(seated(40, 12, 40, 101), lowest_first=True)

    assert places == [
        Standing(1, Seat(1), 12),
        Standing(2, Seat(0), 40),
        Standing(2, Seat(2), 40),
        Standing(4, Seat(3), 101),
    ]


@examples(100)
@given(ANY_TOTALS, st.booleans())
def test_place_is_one_more_than_how_many_are_better(amounts: list[int], lowest: bool) -> None:  # noqa: FBT001  # drawn
    totals = seated(*amounts)

    places = standings(totals, lowest_first=lowest)

    assert sorted(standing.seat for standing in places) == sorted(totals)
    for place, seat, balance in places:
        better = [n for n in amounts if (n < balance if lowest else n > balance)]
        assert (place, balance) == (len(better) + 1, totals[seat])


@pytest.mark.parametrize(
    ("totals", "stake", "transfers"),
    [
        pytest.param(seated(0, 0), 10, [], id="nobody owes anything"),
        pytest.param(seated(5, -5), 10, [(1, 0, 50)], id="one pays one"),
        pytest.param(seated(8, -2, -2, -2, -2), 10,
                     [(1, 0, 20), (2, 0, 20), (3, 0, 20), (4, 0, 20)], id="four pay one"),
        pytest.param(seated(-9, 4, 5), 20, [(0, 2, 100), (0, 1, 80)], id="one pays two"),
        pytest.param(seated(7, 3, -4, -6), 1, [(3, 0, 6), (2, 0, 1), (2, 1, 3)],
                     id="two pay two"),
        pytest.param(seated(5, -3), 10, [(1, 0, 30)], id="points that don't sum to zero are left"),
        pytest.param(seated(3, -5), 10, [(1, 0, 30)], id="a debt nobody claims is left"),
        pytest.param(seated(-5, 4, 4), 1, [(0, 1, 3), (0, 2, 2)], id="a debt that goes so far"),
        pytest.param(seated(5, -4, -4), 1, [(1, 0, 3), (2, 0, 2)], id="a claim that goes so far"),
        pytest.param(seated(2, 10, 2, -2, -2), 10, [(3, 1, 20), (4, 1, 8), (4, 2, 6), (4, 0, 6)],
                     id="who won shares what there is"),
        pytest.param(seated(1, 0, -1), 10, [(2, 0, 10)], id="a single point"),
        pytest.param(seated(5, 5), 10, [], id="nobody to pay"),
        pytest.param(seated(5, -5), 0, [], id="played for nothing"),
    ],
)  # fmt: skip
def test_settlement_says_who_hands_what_to_whom(
    totals: dict[Seat, int], stake: int, transfers: list[tuple[int, int, int]]
) -> None:
    assert settlement(totals, stake) == [
        Transfer(Seat(payer), Seat(payee), cents) for payer, payee, cents in transfers
    ]


@examples(150)
@given(ANY_TOTALS, st.integers(1, 50))
def test_settlement_brings_everybody_to_zero_in_few_transfers(
    amounts: list[int], stake: int
) -> None:
    totals = seated(*amounts, -sum(amounts))
    left = {seat: n * stake for seat, n in totals.items()}

    transfers = settlement(totals, stake)
    for payer, payee, cents in transfers:
        assert cents > 0
        left[payer] += cents
        left[payee] -= cents

    assert set(left.values()) == {0}
    assert len(transfers) <= max(0, sum(1 for n in totals.values() if n) - 1)
    assert settlement(totals, 0) == []


@examples(100)
@given(ANY_TOTALS, st.integers(1, 50))
def test_nobody_hands_over_more_than_is_owed(amounts: list[int], stake: int) -> None:
    totals = seated(*amounts)
    moved = dict.fromkeys(totals, 0)

    for payer, payee, cents in settlement(totals, stake):
        moved[payer] -= cents
        moved[payee] += cents

    for seat, total in totals.items():
        assert 0 <= moved[seat] * (1 if total > 0 else -1) <= abs(total) * stake
    for one, other in combinations([seat for seat in totals if totals[seat] > 0], 2):
        unfair = moved[one] * totals[other] - moved[other] * totals[one]
        assert abs(unfair) <= totals[one] + totals[other]
    gained = sum(n for n in amounts if n > 0)
    lost = -sum(n for n in amounts if n < 0)
    assert sum(n for n in moved.values() if n > 0) == min(gained, lost) * stake
