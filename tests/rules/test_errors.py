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


def test_who_finds_other_tables_is_told_in_a_sentence() -> None:
    error = NotReadyError(say("The tables are older than the program."))

    assert str(error) == str(error.message) == "The tables are older than the program."


@pytest.mark.parametrize("kind", [TooOftenError, BusyError])
def test_who_has_to_wait_is_told_how_long(kind: type[TooOftenError | BusyError]) -> None:
    error = kind(30)

    assert (error.seconds, str(error)) == (30, "30 s")


def test_refusal_says_who_may() -> None:
    error = RefusedError(say("Only an owner may."), say("Not for you"))

    assert (str(error), str(error.title)) == ("Only an owner may.", "Not for you")
    assert RefusedError(error.message).title is None


def test_what_is_not_there_is_not_found() -> None:
    assert existing("") == ""

    with pytest.raises(NotFoundError):
        existing(None)
