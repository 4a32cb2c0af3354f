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


@examples(100)
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


@examples(120)
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
