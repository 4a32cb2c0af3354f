"""What the script of the record form pays, held to what the server pays."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.games import find_game
from scorer.rules.game import Outcome, Table, Turn
from scorer.rules.seats import all_seats
from scorer.rules.sheet import Reading
from scorer.rules.sheet import read as read_answers
from scorer.web.deals.entry_forms.chiamata import pay_table
from tests.data.rows import rows
from tests.data.strategies import any_results, bids, examples, requests, rule_sets
from tests.games.oracle import rules_of
from tests.static.conftest import CallScript

GAME = find_game("briscola-chiamata")
SCRIPT = "deals/chiamata_pay.js"
PEOPLE = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
CONTRADICTIONS = {"bid-style", "wrong-result", "out-of-range", "points-tricks", "wrong-cappotto"}


def written(sheet: Any) -> dict[str, Any]:
    names = ("caller", "partner", "card_points", "made", "tricks_won", "cappotto", "blind", "times")
    return {"points": sheet.bid.points, **{name: getattr(sheet, name) for name in names}}


@examples(200)
@given(requests())
def test_script_pays_what_the_server_pays(call_script: CallScript, request: dict[str, Any]) -> None:
    assume(compare_payouts(call_script, request))


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param({"partner": "Bea", "card_points": 80, "blind": True}, id="blind, made"),
        pytest.param({"partner": None, "card_points": 40, "blind": True}, id="blind, alone"),
        pytest.param({"partner": "Bea", "card_points": 80, "blind": True, "times": 3}, id="thrice"),
        pytest.param({"partner": "Bea", "card_points": 120}, id="cappotto"),
    ],
)
def test_script_pays_a_bid_as_the_server_does(
    call_script: CallScript, answers: dict[str, Any]
) -> None:
    rules = {"preset": "classic", "score": {"blind": 2}}
    sheet = {"caller": "Ada", "bid": "75", **answers}
    assert compare_payouts(call_script, {"rules": rules, "seats": [*PEOPLE], "sheet": sheet})


def compare_payouts(call_script: CallScript, request: dict[str, Any]) -> bool:
    """Compare what a deal pays; return False where it has problems."""
    rules, problems = GAME.rules_from(request["rules"])
    seats = all_seats(len(request["seats"]))
    table = Table(rules, tuple(request["seats"]), seats, seats)
    sheet, wrong = GAME.read_sheet(request["sheet"], table)
    if problems or wrong or sheet is None:
        return False
    score = GAME.score(sheet, table)
    turn = GAME.turn_after(Turn(seats[0], sheet.times), Outcome.PLAYED, seats, rules, sheet)

    asked = pay_table(rules), written(sheet), list(seats)
    (answer,) = call_script(SCRIPT, [("paidFor", asked)])

    assert answer["paid"] == {str(seat): score.payouts[seat] for seat in seats}
    assert (answer["made"], answer["times"]) == (score.made, turn.times)
    return True


@examples(200)
@given(st.data())
def test_script_finds_the_contradiction_that_the_server_finds(
    call_script: CallScript, data: Any
) -> None:
    override = data.draw(rule_sets())
    whole = rules_of(override)
    result = data.draw(any_results(whole))
    assume(result["card_points"] not in (1, 119))
    compare_contradictions(call_script, override, {"bid": data.draw(bids(whole)), **result})


@rows(__file__, "contradictions")
def test_script_finds_a_contradiction_as_the_server_does(
    call_script: CallScript, result: dict[str, Any], field: str | None
) -> None:
    answers = {"bid": "75", "cappotto": None, **result}
    found = compare_contradictions(call_script, {"preset": "classic"}, answers)

    assert found == field


@pytest.mark.parametrize("style", ["points", "ladder", "ladder-then-points", "none"])
def test_script_refuses_a_rank_that_would_need_nothing(call_script: CallScript, style: str) -> None:
    override = {"preset": "classic", "auction": {"style": style}, "floor": 0}
    answers = {"bid": "K", "card_points": 70, "made": None, "tricks_won": None, "cappotto": None}

    assert compare_contradictions(call_script, override, answers) == "bid"


def compare_contradictions(
    call_script: CallScript, override: dict[str, Any], result: dict[str, Any]
) -> str | None:
    """Compare what the script finds wrong with what the server does, and return it."""
    rules, _ = GAME.rules_from(override)
    seats = all_seats(rules.players)
    table = Table(rules, tuple("ABCDEF"[: len(seats)]), seats, seats)
    answers = {"caller": "A", "partner": "B", **result}
    reading = Reading(table.seats, GAME.deck(rules))
    sheet = read_answers(GAME.sheet_type, answers, reading, "sheet")
    assert not reading.problems
    found = [one.field for one in GAME.problems(sheet, table) if one.code in CONTRADICTIONS]

    (answer,) = call_script(SCRIPT, [("contradicted", (pay_table(rules), written(sheet)))])

    assert answer == (found[0] if found else None)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("counts", "next_counts"),
    [
        pytest.param(49, 98, id="below"),
        pytest.param(50, 100, id="at"),
        pytest.param(64, 100, id="above"),
    ],
)
def test_deal_after_draws_counts_a_hundred_times_at_most(
    call_script: CallScript, counts: int, next_counts: int
) -> None:
    draws = {
        "preset": "ladder-bands",
        "draw": {"card_points": 60, "times": 2},
        "throw_in": {"max_points": 0, "compound": True},
    }
    rules, problems = GAME.rules_from(draws)
    assert not problems
    sheet = {
        "caller": 0,
        "partner": 1,
        "points": 61,
        "card_points": 60,
        "made": None,
        "tricks_won": None,
        "cappotto": None,
        "blind": False,
        "times": counts,
    }

    asked = pay_table(rules), sheet, [0, 1, 2, 3, 4]
    (answer,) = call_script(SCRIPT, [("paidFor", asked)])

    assert answer["times"] == next_counts == rules.carried(counts, 2)
