"""Records: what is counted of a deal for each who was paid, and who pays whom."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.ledger.records import DealResult, DealStatistics, DealTally, records

WITH = {0: "caller", 1: "partner"}
MADE = DealResult(1, penalty=False, bid="75", made=True, payouts={0: 2, 1: 1, 2: -1, 3: -1, 4: -1},
              roles=WITH)  # fmt: skip
MISSED = DealResult(2, penalty=False, bid="K", made=False, payouts={0: -2, 1: -1, 2: 1, 3: 1, 4: 1},
                roles=WITH)  # fmt: skip
ALONE = DealResult(3, penalty=False, bid="75", made=True,
                   payouts={0: 4, 1: -1, 2: -1, 3: -1, 4: -1},
               roles={0: "alone"})  # fmt: skip
FINE = DealResult(4, penalty=True, bid=None, made=None, payouts={0: -4, 1: 1, 2: 1, 3: 1, 4: 1},
              roles={0: "offender"})  # fmt: skip
ODD = DealResult(5, penalty=False, bid="75", made=True, payouts={0: 3, 1: 2, 2: -1, 3: -1, 4: -1},
             roles=WITH)  # fmt: skip
SCOPA = DealResult(
    1, penalty=False, bid=None, made=None, payouts={0: 3, 1: 1, 2: 3, 3: 1}, roles={}
)


def told(tallies: Mapping[str, DealTally]) -> dict[str, tuple[int, int, int]]:
    """Give the figures of tallies."""
    return {name: (tally.deals, tally.made, tally.points) for name, tally in tallies.items()}


def flows(record: DealStatistics[int]) -> dict[int, tuple[int, Fraction]]:
    """Give the figures of a point flow."""
    return {who: (flow.deals, flow.points) for who, flow in record.flow.items()}


def test_each_deal_counts_for_the_part_that_was_played() -> None:
    by_seat = records([MADE, MISSED, ALONE, FINE])

    assert told(by_seat[0].parts) == {
        "caller": (2, 1, 0), "alone": (1, 1, 4), "penalty": (1, 0, -4),
    }  # fmt: skip
    assert told(by_seat[1].parts) == {
        "partner": (2, 1, 0), "defender": (1, 1, -1), "penalty": (1, 0, 1),
    }  # fmt: skip
    assert (by_seat[0].everything.deals, by_seat[0].everything.points) == (4, 0)


def test_calls_are_counted_by_bid_for_the_caller_alone() -> None:
    by_seat = records([MADE, MISSED, ALONE])

    assert told(by_seat[0].bids) == {"75": (2, 2, 6), "K": (1, 0, -2)}
    assert by_seat[0].calls == [(1, True), (2, False), (3, True)]
    assert [told(by_seat[seat].bids) for seat in range(1, 5)] == [{}] * 4


def test_partners_are_counted_on_both_sides() -> None:
    by_seat = records([MADE, MISSED, ALONE])

    assert told({str(who): tally for who, tally in by_seat[0].partners.items()}) == {"1": (2, 1, 0)}
    assert told({str(who): tally for who, tally in by_seat[1].callers.items()}) == {"0": (2, 1, 0)}
    assert not by_seat[0].callers
    assert not by_seat[2].partners


@pytest.mark.parametrize(
    ("deal", "seat", "expected"),
    [
        pytest.param(MADE, 0, {2: (1, Fraction(2, 3)), 3: (1, Fraction(2, 3)),
                               4: (1, Fraction(2, 3))}, id="caller wins"),
        pytest.param(MADE, 2, {0: (1, Fraction(-2, 3)), 1: (1, Fraction(-1, 3))},
                     id="defender loses"),
        pytest.param(FINE, 3, {0: (1, Fraction(1))}, id="penalty"),
        pytest.param(ODD, 0, {}, id="not zero-sum"),
        pytest.param(SCOPA, 0, {}, id="nobody loses"),
    ],
)  # fmt: skip
def test_losers_pay_winners_in_proportion(
    deal: DealResult, seat: int, expected: dict[int, tuple[int, Fraction]]
) -> None:
    assert flows(records([deal])[seat]) == expected


def test_deals_that_do_not_add_up_are_counted_apart() -> None:
    by_seat = records([MADE, ODD, SCOPA])

    assert [by_seat[seat].unbalanced for seat in range(5)] == [2, 2, 2, 2, 1]


def test_games_without_parts_count_what_was_played() -> None:
    by_seat = records([SCOPA])

    assert told(by_seat[0].parts) == {"": (1, 0, 3)}
    assert not by_seat[0].calls


def test_records_of_one_person_add_up_under_the_names_of_the_others() -> None:
    first, second = records([MADE, FINE])[0], records([MISSED, ODD])[1]
    person: DealStatistics[str] = DealStatistics()

    person.plus(first, dict(enumerate("abcde")))
    person.plus(second, dict(enumerate("baxyz")))

    assert (person.everything.deals, person.everything.points) == (4, -1)
    assert told(person.parts) == {
        "caller": (1, 1, 2), "penalty": (1, 0, -4), "partner": (2, 1, 1),
    }  # fmt: skip
    assert told(person.bids) == {"75": (1, 1, 2)}
    assert told(person.partners) == {"b": (1, 1, 2)}
    assert told(person.callers) == {"b": (2, 1, 1)}
    assert person.unbalanced == 1
    assert person.flow["c"].points == Fraction(2, 3) - 1
    assert person.flow["x"].points == Fraction(-1, 3)


@st.composite
def balanced(draw: st.DrawFn) -> DealResult:
    """Draw a deal whose points add up to zero."""
    points = draw(st.lists(st.integers(-9, 9), min_size=1, max_size=5))
    paid = dict(enumerate([*points, -sum(points)]))
    return DealResult(1, penalty=False, bid=None, made=None, payouts=paid, roles={})


@given(st.lists(balanced(), max_size=8))
def test_the_flow_of_everybody_is_what_they_were_paid_and_goes_both_ways(
    deals: list[DealResult],
) -> None:
    by_seat = records(deals)

    for seat, record in by_seat.items():
        assert sum(flow.points for flow in record.flow.values()) == record.everything.points
        for other, flow in record.flow.items():
            assert by_seat[other].flow[seat].points == -flow.points
            assert by_seat[other].flow[seat].deals == flow.deals


def test_draw_is_a_deal_and_no_call() -> None:
    draw = MADE._replace(number=6, made=None, payouts=dict.fromkeys(range(5), 0))

    caller = records([MADE, draw])[0]

    assert (caller.everything.deals, caller.everything.decided) == (2, 1)
    assert {bid: tally.deals for bid, tally in caller.bids.items()} == {"75": 1}
    assert caller.calls == [(1, True)]
