from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer.operations import check
from tests.data.strategies import examples
from tests.games.played import bare, deals, parts, whole
from tests.games.tables import Deal, payouts_of


def check_told_in_full(deal: Deal, answer: dict[str, Any]) -> None:
    won = {name: sum(trick.winner == name for trick in deal.tricks) for name in deal.here}
    assert answer["problems"] == []
    assert answer["ok"] is answer["complete"] is True
    assert answer["winners"] == [trick.winner for trick in deal.tricks]
    assert answer["card_points"] == deal.taken
    assert answer["tricks_won"] == won
    proved = (None, None) if had_it(deal) else (deal.partner, deal.partner is None)
    assert (answer["partner"], answer["alone"]) == proved
    assert answer["side_points"] == deal.side_points
    assert answer["bounds"] == [deal.side_points, deal.side_points]
    assert answer["status"] == ("made" if deal.side_points >= deal.target else "missed")
    assert answer["payouts"] == payouts_of(deal)
    assert (list(answer["payouts"]), list(answer["card_points"])) == (deal.people, deal.here)


def had_it(deal: Deal) -> bool:
    """Whether the caller had the called card where it can be shown."""
    others = [deal.hands[name] for name in deal.people if name != deal.caller]
    return bool(deal.rules["monte"]) and not any(deal.called in hand for hand in others)


@examples(150)
@given(deals())
def test_whole_deal_is_told_as_it_was(deal: Deal) -> None:
    answer = check(whole(deal))

    check_told_in_full(deal, answer)
    assert {warning["code"] for warning in answer["warnings"]} <= {"bid-skips-two", "revoke"}


@examples(100)
@given(deals())
def test_cards_in_order_are_enough(deal: Deal) -> None:
    record = bare(whole(deal))
    del record["claim"]["player_points"], record["claim"]["card_points"], record["claim"]["made"]

    check_told_in_full(deal, check(record))


@examples(200)
@given(st.data())
def test_part_of_a_deal_proves_nothing_but_what_happened(data: st.DataObject) -> None:
    deal = data.draw(deals())

    answer = check(data.draw(parts(deal)))

    assert answer["problems"] == []
    for proved, trick in zip(answer["winners"], deal.tricks, strict=False):
        assert proved in (None, trick.winner)
    assert all(points <= deal.taken[name] for name, points in answer["card_points"].items())
    assert answer["partner"] in (None, deal.partner)
    assert answer["alone"] in (None, deal.partner is None)
    low, high = answer["bounds"]
    assert low <= deal.side_points <= high
    done = "made" if low >= deal.target else "missed"
    assert answer["status"] == ("open" if low < deal.target <= high else done)


@examples(6)  # each of them checks forty records
@given(deals(), st.sets(st.sampled_from(["partner", "hands"])))
def test_bounds_hold_the_end_and_shrink_with_every_card(deal: Deal, untold: set[str]) -> None:
    record = whole(deal)
    if "partner" in untold and not had_it(deal):
        del record["claim"]["partner"]
    if "hands" in untold:
        del record["hands"]
    answers = [check({**record, "tricks": tricks}) for tricks in prefixes(record["tricks"])]

    statuses = [answer["status"] for answer in answers if answer["status"] != "open"]
    assert all(answer["ok"] for answer in answers)
    assert all(low <= deal.side_points <= high for low, high in bounds_of(answers))
    assert all(a <= b <= c <= d for (a, d), (b, c) in pairwise(bounds_of(answers)))
    assert set(statuses) == {"made" if deal.side_points >= deal.target else "missed"}
    assert all(answer["partner"] in (None, deal.partner) for answer in answers)


def prefixes(tricks: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Write the tricks down card by card; nobody has won the one that is not over."""
    growing = []
    for number, trick in enumerate(tricks):
        for size in range(len(trick["cards"])):
            begun = {"leader": trick["leader"], "cards": trick["cards"][:size]}
            growing.append([*tricks[:number], begun])
    return [*growing, tricks]


def bounds_of(answers: list[dict[str, Any]]) -> list[list[int]]:
    return [answer["bounds"] for answer in answers]
