"""Titles: who stands out in an evening, and which deals show it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.ledger.records import DealResult
from scorer.ledger.titles import MOST_TITLES, NAMES, Title, TitledEvening, titles

HEIGHTS = {"A": (0, 0), "75": (1, 2), "95": (1, 9)}
NOBODY = dict.fromkeys(range(5), 0)


def call(number: int, caller: int, partner: int | None, bid: str, *, made: bool) -> DealResult:
    """Make a deal of five in which who wins gets 2 as the caller and 1 as anybody else."""
    roles = {caller: "alone"} if partner is None else {caller: "caller", partner: "partner"}
    sign = 1 if made else -1
    others = {seat: -sign for seat in range(5) if seat not in roles}
    rest = {partner: sign} if partner is not None else {}
    payouts = {**others, **rest, caller: -sum(others.values()) - sum(rest.values())}
    return DealResult(number, penalty=False, bid=bid, made=made, payouts=payouts, roles=roles)


def plain(number: int, *paid: int) -> DealResult:
    """Make a deal of a game in which nobody calls."""
    return DealResult(
        number, penalty=False, bid=None, made=None, payouts=dict(enumerate(paid)), roles={}
    )


def found(
    deals: Sequence[DealResult], opening: dict[int, int] | None = None, *, lowest: bool = False
) -> dict[str, Title]:
    """Give the titles of an evening by their kinds."""
    best = min if lowest else max
    won = {
        deal.number: [seat for seat, n in deal.payouts.items() if n == best(deal.payouts.values())]
        for deal in deals
        if not deal.penalty
    }
    opening = NOBODY if opening is None else opening
    evening = TitledEvening(deals, opening, HEIGHTS, won, lowest)
    return {title.kind: title for title in titles(evening)}


def test_partner_who_made_most_of_their_deals_is_the_best() -> None:
    deals = [
        call(1, 0, 1, "A", made=True),
        call(2, 2, 1, "A", made=True),
        call(3, 3, 4, "A", made=True),
        call(4, 2, 4, "A", made=False),
    ]

    best = found(deals)["partner"]

    assert (best.seats, best.deals, str(best.figure)) == ((1,), (1, 2), "2 of 2 made")


def test_most_daring_is_the_highest_bid_and_of_those_a_made_one() -> None:
    deals = [
        call(1, 0, 1, "95", made=False),
        call(2, 2, 1, "95", made=True),
        call(3, 3, 1, "75", made=True),
    ]

    assert found(deals)["daring"] == ("daring", (2,), (2,), None)
    assert "daring" not in found([call(1, 0, 1, "a bid of other rules", made=True)])


def test_collector_is_paid_most_in_defence_and_benefactor_pays_most_for_calls() -> None:
    deals = [
        call(1, 0, 1, "A", made=False),
        call(2, 0, 2, "A", made=False),
        call(3, 1, 2, "A", made=True),
    ]

    together = found(deals)
    assert together["donor"].seats == (0,)
    assert together["donor"].deals == (1, 2)
    assert str(together["donor"].figure) == "−4 from bids missed as the caller"
    assert "collector" not in found(deals[:1])  # three share it


@pytest.mark.parametrize(("deals", "told"), [(1, "1 of 1 made"), (2, "2 of 2 made")])
def test_alone_against_all(deals: int, told: str) -> None:
    evening = [call(number, 3, None, "A", made=True) for number in range(1, deals + 1)]

    assert str(found(evening)["alone"].figure) == told


def test_run_of_calls_counts_own_calls_only_and_ends_with_a_missed_one() -> None:
    deals = [
        call(1, 0, 1, "A", made=True),
        call(2, 0, 1, "A", made=False),
        call(3, 0, 1, "A", made=True),
        call(4, 1, 2, "A", made=False),
        call(5, 0, 2, "A", made=True),
        call(6, 0, 3, "A", made=True),
    ]

    assert found(deals)["calls"].deals == (3, 5, 6)


def test_titles_of_games_without_calls() -> None:
    deals = [plain(1, -5, 2, 3), plain(2, 2, -1, -1), plain(4, 3, -1, -2), plain(5, 4, -2, -2)]

    together = found(deals, {0: 0, 1: 0, 2: 0})

    assert str(together["comeback"].figure) == "from −5 to +4"
    assert together["comeback"].deals == (1, 5)
    assert (str(together["best"].figure), together["best"].deals) == ("+4", (5,))
    assert (together["run"].seats, together["run"].deals) == ((0,), (2, 4, 5))
    assert "front" not in together


def test_who_leads_alone_after_the_most_deals_is_most_often_in_front() -> None:
    together = found([plain(number, 1, -1) for number in (1, 2, 3)], {0: 0, 1: 0})

    assert str(together["front"].figure) == "in the lead after 3 of 3 deals"
    assert "front" not in found([plain(n, 0, 0) for n in (1, 2, 3)], {0: 0, 1: 0})


def test_titles_where_few_points_are_good() -> None:
    deals = [plain(1, 0, 30, 12), plain(2, 0, 8, 40), plain(3, 7, 0, 5)]

    together = found(deals, {0: 0, 1: 0, 2: 0}, lowest=True)

    assert (together["clean"].seats, together["clean"].deals) == ((0,), (1, 2))
    assert (together["heaviest"].seats, together["heaviest"].deals) == ((2,), (2,))
    assert together["front"].seats == (0,)


def test_run_of_won_deals_is_not_one_of_deals_that_pay() -> None:
    deals = [plain(1, 5, 0), plain(2, 1, 3), plain(3, 2, 4), plain(4, 3, 4), plain(5, 4, 1)]

    run = found(deals, {0: 0, 1: 0})["run"]

    assert (run.seats, run.deals) == ((1,), (2, 3, 4))


def test_who_comes_back_in_has_no_clean_hands_and_a_burden_has_no_plus() -> None:
    deals = [plain(1, 0, 30, 110), plain(2, 20, 0, -40)]
    won = {1: [0], 2: [1]}

    found = titles(TitledEvening(deals, {0: 0, 1: 0, 2: 0}, HEIGHTS, won, lowest_leads=True))

    by_kind = {title.kind: title for title in found}
    assert by_kind["clean"].seats == (0, 1)
    assert str(by_kind["heaviest"].figure) == "110"


def test_hands_are_clean_where_half_of_the_deals_cost_nothing() -> None:
    half = [plain(1, 0, 5), plain(2, 5, 5)]

    assert str(found(half, {0: 0, 1: 0}, lowest=True)["clean"].figure) == (
        "nothing to pay in 1 of 2 deals"
    )
    assert "clean" not in found([*half, plain(3, 5, 5)], {0: 0, 1: 0}, lowest=True)


def test_what_more_than_two_share_is_given_to_nobody() -> None:
    assert found([plain(1, 2, 2, 2, -6)], {0: 0, 1: 0, 2: 0, 3: 0}) == {}
    assert found([plain(1, 2, 2, -4)], {0: 0, 1: 0, 2: 0})["best"].seats == (0, 1)


def test_penalties_and_empty_evenings_earn_nothing() -> None:
    fine = DealResult(1, penalty=True, bid=None, made=None, payouts={0: 4, 1: -4}, roles={0: "x"})

    assert found([]) == {}
    assert found([fine], {0: 0, 1: 0}) == {}


def test_titles_go_first_to_those_who_have_none() -> None:
    deals = [call(n, 0, 1, "95", made=True) for n in (1, 2, 3)] + [call(4, 2, 3, "A", made=False)]

    holders = [title.seats for title in found(deals).values()]

    assert len(holders) <= MOST_TITLES
    assert {(0,), (1,), (2,)} <= set(holders)


@given(st.data())
def test_every_title_rests_on_deals_of_the_evening(data: st.DataObject) -> None:
    seat = st.integers(0, 4)
    deals = []
    for number in range(1, data.draw(st.integers(0, 12)) + 1):
        caller, partner = data.draw(seat), data.draw(seat)
        bid, made = data.draw(st.sampled_from(list(HEIGHTS))), data.draw(st.booleans())
        other = None if partner == caller else partner
        deals.append(call(number, caller, other, bid, made=made))

    for kind, title in found(deals).items():
        assert kind in NAMES
        assert title.deals
        assert set(title.deals) <= {deal.number for deal in deals}
        assert 1 <= len(title.seats) <= 2


def test_points_that_are_counted_have_no_plus() -> None:
    deals = [
        DealResult(number, False, None, None, {0: 6 + number, 1: 4}, {})
        for number in (1, 2)  # no penalty
    ]
    evening = TitledEvening(deals, {0: 0, 1: 0}, {}, {})

    figures = [
        [str(title.figure) for title in titles(one) if title.figure is not None]
        for one in (evening, evening._replace(counted=True))
    ]

    assert figures[1] == [figure.removeprefix("+") for figure in figures[0]] != figures[0]
