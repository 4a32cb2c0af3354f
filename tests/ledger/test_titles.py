"""Titles: who stands out in an evening, and which deals show it."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer.ledger.records import DealResult
from scorer.ledger.titles import MOST_TITLES, NAMES, Title, TitledEvening, titles
from tests.data.rows import rows

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


def deal(number: int, written: str | list[int]) -> DealResult:
    """Make a deal of what was paid, or of a call: ``0 1 A made``, where ``-`` is no partner."""
    if isinstance(written, list):
        return plain(number, *written)
    caller, partner, bid, result = written.split()
    other = None if partner == "-" else int(partner)
    return call(number, int(caller), other, bid, made=result == "made")


@rows(__file__, "titles")
def test_title_goes_to_whom_the_deals_show_it(
    deals: list[Any], told: dict[str, Any], *, lowest: bool
) -> None:
    evening = [deal(number, one) for number, one in enumerate(deals, 1) if one is not None]
    given = found(evening, dict.fromkeys(evening[0].payouts, 0), lowest=lowest)

    seen = {
        kind: [[*title.seats], [*title.deals], None if title.figure is None else str(title.figure)]
        for kind, title in given.items()
    }

    assert {kind: seen.get(kind) for kind in told} == told


def test_who_comes_back_in_has_no_clean_hands_and_a_burden_has_no_plus() -> None:
    deals = [plain(1, 0, 30, 110), plain(2, 20, 0, -40)]
    won = {1: [0], 2: [1]}

    found = titles(TitledEvening(deals, {0: 0, 1: 0, 2: 0}, HEIGHTS, won, lowest_leads=True))

    by_kind = {title.kind: title for title in found}
    assert by_kind["clean"].seats == (0, 1)
    assert str(by_kind["heaviest"].figure) == "110"


def test_what_more_than_two_share_is_given_to_nobody() -> None:
    assert found([plain(1, 2, 2, 2, -6)], {0: 0, 1: 0, 2: 0, 3: 0}) == {}


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
