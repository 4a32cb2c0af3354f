from __future__ import annotations

from scorer.errors import InvalidError, Problem, ScorerError
from scorer.texts import say


def test_all_problems_of_an_input_are_told_together() -> None:
    problems = [
        Problem("missing-key", "sheet.bid", say("This answer is missing.")),
        Problem("wrong-type", "seats", say("A list is needed.")),
    ]

    error = InvalidError(iter(problems))

    assert isinstance(error, ScorerError)
    assert error.problems == tuple(problems)
    assert str(error) == "sheet.bid: This answer is missing.; seats: A list is needed."
