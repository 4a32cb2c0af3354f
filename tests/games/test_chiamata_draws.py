"""Deals that come to nothing: draws, and what the next deal counts after them."""

from typing import Any

import pytest

from scorer.games.briscola_chiamata import GAME
from scorer.rules.game import Outcome, Turn
from scorer.rules.seats import Seat, all_seats
from tests.data.examples import request_for
from tests.games.test_chiamata_payouts import read

PATTA: dict[str, Any] = {"preset": "classic", "draw": {"card_points": 60, "times": 2}}
THROW_IN = {"max_points": 4, "times": 3, "same_dealer": False}
COMPOUND = {**PATTA, "throw_in": {**THROW_IN, "compound": True}}
SHEET: dict[str, Any] = {"caller": "Ada", "bid": "61", "partner": "Bea", "card_points": 60}


@pytest.mark.parametrize(
    ("rules", "change", "turn"),
    [
        pytest.param(PATTA, {}, Turn(Seat(3), 2), id="a draw"),
        pytest.param(PATTA, {"times": 2}, Turn(Seat(3), 2), id="a draw again"),
        pytest.param(PATTA, {"times": 5}, Turn(Seat(3), 5), id="more was waiting"),
        pytest.param(COMPOUND, {"times": 5}, Turn(Seat(3), 10), id="multiplied"),
        pytest.param(COMPOUND, {"times": 80}, Turn(Seat(3), 100), id="no more than a sheet takes"),
        pytest.param(PATTA, {"card_points": 59, "times": 5}, Turn(Seat(3)), id="missed"),
        pytest.param("classic", {"times": 5}, Turn(Seat(3)), id="no draws"),
    ],
)
def test_next_deal_counts_more_after_a_draw(rules: object, change: Any, turn: Turn) -> None:
    table, _ = GAME.rules_from(rules)
    request = request_for(rules, {**SHEET, **change})
    sheet, _ = read(request)

    assert GAME.turn_after(Turn(Seat(2)), Outcome.PLAYED, all_seats(5), table, sheet) == turn


@pytest.mark.parametrize(
    ("rules", "outcome", "turn"),
    [
        pytest.param("classic", Outcome.ALL_PASSED, Turn(Seat(3), 4), id="all passed"),
        pytest.param({"preset": "classic", "auction": {"all_pass_times": 2}}, Outcome.ALL_PASSED,
                     Turn(Seat(3), 4), id="all passed, and less than waits"),
        pytest.param({"preset": "classic", "auction": {"all_pass_times": 6}}, Outcome.ALL_PASSED,
                     Turn(Seat(3), 6), id="all passed, and more than waits"),
        pytest.param({**COMPOUND, "auction": {"all_pass_times": 2, "all_pass": "same-dealer"}},
                     Outcome.ALL_PASSED, Turn(Seat(2), 8), id="all passed, multiplied"),
        pytest.param({**PATTA, "throw_in": THROW_IN}, Outcome.THROWN_IN, Turn(Seat(3), 4),
                     id="thrown in"),
        pytest.param(COMPOUND, Outcome.THROWN_IN, Turn(Seat(3), 12), id="thrown in, multiplied"),
        pytest.param(COMPOUND, Outcome.MISDEAL, Turn(Seat(2), 4), id="a misdeal changes nothing"),
    ],
)  # fmt: skip
def test_multiplier_that_waits_meets_another(rules: object, outcome: Outcome, turn: Turn) -> None:
    table, _ = GAME.rules_from(rules)

    assert GAME.turn_after(Turn(Seat(2), 4), outcome, all_seats(5), table) == turn


@pytest.mark.parametrize(("fine", "paid"), [(0, [0, 0, 0, 0, 0]), (3, [3, 3, -12, 3, 3])])
def test_penalty_pays_what_the_rules_say(fine: int, paid: list[int]) -> None:
    _, table = read(request_for({"preset": "classic", "penalty": fine}, SHEET))

    assert list(GAME.penalty(Seat(2), table).payouts.values()) == paid
