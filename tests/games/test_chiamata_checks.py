"""What is computed about a score table, as the badges beside it say."""

from typing import Any

from hypothesis import given

from scorer.games import find_game
from tests.data.rows import rows
from tests.data.strategies import examples, rule_sets

GAME = find_game("briscola-chiamata")


def told(document: dict[str, Any]) -> dict[str, bool]:
    rules, problems = GAME.rules_from(document)
    assert problems == []
    return {str(check.text): check.holds for check in GAME.describe(rules).checks}


@rows(__file__, "checks")
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
