import pytest

from scorer.errors import (
    BusyError,
    InvalidError,
    NotFoundError,
    NotReadyError,
    Problem,
    RefusedError,
    ScorerError,
    TooOftenError,
    existing,
    refuse,
)
from scorer.texts import say


def test_all_problems_of_an_input_are_told_together() -> None:
    problems = [
        Problem("missing-key", "sheet.bid", say("This answer is missing.")),
        Problem("wrong-type", "seats", say("A list is needed.")),
    ]

    with pytest.raises(InvalidError) as caught:
        refuse(iter(problems))

    refuse(iter(()))
    assert isinstance(caught.value, ScorerError)
    assert caught.value.problems == tuple(problems)
    assert str(caught.value) == "sheet.bid: This answer is missing.; seats: A list is needed."


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (NotReadyError(say("The tables are old.")), "The tables are old."),
        (RefusedError(say("Only an owner may."), say("Not for you")), "Only an owner may."),
        (TooOftenError(30), "30 s"),
        (BusyError(30), "30 s"),
    ],
)
def test_error_is_told_in_a_sentence(error: ScorerError, told: str) -> None:
    assert str(error) == told


def test_what_is_not_there_is_not_found() -> None:
    assert existing("") == ""

    with pytest.raises(NotFoundError):
        existing(None)
