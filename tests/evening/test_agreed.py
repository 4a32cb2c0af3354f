"""Agreed results (contract.md): what the table decides that a deal pays."""

from typing import Any

import pytest

from scorer import Evening
from scorer.evening import JudgedDeal
from scorer.games import all_games
from scorer.operations import replay
from scorer.rules.game import Outcome
from tests.data.rows import rows
from tests.refusals import refused

NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fede")
GAMES = [game.slug for game in all_games()]
REASON = "mixed cards, art. 32"


def begun(slug: str, count: int, rules: Any = None, **more: Any) -> Evening:
    return Evening.begin(slug, NAMES[:count], rules, **more)


def agreed(payouts: Any, reason: Any = REASON, **more: Any) -> dict[str, Any]:
    return {"payouts": payouts, "reason": reason, **more}


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_takes_an_agreed_result_and_passes_the_turn(slug: str) -> None:
    game = next(game for game in all_games() if game.slug == slug)
    evening = begun(slug, max(game.seating(game.preset).for_session[:1]))
    second = evening.names[1]
    evening.record({"offender": second}, "penalty")
    dealer, before = evening.dealer, evening.balances

    deal = evening.record(agreed({}), "agreed")

    assert (deal.outcome, deal.dealer, deal.entry.made) == ("agreed", dealer, None)
    assert (deal.won, set(deal.payouts.values())) == ([], {0})
    assert evening.why(2) == [f"Agreed: {REASON}"]
    assert [step.rule for step in deal.entry.score.steps] == ["agreed"]
    assert (evening.played, evening.balances) == (1, before)
    assert evening.dealer != dealer
    assert evening.last_played == deal
    again = replay(evening.document())
    assert (again["problems"], again["warnings"]) == ([], [])
    assert Evening.read(evening.document()).document() == evening.document()


def test_a_side_gets_what_one_of_it_is_given_and_the_others_nothing() -> None:
    deal = begun("scopa", 4).record(agreed({"Ciro": 3}, f"  {REASON} "), "agreed")

    assert deal.payouts == {"Ada": 3, "Bea": 0, "Ciro": 3, "Dora": 0}
    assert deal.won == ["Ada", "Ciro"]
    sheet = deal.entry.answers(NAMES)
    assert sheet == {"payouts": deal.payouts, "reason": REASON}
    assert str(deal.entry.text) == f"Agreed: {REASON}"
    assert (deal.entry.roles, deal.entry.bid, deal.entry.back_in) == ({}, None, {})


@rows(__file__, "problems")
def test_problems_are_told_all_at_once(
    game: str, count: int, rules: Any, sheet: Any, problems: list[str]
) -> None:
    evening = begun(game, count, rules)
    if isinstance(sheet, dict):
        sheet = {key: value for key, value in ({"reason": REASON} | sheet).items() if value != "-"}

    with refused(*problems):
        evening.record(sheet, "agreed")
    assert evening.deals == []


def test_it_need_not_cancel_where_deals_do_not() -> None:
    deal = begun("briscola-chiamata", 5, "rulebook-literal").record(agreed({"Ada": 7}), "agreed")

    assert deal.payouts["Ada"] == 7


def test_a_waiting_multiplier_is_used_up() -> None:
    rules = {"preset": "classic", "auction": {"all_pass_times": 2}}
    evening = begun("briscola-chiamata", 5, rules)
    evening.record(None, "all-passed")
    assert evening.turn.times == 2

    deal = evening.record(agreed({"Ada": 2, "Bea": -2}), "agreed")

    assert deal.payouts == {"Ada": 2, "Bea": -2, "Ciro": 0, "Dora": 0, "Ezio": 0}
    assert (deal.won, evening.turn.times) == (["Ada"], 1)
    assert evening.times_of(evening.deals[0]) == 1


def test_it_ends_a_match_and_is_amended_voided_and_restored() -> None:
    evening = begun("scopa", 2, "to-11")
    evening.record(agreed({"Ada": 11}), "agreed")
    assert evening.progress.winners == ("Ada",)

    assert evening.amend(1, agreed({"Bea": 4}), "agreed").won == ["Bea"]
    assert not evening.progress.finished
    assert evening.void(1).payouts == {}
    assert evening.restore(1).payouts == {"Ada": 0, "Bea": 4}


def test_where_the_lowest_leads_the_figures_are_taken_on_and_who_is_out_comes_back() -> None:
    evening = begun("scala-quaranta", 3, "buy-in")
    evening.record(agreed({"Ada": 30, "Bea": 110}), "agreed")
    assert evening.deals[0].won == ["Ciro"]
    assert [evening.names[seat] for seat in evening.resting] == ["Bea"]
    assert list(evening.deals[0].entry.buy_ins) == [1]

    back = evening.amend(1, agreed({"Ada": 30, "Bea": 110}, buy_in=["Bea"]), "agreed")

    assert back.payouts == {"Ada": 30, "Bea": 30, "Ciro": 0}
    assert (back.entry.back_in, back.won) == ({1: -80}, ["Ciro"])
    assert [step.rule for step in back.entry.score.steps] == ["agreed", "buy-in"]
    assert evening.resting == ()
    assert Evening.read(evening.document()).balances == evening.balances
    (other,) = back.entry.buy_ins.values()
    assert other.buy_in == ()


def test_who_comes_back_in_by_a_played_deal_is_told_apart_from_what_it_paid() -> None:
    evening = begun("scala-quaranta", 3, "buy-in")
    sheet = {"closed": "Ciro", "hands": {"Ada": 30, "Bea": 110}, "buy_in": ["Bea"]}

    deal = evening.record(sheet)

    assert deal.payouts == {"Ada": 30, "Bea": 30, "Ciro": 0}
    assert deal.entry.back_in == {1: -80}


def test_who_was_out_before_comes_back_in_too() -> None:
    evening = begun("scala-quaranta", 4, "buy-in")
    evening.record(agreed({"Bea": 110}), "agreed")

    deal = evening.record(agreed({"Ada": 40}, buy_in=["Bea"]), "agreed")

    assert deal.payouts == {"Ada": 40, "Ciro": 0, "Dora": 0, "Bea": -70}


def test_a_voided_deal_puts_nobody_out_and_nobody_was_in_it() -> None:
    evening = begun("scala-quaranta", 3)
    evening.record(agreed({"Bea": 110}), "agreed")
    evening.record(agreed({"Ada": 110}), "agreed")
    assert [row[:2] for row in evening.standings()] == [(1, "Ciro"), (2, "Ada"), (3, "Bea")]

    evening.void(2)

    assert [row[:2] for row in evening.standings()] == [(1, "Ada"), (1, "Ciro"), (3, "Bea")]


def test_no_other_outcome_brings_anybody_back() -> None:
    evening = begun("scala-quaranta", 2)
    deal = evening.record({"offender": "Ada"}, "penalty")

    assert deal.entry.back_in == {}
    assert JudgedDeal(evening.game, Outcome.MISDEAL, deal.entry.table).back_in == {}

    lowest = begun("traversone", 3).record({"hand_points": {"Ada": 11}})
    assert (lowest.entry.back_in, lowest.entry.buy_ins) == ({}, {})


def test_by_other_rules_it_keeps_what_it_pays() -> None:
    evening = begun("points", 2, "highest")
    evening.record(agreed({"Ada": 5}), "agreed")

    assert evening.what_if("zero-sum").deals[0].payouts == {"Ada": 5, "Bea": 0}
