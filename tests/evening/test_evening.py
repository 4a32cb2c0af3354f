import json
import subprocess
import sys
from typing import Any

import pytest

import scorer
from scorer import Evening
from scorer.errors import InvalidError
from scorer.operations import replay
from tests.data.examples import NAMES

FIVE = NAMES[:5]
SHEET: dict[str, Any] = {"caller": "Bea", "partner": "Dora", "bid": "66", "card_points": 70}
PAID = {"Ada": -1, "Bea": 2, "Ciro": -1, "Dora": 1, "Ezio": -1}
COMPOUND = {
    "preset": "classic",
    "auction": {"all_pass_times": 2},
    "throw_in": {"max_points": 4, "times": 2, "compound": True},
}


def chiamata(rules: Any = "classic", **other: Any) -> Evening:
    return Evening.begin("briscola-chiamata", FIVE, rules, **other)


def scala(rules: Any = "to-101") -> Evening:
    return Evening.begin("scala-quaranta", FIVE[:3], rules)


def closed(name: str, **hands: int) -> dict[str, Any]:
    return {"closed": name, "hands": hands}


def codes(refused: pytest.ExceptionInfo[InvalidError]) -> list[tuple[str, str]]:
    return [(problem.code, problem.field) for problem in refused.value.problems]


def test_evening_is_imported_without_flask() -> None:
    program = "import sys; from scorer import Evening, create_app; print(*sys.modules)"

    loaded = subprocess.check_output([sys.executable, "-c", program], text=True).split()

    assert "scorer.evening" in loaded
    assert not {"flask", "sqlalchemy", "scorer.app"} & set(loaded)


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
    assert repr(evening) == "<Evening of briscola-chiamata, 1 deals>"
    assert repr(deal) == f"<Deal 1, dealt by Ada, played: {PAID}>"
    assert repr(evening.void(1)) == "<Deal 1, dealt by Ada, played: voided>"


def test_what_is_held_is_plain() -> None:
    evening = chiamata()
    deal = evening.record(SHEET)

    told = json.dumps([deal.payouts, deal.outcome, evening.balances, evening.why(1)])

    assert json.loads(told)[:3] == [PAID, "played", PAID]


def test_what_is_given_may_be_changed_afterwards() -> None:
    names, sheet = list(FIVE), dict(SHEET)
    evening = Evening.begin("briscola-chiamata", names)
    evening.record(sheet)
    names.clear()
    sheet.clear()

    assert evening.amend(1, SHEET).payouts == PAID


def test_whoever_is_named_deals_first() -> None:
    evening = chiamata(dealer="Ciro")
    evening.change(order=["Ezio", "Dora", "Ciro", "Bea", "Ada"])

    assert evening.dealer == "Ciro"


def test_dealer_out_of_turn_deals_and_the_turn_goes_on_from_there() -> None:
    evening = chiamata()
    evening.record(SHEET, dealer="Dora")

    assert [deal.dealer for deal in evening.deals] == ["Dora"]
    assert evening.dealer == "Ezio"


def test_of_seven_those_sit_out_who_are_named_or_by_turn() -> None:
    rules = {"preset": "classic", "sits_out": "dealer"}
    evening = Evening.begin("briscola-chiamata", [*FIVE, "Fulvia", "Gino"], rules)

    by_turn = evening.record(SHEET)
    chosen = evening.record(SHEET, sits_out=("Fulvia", "Gino"))

    assert set(by_turn.payouts) == {"Bea", "Ciro", "Dora", "Ezio", "Fulvia"}
    assert set(chosen.payouts) == set(FIVE)
    assert Evening.read(evening.document()).balances == evening.balances


def test_penalty_and_drawn_deal_have_their_reasons() -> None:
    evening = chiamata({"preset": "classic", "draw": {"card_points": 60, "times": 2}})
    evening.record({"offender": "Ada"}, "penalty")
    evening.record({**SHEET, "bid": "61", "card_points": 60})

    assert evening.why(1)[0] == (
        "Penalty for Ada: 1 for each of the others, 4 × 1 → −4."  # the sign of a text
    )
    assert evening.deals[1].payouts == dict.fromkeys(FIVE, 0)
    assert evening.record(SHEET).payouts == {name: 2 * paid for name, paid in PAID.items()}


def test_deal_that_was_not_played_has_no_reasons() -> None:
    evening = chiamata()
    evening.record(outcome="misdeal")

    assert evening.why(1) == []


# Amend, void, restore


