import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from uuid import UUID, uuid5

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.ledger.money import (
    EXACT,
    added,
    by_points,
    cost,
    difference,
    fewest_transfers,
    pot,
    read_amount,
    shares,
    through_banker,
)
from tests.data.rows import rows
from tests.data.strategies import examples

NAMES = ["Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia", "Gino", "Ilia"]
DEBTS = st.lists(st.integers(-6, 6), min_size=1, max_size=7)


def accounts(amounts: list[int]) -> dict[str, int]:
    """Let the last one make up for what the others don't cancel."""
    return dict(zip(NAMES, [*amounts, -sum(amounts)], strict=False))


def settled(stand: dict[str, int], handed: Sequence[tuple[str, str, int]]) -> dict[str, int]:
    left = dict(stand)
    for payer, payee, cents in handed:
        assert cents > 0
        assert payer != payee
        left[payer] += cents
        left[payee] -= cents
    return left


def by_brute_force(amounts: tuple[int, ...]) -> int:
    """Count the fewest transfers: one less than people for each group that can be split off."""

    @cache
    def groups(left: tuple[int, ...]) -> int:
        first, *others = left
        best = 1
        for size in range(len(others)):
            for chosen in combinations(range(len(others)), size):
                if first + sum(others[place] for place in chosen) == 0:
                    rest = tuple(n for at, n in enumerate(others) if at not in chosen)
                    best = max(best, 1 + groups(rest))
        return best

    return len(amounts) - groups(amounts) if amounts else 0


@rows(__file__, "fewest transfers")
def test_fewest_transfers_are_proposed(amounts: list[int], handed: list[list[object]]) -> None:
    assert sorted(map(list, fewest_transfers(accounts(amounts)))) == handed


@examples(200)
@given(DEBTS)
def test_no_way_needs_fewer_transfers(amounts: list[int]) -> None:
    stand = accounts(amounts)

    handed = fewest_transfers(stand)

    assert set(settled(stand, handed).values()) <= {0}
    assert len(handed) == by_brute_force(tuple(n for n in stand.values() if n))
    assert handed == fewest_transfers(dict(stand))


def test_more_people_are_settled_too() -> None:
    stand = {str(place): cents for place, cents in enumerate([13] * (EXACT + 1))} | {
        "banker": -13 * (EXACT + 1)
    }

    handed = fewest_transfers(stand)

    assert set(settled(stand, handed).values()) == {0}
    assert len(handed) == EXACT + 1 == len(through_banker(stand, "banker"))


@examples(50)
@given(DEBTS)
def test_everybody_settles_through_the_banker(amounts: list[int]) -> None:
    stand = accounts(amounts)

    handed = through_banker(stand, "Ada")

    assert set(settled(stand, handed).values()) <= {0}
    assert all("Ada" in {payer, payee} for payer, payee, _ in handed)


@examples(100)
@given(st.integers(0, 10_000), st.lists(st.integers(1, 99), min_size=1, max_size=8))
def test_shares_lose_no_cent(cents: int, parts: list[int]) -> None:
    amounts = shares(cents, dict(zip(NAMES, parts, strict=False)))

    assert sum(amounts.values()) == cents
    for name, part in zip(NAMES, parts, strict=False):
        assert abs(amounts[name] * sum(parts) - cents * part) < sum(parts)


#: A key by which Ada comes before Bea and Ciro.
ADA_FIRST = UUID(int=2)
KEYS = [UUID(int=number) for number in range(300)]


@rows(__file__, "costs")
def test_cost_is_shared(parts: dict[str, int], lines: list[list[object]]) -> None:
    assert list(map(list, cost("Ada", 1000, parts, ADA_FIRST))) == lines


def test_share_of_nothing_is_no_line() -> None:
    assert cost("Ada", 1, {"Ada": 1, "Bea": 1}, ADA_FIRST) == [("Ada", 1), ("Ada", -1)]


