from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scorer.ledger import Standing, Transfer, settlement, standings
from scorer.rules.seats import Seat
from tests.data.rows import rows
from tests.data.strategies import examples

ANY_TOTALS = st.lists(st.integers(-200, 200), min_size=2, max_size=7)


def seated(*amounts: int) -> dict[Seat, int]:
    return {Seat(seat): amount for seat, amount in enumerate(amounts)}


@rows(__file__, "standings")
def test_standings_go_by_balance(totals: list[int], places: list[tuple[int, int, int]]) -> None:
    assert standings(seated(*totals)) == [
        Standing(place, Seat(seat), n) for place, seat, n in places
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


@rows(__file__, "settlements")
def test_settlement_says_who_hands_what_to_whom(
    totals: list[int], stake: int, transfers: list[tuple[int, int, int]]
) -> None:
    assert settlement(seated(*totals), stake) == [
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