def test_amended_deal_counts_as_often_as_it_did() -> None:
    evening = chiamata(COMPOUND)
    evening.record(outcome="thrown-in")
    evening.record(SHEET)

    evening.amend(2, {**SHEET, "card_points": 60})
    assert evening.deals[1].payouts["Bea"] == -4
    evening.amend(2, {**SHEET, "times": 1})
    assert evening.deals[1].payouts == PAID


def test_deal_that_is_played_after_all_counts_as_often_as_it_would_have() -> None:
    evening = chiamata(COMPOUND)
    for outcome in ("thrown-in", "all-passed", "misdeal"):
        evening.record(outcome=outcome)

    assert evening.turn.times == 4
    assert evening.amend(3, SHEET).payouts["Bea"] == 8


def test_deal_before_the_last_played_one_counts_once_if_it_is_played_after_all() -> None:
    evening = chiamata(COMPOUND)
    evening.record(outcome="thrown-in")
    evening.record(outcome="misdeal")
    evening.record(SHEET)

    assert evening.amend(2, SHEET).payouts == PAID
    evening.void(3)
    evening.amend(2, None, "misdeal")
    assert evening.amend(2, SHEET).payouts["Bea"] == 4


def test_next_deal_counts_by_what_was_amended() -> None:
    evening = chiamata(COMPOUND)
    evening.record(outcome="thrown-in")
    evening.record(outcome="thrown-in")

    evening.amend(1, None, "misdeal")
    assert evening.turn.times == 2
    evening.void(2)
    assert evening.turn.times == 1


def test_voided_deal_keeps_its_line_and_counts_again_when_it_is_restored() -> None:
    evening = chiamata()
    evening.record(SHEET)
    evening.record({**SHEET, "card_points": 60})

    voided = evening.void(1)
    assert (voided.number, voided.payouts, voided.voided, voided.outcome) == (1, {}, True, "played")
    assert evening.balances["Bea"] == -2
    assert evening.void(1).voided
    assert evening.amend(1, {**SHEET, "card_points": 65}).payouts == {}
    assert len(evening.document()["deals"]) == 1
    restored = evening.restore(1)
    assert (restored.voided, restored.payouts["Bea"]) == (False, -2)
    assert not evening.restore(1).voided


def test_voided_deal_is_dealt_again_by_whoever_was_chosen() -> None:
    evening = chiamata()
    evening.change(dealer="Ezio")
    evening.record(SHEET)
    assert evening.dealer == "Ada"

    evening.void(1)

    assert evening.dealer == "Ezio"


def test_later_deal_that_depends_on_who_was_out_stands_in_the_way() -> None:
    evening = scala()
    evening.record(closed("Ada", Bea=90, Ciro=10))
    evening.record(closed("Ada", Bea=5, Ciro=10))
    before = evening.document()

    with pytest.raises(InvalidError) as refused:
        evening.amend(1, closed("Ada", Bea=101, Ciro=10))

    assert codes(refused) == [("later-deal", "")]
    assert evening.document() == before
    evening.void(2)
    evening.amend(1, closed("Ada", Bea=101, Ciro=10))
    with pytest.raises(InvalidError) as refused:
        evening.restore(2)
    assert codes(refused) == [("later-deal", "")]


def test_later_deal_of_a_dealer_who_would_be_out_stands_in_the_way() -> None:
    evening = Evening.begin("scala-quaranta", ["Ada", "Bea", "Ciro"])
    evening.record(closed("Ada", Bea=90, Ciro=10))
    evening.record(outcome="misdeal")

    with pytest.raises(InvalidError):
        evening.amend(1, closed("Ada", Bea=101, Ciro=10))


# Changes


def test_guests_join_with_nothing_and_whoever_left_keeps_their_balance() -> None:
    evening = chiamata()
    evening.record(SHEET)

    evening.change(order=["Ada", "Bea", "Fulvia", "Dora", "Ezio"])
    evening.record({**SHEET, "partner": "Fulvia"})

    assert evening.balances == {
        "Ada": -2, "Bea": 4, "Ciro": -1, "Dora": 0, "Ezio": -2, "Fulvia": 1,
    }  # fmt: skip
    assert [deal["dealer"] for deal in replay(evening.document())["deals"]] == ["Ada", "Bea"]


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


def test_evening_that_is_over_is_played_on() -> None:
    evening = chiamata({"preset": "classic", "session": {"end": "deals", "deals": 1}})
    evening.record(SHEET)
    evening.record({**SHEET, "caller": "Ada"})

    assert evening.progress == (True, ("Bea",))
    evening.void(1)
    assert evening.progress == (True, ("Ada",))