@pytest.mark.parametrize(
    ("cents", "parts", "tied"),
    [
        (100, {"Ada": 1, "Bea": 1, "Ciro": 1}, NAMES[:3]),
        (102, {"Ada": 3, "Bea": 1, "Ciro": 1}, NAMES[1:3]),
    ],
)
def test_odd_cent_goes_round_and_anybody_can_say_where(
    cents: int, parts: dict[str, int], tied: list[str]
) -> None:
    fell_on = []
    for key in KEYS:
        ((_, paid), *lines) = cost("Ada", cents, parts, key)
        one_more = [who for who, owed in lines if -owed > parts[who] * cents // sum(parts.values())]
        assert (paid, [who for who, _ in lines]) == (cents, list(parts))
        assert one_more == [min(tied, key=lambda who: uuid5(key, who))]
        fell_on += one_more

    assert [fell_on.count(who) > 70 for who in tied] == [True] * len(tied)


@rows(__file__, "pots")
def test_winners_share_the_pot(
    paid: dict[str, int], winners: list[str], amounts: list[int]
) -> None:
    assert list(pot(paid, winners).values()) == amounts


def test_points_are_paid_by_the_stake() -> None:
    assert by_points({"Ada": 4, "Bea": -1, "Ciro": -3}, 10) == {"Ada": 40, "Bea": -10, "Ciro": -30}
    assert by_points({"Ada": 5, "Bea": 5}, 10) == {"Ada": 0, "Bea": 0}


def test_difference_is_what_is_still_to_be_posted() -> None:
    wanted, posted = {"Ada": 40, "Bea": -40}, {"Ada": 40, "Bea": -10, "Ciro": -30}

    more = difference(wanted, posted)

    assert more == {"Bea": -30, "Ciro": 30}
    assert difference(added([posted, more]), wanted) == {}


@rows(__file__, "amounts")
def test_amount_is_read_or_refused(
    typed: str, none: int | str, two: int | str, three: int | str
) -> None:
    for decimals, wanted in ((0, none), (2, two), (3, three)):
        amount = read_amount(typed, decimals)
        if isinstance(wanted, int):
            assert amount == wanted
        else:
            assert wanted in str(amount)


@rows(__file__, "no amounts")
def test_what_is_no_amount_is_refused(typed: list[str]) -> None:
    for text in typed:
        for decimals in (0, 2, 3):
            assert str(read_amount(text, decimals)) == "A number is needed.", text


def test_amount_that_is_not_clear_is_told_both_ways() -> None:
    assert str(read_amount("-1,005", 2)) == (
        "-1,005 can be read in two ways: write -1005, or at most 2 decimals."
    )


@given(
    cents=st.integers(-(10**9), 10**9),
    decimals=st.sampled_from([0, 1, 2, 3]),
    group=st.sampled_from(["", ".", ",", " ", "'", "’", "\u00a0", "\u202f"]),
    sign=st.sampled_from(".,"),
)
def test_amount_is_read_back_as_it_was_written(
    cents: int, decimals: int, group: str, sign: str
) -> None:
    assume(group != sign or not decimals)
    whole, rest = divmod(abs(cents), 10**decimals)
    written = f"{whole:,}".replace(",", group)
    written += f"{sign}{rest:0{decimals}}" if decimals else ""

    assert read_amount("-" * (cents < 0) + written, decimals) == cents


@given(text=st.text("0123456789.,-' ", max_size=12), decimals=st.sampled_from([0, 2, 3]))
def test_amount_is_what_one_of_the_two_ways_of_writing_means(text: str, decimals: int) -> None:
    amount = read_amount(text, decimals)
    meant = set()
    for sign, groups in ((".", ",' "), (",", ".' ")):
        whole, _, rest = text.strip().partition(sign)
        digits = re.sub(f"[{groups}]", "", whole)
        if re.fullmatch("-?[0-9]*", digits) and re.fullmatch("[0-9]*", rest):
            meant.add(digits + rest.ljust(decimals, "0"))

    assert not isinstance(amount, int) or any(
        reading and int(reading) == amount for reading in meant
    )
