"""What is computed about a score table, as the badges beside it say."""

from typing import Any

import pytest
from hypothesis import given

from scorer.games import find_game
from tests.data.strategies import examples, rule_sets

GAME = find_game("briscola-chiamata")
EVEN, UNEVEN = "what the winners get, the others pay", "winnings and losses don’t cancel out"
ALIKE, OTHERWISE = "made or missed, for the same points", "made and missed pay differently"
LEAVE = "winnings and losses leave"


def told(document: dict[str, Any]) -> dict[str, bool]:
    rules, problems = GAME.rules_from(document)
    assert problems == []
    return {str(check.text): check.holds for check in GAME.describe(rules).checks}


@pytest.mark.parametrize(
    ("document", "checks"),
    [
        pytest.param({"preset": "classic"},
                     {f"with a partner: {EVEN}": True,
                      f"alone: {EVEN}": True,
                      f"with a partner: {ALIKE}": True,
                      f"alone: {ALIKE}": True}, id="classic"),
        pytest.param({"preset": "bastarda"},
                     {f"with a partner: {EVEN}": True, f"with a partner: {ALIKE}": True},
                     id="nobody alone"),
        pytest.param({"preset": "rulebook-literal"},
                     {f"with a partner: {LEAVE} +1": False,
                      f"alone: {EVEN}": True,
                      f"with a partner: {ALIKE}": True,
                      f"alone: {ALIKE}": True},
                     id="partner paid as the caller"),
        pytest.param({"preset": "classic", "score": {"loss": {"caller": 3, "against_alone": 2}}},
                     {f"with a partner: {LEAVE} 0 when made, −1 when missed": False,
                      f"alone: {LEAVE} 0 when made, +4 when missed": False,
                      f"with a partner: {OTHERWISE}": False,
                      f"alone: {OTHERWISE}": False},
                     id="another loss"),
        pytest.param({"preset": "declared-points", "call": {"own_card": False}},
                     {f"with a partner: {UNEVEN}": False,
                      f"with a partner: {OTHERWISE}": False}, id="declared points"),
        pytest.param({"preset": "bastarda", "score": {"bands": [[0, 2], [80, 1]]}},
                     {f"with a partner: {EVEN}": True, f"with a partner: {ALIKE}": True,
                      "a higher bid pays less": False}, id="falling"),
    ],
)  # fmt: skip
def test_checks_say_what_holds(document: dict[str, Any], checks: dict[str, bool]) -> None:
    assert told(document) == checks


@examples(100)
@given(rule_sets())
def test_checks_agree_with_the_labels_of_the_rule_set(document: dict[str, Any]) -> None:
    rules, _ = GAME.rules_from(document)
    description = GAME.describe(rules)

    sums = [check.holds for check in description.checks if "win" in str(check.text)]
    symmetry = [
        check.holds
        for check in description.checks
        if "missed" in str(check.text) and "win" not in str(check.text)
    ]

    labels = GAME.balance_checks(rules)
    ways = ("partnered", "alone") if rules.may_be_alone else ("partnered",)
    assert sums == [labels["zero_sum"][way] for way in ways]
    assert symmetry == [labels["symmetric"][way] for way in ways]
    assert (description.zero_sum, description.symmetric) == (all(sums), all(symmetry))