def test_rules_of_a_what_if_hold_for_the_next_deals_too() -> None:
    evening = chiamata()
    evening.record(SHEET)
    evening.record(SHEET)

    other = evening.what_if({"preset": "classic", "score": {"caller": 4}}, since=2)
    other.record(SHEET)

    assert [deal.payouts["Bea"] for deal in other.deals] == [2, 4, 4]
    assert len(evening.deals) == 2


def test_what_cannot_be_played_by_other_rules_stays_as_it_was_paid() -> None:
    evening = chiamata()
    evening.record(SHEET)

    other = evening.what_if("four-balanced")

    assert other.balances == evening.balances
    assert replay(other.document())["standings"] == replay(evening.document())["standings"]


def test_file_of_an_evening_that_cannot_go_on_by_its_rules_says_nothing_of_the_next_deal() -> None:
    evening = chiamata()
    evening.record(SHEET)

    other = evening.what_if("monte-7")

    assert "next" not in other.document()


# Files


def test_file_that_is_read_is_written_again() -> None:
    evening = chiamata()
    evening.record(SHEET)
    play = {"called_card": "KC", "note": "Well played"}
    document = evening.document()
    document["deals"][0]["play"] = play
    document |= {"title": "Friday", "date": "2026-11-20"}

    again = Evening.read({**document, "id": "x", "version": 2, "hash": "y"})

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


