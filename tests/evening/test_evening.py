import json
from pathlib import Path
from typing import Any

import pytest

import scorer
from scorer import Evening
from scorer.errors import InvalidError
from scorer.operations import replay
from tests.data.examples import NAMES
from tests.refusals import refused

FIVE = NAMES[:5]
SHEET: dict[str, Any] = {"caller": "Bea", "partner": "Dora", "bid": "66", "card_points": 70}
PAID = {"Ada": -1, "Bea": 2, "Ciro": -1, "Dora": 1, "Ezio": -1}


def chiamata(rules: Any = "classic", **other: Any) -> Evening:
    return Evening.begin("briscola-chiamata", FIVE, rules, **other)


def scala(rules: Any = "to-101") -> Evening:
    return Evening.begin("scala-quaranta", FIVE[:3], rules)


def closed(name: str, **hands: int) -> dict[str, Any]:
    return {"closed": name, "hands": hands}


def test_package_offers_nothing_else_by_chance() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Morning'"):
        _ = scorer.Morning


def test_evening_goes_on_deal_by_deal() -> None:
    evening = chiamata(opening={"Ada": 5})

    deal = evening.record(SHEET)

    assert (deal.number, deal.dealer, deal.outcome, deal.voided) == (1, "Ada", "played", False)
    assert deal.payouts == PAID
    assert evening.deals == [deal]
    assert evening.balances == {**PAID, "Ada": 4}
    assert evening.standings()[:2] == [(1, "Ada", 4), (2, "Bea", 2)]
    assert evening.dealer == "Bea"
    assert evening.progress == (False, ())
    assert repr(evening) == "<Evening of briscola-chiamata, 1 deal>"
    assert repr(deal) == f"<Deal 1, dealt by Ada, played: {PAID}>"
    assert repr(evening.void(1)) == "<Deal 1, dealt by Ada, played: voided>"


def test_of_seven_those_sit_out_who_are_named_or_by_turn() -> None:
    rules = {"preset": "classic", "sits_out": "dealer"}
    evening = Evening.begin("briscola-chiamata", [*FIVE, "Fulvia", "Gino"], rules)

    by_turn = evening.record(SHEET)
    chosen = evening.record(SHEET, sits_out=("Fulvia", "Gino"))

    assert set(by_turn.payouts) == {"Bea", "Ciro", "Dora", "Ezio", "Fulvia"}
    assert set(chosen.payouts) == set(FIVE)
    assert Evening.read(evening.document()).balances == evening.balances


def test_penalty_has_its_reasons_and_a_misdeal_none() -> None:
    evening = chiamata()
    evening.record({"offender": "Ada"}, "penalty")
    evening.record(outcome="misdeal")

    assert evening.why(1)[0] == (
        "Penalty for Ada: 1 for each of the others, 4 × 1 → −4."  # the sign of a text
    )
    assert evening.why(2) == []


# Amend, void, restore


def test_later_deal_that_depends_on_who_was_out_stands_in_the_way() -> None:
    evening = scala()
    evening.record(closed("Ada", Bea=90, Ciro=10))
    evening.record(closed("Ada", Bea=5, Ciro=10))
    before = evening.document()

    with refused("later-deal"):
        evening.amend(1, closed("Ada", Bea=101, Ciro=10))
    assert evening.document() == before
    evening.void(2)
    evening.amend(1, closed("Ada", Bea=101, Ciro=10))
    with refused("later-deal"):
        evening.restore(2)


def test_deal_that_nobody_played_has_only_those_who_are_in_by_now() -> None:
    evening = scala()
    evening.record(closed("Ada", Bea=90, Ciro=10))
    evening.record(outcome="misdeal")
    evening.amend(1, closed("Ada", Bea=10, Ciro=101))

    assert [deal["sits_out"] for deal in evening.document()["deals"]] == [[], ["Ciro"]]
    assert Evening.read(evening.document()).document() == evening.document()


def test_later_deal_against_two_stands_in_the_way_of_more_points_than_allow_it() -> None:
    rules = {"alone_until": 1000}
    evening = Evening.begin("burraco", ["Ada", "Bea", "Ciro"], rules, opening={"Ada": 900})
    nothing = {"clean": [0] * 3, "dirty": [0] * 3, "pot_taken": [True] * 3, "in_hand": [0] * 3}
    evening.record({**nothing, "melded": [95, 50, 10]})
    evening.record({**nothing, "melded": [100, 20, 20], "alone": "Ada"})

    with refused("later-deal"):
        evening.amend(1, {**nothing, "melded": [100, 50, 10]})
    evening.void(2)
    evening.amend(1, {**nothing, "melded": [100, 50, 10]})
    with refused("alone-over sheet.alone"):
        evening.record({**nothing, "melded": [100, 20, 20], "alone": "Ada"})


# Changes


def test_several_changes_before_one_deal_all_hold() -> None:
    evening = Evening.begin("briscola-chiamata", [*FIVE, "Fulvia"], "monte-6")
    evening.change(rules="monte-5", sits_out=["Fulvia"])
    evening.change(dealer="Ciro")
    evening.change(rules="classic")
    evening.change()

    deal = evening.record(SHEET)

    assert (deal.dealer, deal.payouts) == ("Ciro", PAID)
    assert evening.record(SHEET).payouts == PAID, "Fulvia sits out until somebody says otherwise"
    evening.change(sits_out=[])
    assert set(evening.record(SHEET).payouts) == {*FIVE, "Fulvia"} - {"Ezio"}


