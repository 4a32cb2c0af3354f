"""What is computed about a score table, as the badges beside it say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from scorer.games import find_game
from tests.data.strategies import examples, rule_sets

GAME = find_game("briscola-chiamata")


def told(document: dict[str, Any]) -> dict[str, bool]:
    rules, problems = GAME.rules_from(document)
    assert problems == []
    return {str(check.text): check.holds for check in GAME.describe(rules).checks}


@pytest.mark.parametrize(
    ("document", "checks"),
    [
        pytest.param({"preset": "classic"},
                     {"with a partner: sum 0": True, "alone: sum 0": True,
                      "with a partner: symmetric": True, "alone: symmetric": True}, id="classic"),
        pytest.param({"preset": "bastarda"},
                     {"with a partner: sum 0": True, "with a partner: symmetric": True},
                     id="nobody alone"),
        pytest.param({"preset": "rulebook-literal"},
                     {"with a partner: sum +1, not 0": False, "alone: sum 0": True,
                      "with a partner: symmetric": True, "alone: symmetric": True},
                     id="partner paid as the caller"),
        pytest.param({"preset": "classic", "score": {"loss": {"caller": 3, "against_alone": 2}}},
                     {"with a partner: sum 0 when made, −1 when missed": False,
                      "alone: sum 0 when made, +4 when missed": False,
                      "with a partner: not symmetric": False, "alone: not symmetric": False},
                     id="another loss"),
        pytest.param({"preset": "declared-points", "call": {"own_card": False}},
                     {"with a partner: not zero-sum": False,
                      "with a partner: not symmetric": False}, id="declared points"),
        pytest.param({"preset": "bastarda", "score": {"bands": [[0, 2], [80, 1]]}},
                     {"with a partner: sum 0": True, "with a partner: symmetric": True,
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

    sums = [check.holds for check in description.checks if "sum" in str(check.text)]
    symmetry = [check.holds for check in description.checks if "symmetric" in str(check.text)]

    assert all(sums) == description.zero_sum
    assert all(symmetry) == description.symmetric