@pytest.mark.parametrize(
    ("begin", "problems"),
    [
        pytest.param({"game": "poker"}, [("unknown-game", "game")], id="no such game"),
        pytest.param({"game": 5}, [("wrong-type", "game")], id="a number for a game"),
        pytest.param({"game": None}, [("wrong-type", "game")], id="no game"),
        pytest.param({"names": "Ada"}, [("wrong-type", "seats")], id="one name"),
        pytest.param({"names": []}, [("wrong-type", "seats")], id="nobody"),
        pytest.param({"names": ["Ada", "Ada", "Bea", "Ciro", 5]},
                     [("duplicate-name", "seats[1]"), ("wrong-type", "seats[4]")],
                     id="twice the same"),
        pytest.param({"names": FIVE[:4]}, [("seats-count", "seats")], id="too few"),
        pytest.param({"names": object()}, [("malformed-json", "")], id="no names"),
        pytest.param({"rules": "poker"}, [("unknown-preset", "rules")], id="no such rules"),
        pytest.param({"rules": 5}, [("wrong-type", "rules")], id="a number for rules"),
        pytest.param({"rules": {"floor": "x", 3: 4}},
                     [("wrong-type", "rules.floor"), ("unknown-key", "rules.3")],
                     id="rules that say nothing"),
        pytest.param({"dealer": "Zoe"}, [("unknown-name", "dealer")], id="a stranger deals"),
        pytest.param({"dealer": ["Ada"]}, [("wrong-type", "dealer")], id="a list deals"),
        pytest.param({"opening": {"Zoe": 1, "Ada": "x"}},
                     [("unknown-name", "opening.Zoe"), ("wrong-type", "opening.Ada")],
                     id="what nobody brings in"),
        pytest.param({"opening": [1]}, [("wrong-type", "opening")], id="a list brought in"),
        pytest.param({"opening": {"Ada": {1}}}, [("malformed-json", "opening")], id="a set"),
    ],
)  # fmt: skip
def test_evening_that_cannot_begin_says_why(
    begin: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    with pytest.raises(InvalidError) as refused:
        Evening.begin(**{"game": "briscola-chiamata", "names": FIVE, **begin})

    assert codes(refused) == problems


RECURSIVE: list[Any] = []
RECURSIVE.append(RECURSIVE)


@pytest.mark.parametrize(
    ("act", "given", "problems"),
    [
        pytest.param("record", {"answers": {**SHEET, "bid": "300"}},
                     [("bid-range", "sheet.bid")], id="a bid that there isn't"),
        pytest.param("record", {"answers": {**SHEET, "caller": "Zoe"}},
                     [("unknown-name", "sheet.caller")], id="a stranger calls"),
        pytest.param("record", {}, [("wrong-type", "sheet")], id="nothing written"),
        pytest.param("record", {"answers": 5}, [("wrong-type", "sheet")], id="a number"),
        pytest.param("record", {"answers": RECURSIVE}, [("malformed-json", "sheet")], id="a ring"),
        pytest.param("record", {"outcome": "won"}, [("unknown-choice", "outcome")],
                     id="no such outcome"),
        pytest.param("record", {"outcome": None}, [("wrong-type", "outcome")], id="no outcome"),
        pytest.param("record", {"answers": SHEET, "outcome": "misdeal"},
                     [("unexpected-sheet", "sheet")], id="a sheet of no deal"),
        pytest.param("record", {"answers": SHEET, "dealer": "Zoe", "sits_out": ["Yan"]},
                     [("unknown-name", "dealer"), ("unknown-name", "sits_out[0]")],
                     id="strangers"),
        pytest.param("record", {"answers": SHEET, "sits_out": ["Ada"]}, [("seats-count", "")],
                     id="too few play"),
        pytest.param("record", {"answers": SHEET, "sits_out": "Ada"}, [("wrong-type", "sits_out")],
                     id="a name sits out"),
        pytest.param("amend", {"number": 99, "answers": SHEET}, [("out-of-range", "number")],
                     id="no such deal"),
        pytest.param("amend", {"number": "1", "answers": SHEET}, [("out-of-range", "number")],
                     id="a text for a number"),
        pytest.param("amend", {"number": 1, "answers": SHEET, "outcome": "x"},
                     [("unknown-choice", "outcome")], id="amended to no outcome"),
        pytest.param("amend", {"number": 1, "answers": {}},
                     [("missing-key", f"sheet.{key}") for key in ("caller", "bid", "partner")],
                     id="amended to nothing"),
        pytest.param("void", {"number": 0}, [("out-of-range", "number")], id="deal 0"),
        pytest.param("restore", {"number": True}, [("out-of-range", "number")], id="deal True"),
        pytest.param("why", {"number": 2}, [("out-of-range", "number")], id="why of no deal"),
        pytest.param("what_if", {"rules": "poker"}, [("unknown-preset", "rules")],
                     id="what if of no rules"),
        pytest.param("what_if", {"rules": "classic", "since": 3}, [("out-of-range", "since")],
                     id="what if of later deals"),
        pytest.param("change", {"rules": {"floor": 1.5}}, [("wrong-type", "rules.floor")],
                     id="rules that there are not"),
        pytest.param("change", {"rules": "monte-6"}, [("seats-count", "seats")],
                     id="rules for others"),
        pytest.param("change", {"order": "Ada"}, [("wrong-type", "order")], id="a name for all"),
        pytest.param("change", {"order": [*FIVE[:4], "Ada"]}, [("duplicate-name", "order[4]")],
                     id="one in two places"),
        pytest.param("change", {"order": FIVE[:4]}, [("seats-count", "seats")], id="too few"),
        pytest.param("change", {"order": [*FIVE, "F", "G", "H"]}, [("seats-count", "seats")],
                     id="too many"),
        pytest.param("change", {"order": [*FIVE[:4], "Fulvia"], "sits_out": ["Ezio"]},
                     [("sits-out", "sits_out")], id="who left sits out"),
        pytest.param("change", {"sits_out": ["Zoe"], "dealer": "Yan"},
                     [("unknown-name", "sits_out[0]"), ("unknown-name", "dealer")],
                     id="strangers sit out and deal"),
        pytest.param("change", {"order": [*FIVE[:4], "Fulvia"], "dealer": "Ezio"},
                     [("dealer", "dealer")], id="who left deals"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_and_changes_nothing(
    act: str, given: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    evening = chiamata()
    evening.record(SHEET)
    before = evening.document(), evening.names, evening.dealer

    with pytest.raises(InvalidError) as refused:
        getattr(evening, act)(**given)

    assert codes(refused) == problems
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

    with pytest.raises(InvalidError) as refused:
        evening.change(order=["Ada", "N1"])

    assert codes(refused) == [("seats-count", "seats")]


@pytest.mark.parametrize(
    ("document", "problems"),
    [
        pytest.param(5, [("wrong-type", "")], id="a number"),
        pytest.param({"game": "briscola"},
                     [("missing-key", "seats"), ("missing-key", "deals")], id="half of one"),
        pytest.param({"game": "briscola", "seats": ["Ada", "Bea"], "deals": [{}]},
                     [("missing-key", "deals[0].sheet")], id="a deal of nothing"),
        pytest.param({"deals": {1}}, [("malformed-json", "")], id="no JSON"),
    ],
)  # fmt: skip
def test_file_that_cannot_be_read_says_why(
    document: object, problems: list[tuple[str, str]]
) -> None:
    with pytest.raises(InvalidError) as refused:
        Evening.read(document)

    assert sorted(codes(refused)) == sorted(problems)