def test_rules_of_a_what_if_hold_for_the_next_deals_too() -> None:
    evening = chiamata()
    evening.record(SHEET)
    evening.record(SHEET)

    other = evening.what_if({"preset": "classic", "score": {"caller": 4}}, since=2)
    other.record(SHEET)

    assert [deal.payouts["Bea"] for deal in other.deals] == [2, 4, 4]
    assert len(evening.deals) == 2


def test_what_cannot_be_played_by_other_rules_stays_as_it_was_paid_and_nothing_is_next() -> None:
    evening = chiamata()
    evening.record(SHEET)

    other = evening.what_if("monte-7")

    assert other.balances == evening.balances
    assert replay(other.document())["standings"] == replay(evening.document())["standings"]
    assert "next" not in other.document()


# Files


def test_file_that_is_read_is_written_again() -> None:
    evening = chiamata()
    evening.record(SHEET)
    play = {"called_card": "KC", "note": "Well played"}
    document = evening.document()
    document["deals"][0]["play"] = play
    document |= {"title": "Friday", "date": "2026-11-20"}

    again = Evening.read({**document, "id": "x", "version": 2, "next_number": 2, "hash": "y"})

    assert again.document() == document
    again.amend(1, SHEET)
    assert again.document() == document
    again.amend(1, {**SHEET, "card_points": 80})
    assert "play" not in again.document()["deals"][0]


def test_cards_of_a_deal_that_keeps_none_are_left_out() -> None:
    deals = [{"outcome": "misdeal", "play": {"note": "Oh"}}]
    document = {"game": "briscola-chiamata", "seats": list(FIVE), "deals": deals}

    assert Evening.read(document).document()["deals"] == [
        {"outcome": "misdeal", "dealer": "Ada", "sits_out": []}
    ]


def test_file_says_from_which_deal_on_people_sit_and_play_otherwise() -> None:
    evening, order = chiamata(), [*FIVE[1:], FIVE[0]]
    evening.record(SHEET)
    evening.change(order=order, rules="classic-plain")
    evening.record(SHEET)

    document = evening.document()

    assert [deal.get("seats") for deal in document["deals"]] == [None, order]
    assert document["deals"][1]["rules"]["slug"] == "classic-plain"
    assert Evening.read(document).document() == document


def test_file_without_deals_says_who_is_at_the_table() -> None:
    evening = chiamata()
    evening.change(order=[*FIVE, "Fulvia"], sits_out=["Ada"])

    document = evening.document()

    assert document["next"] == {"seats": [*FIVE, "Fulvia"]}
    assert Evening.read(document).names == (*FIVE, "Fulvia")


def test_file_of_three_of_whom_two_are_to_play_can_be_read() -> None:
    evening = Evening.begin("burraco", ["Ada", "Bea"], "three-deals")
    evening.change(order=["Ada", "Bea", "Ciro"], sits_out=["Ciro"])

    assert replay(evening.document())["ok"]


# What is wrong


REFUSALS = [
    json.loads(line)
    for line in Path(__file__).with_name("refusals.jsonl").read_text(encoding="utf-8").splitlines()
]
RING: list[Any] = []
RING.append(RING)
NO_JSON: list[tuple[str, dict[str, Any], list[str]]] = [
    ("begin", {"names": object()}, ["malformed-json"]),
    ("begin", {"opening": {"Ada": {1}}}, ["malformed-json opening"]),
    ("begin", {"rules": {"floor": "x", 3: 4}}, ["wrong-type rules.floor", "unknown-key rules.3"]),
    ("record", {"answers": RING}, ["malformed-json sheet"]),
    ("read", {"document": {"deals": {1}}}, ["malformed-json"]),
]


@pytest.mark.parametrize(
    ("act", "given", "problems"),
    [
        *NO_JSON,
        *(
            pytest.param(row["do"], row["with"], row["problems"], id=f"{row['do']}: {row['id']}")
            for row in REFUSALS
        ),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(
    act: str, given: dict[str, Any], problems: list[str]
) -> None:
    evening = chiamata()
    evening.record(SHEET)
    before = evening.document(), evening.names, evening.dealer
    begin = {"game": "briscola-chiamata", "names": FIVE} if act == "begin" else {}

    with refused(*problems):
        getattr(evening, act)(**begin | given)

    assert (evening.document(), evening.names, evening.dealer) == before


def test_who_is_out_deals_no_more() -> None:
    evening = scala()
    evening.record(closed("Ada", Bea=101, Ciro=10))

    for act in (evening.change, evening.record):
        with pytest.raises(InvalidError):
            act(dealer="Bea")
    assert evening.dealer == "Ciro"


def test_there_is_room_for_twenty_names() -> None:
    evening = Evening.begin("points", [f"N{number}" for number in range(20)])

    with refused("seats-count seats"):
        evening.change(order=["Ada", "N1"])
