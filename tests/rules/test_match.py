from typing import Any

import pytest

from scorer.rules.match import (
    MatchEnd,
    SessionEnd,
    Tally,
    can_end,
    end_text,
    progress,
    turn_minutes,
)
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading, read
from tests.data.rows import rows

TO_15 = SessionEnd(MatchEnd.TARGET, target=15)
TEN_DEALS = SessionEnd(MatchEnd.DEALS, deals=10)


@pytest.mark.parametrize(
    ("rule", "balances", "why"),
    [
        pytest.param(TO_15, [16, 3], "The target of 15 points has been reached.", id="target"),
        pytest.param(TEN_DEALS, [4, 3], "All 10 deals are played.", id="after the last deal"),
        pytest.param(TO_15, [16, 16], "Level at 16: they play on until one is ahead.",
                     id="level where one would have won"),
        pytest.param(TO_15, [3, 3], "None", id="level before"),
    ],
)  # fmt: skip
def test_end_is_explained(rule: SessionEnd, balances: list[int], why: str) -> None:
    tally = Tally({Seat(seat): balance for seat, balance in enumerate(balances)}, 10)

    assert str(progress(tally, rule).why) == why


@rows(__file__, "ends")
def test_session_ends_by_its_rule(
    rule: dict[str, Any], balances: list[int], played: int, winners: list[int]
) -> None:
    tally = Tally({Seat(seat): balance for seat, balance in enumerate(balances)}, played)
    end = read(SessionEnd, rule, Reading(), "")
    assert end

    outcome = progress(tally, end)

    assert (outcome.finished, list(outcome.winners)) == (bool(winners), winners)


@pytest.mark.parametrize(
    ("rule", "problems"),
    [
        pytest.param(TO_15, [], id="a target with its figure"),
        pytest.param(TEN_DEALS, [], id="deals with their figure"),
        pytest.param(SessionEnd(), [], id="open"),
        pytest.param(
            SessionEnd(MatchEnd.TARGET, deals=5),
            [("missing-key", "session.target")],
            id="no target",
        ),
        pytest.param(
            SessionEnd(MatchEnd.DEALS, target=5), [("missing-key", "session.deals")], id="no deals"
        ),
    ],
)
def test_end_needs_its_figure(rule: SessionEnd, problems: list[tuple[str, str]]) -> None:
    reading = Reading()

    rule.check(reading, "session")

    assert [(p.code, p.field) for p in reading.problems] == problems


@pytest.mark.parametrize(
    ("rule", "words", "reachable"),
    [
        (TO_15, "To 15 points", True),
        (TEN_DEALS, "10 deals", True),
        (SessionEnd(MatchEnd.TIME), "By the clock", False),
        (SessionEnd(), "Open end", False),
    ],
)
def test_end_is_said_in_a_few_words(rule: SessionEnd, words: str, *, reachable: bool) -> None:
    assert str(end_text(rule)) == words
    assert can_end(rule) == reachable


def test_only_the_clock_gives_a_turn_its_minutes() -> None:
    ends = {end: turn_minutes(SessionEnd(end)) for end in MatchEnd}

    assert {end for end, minutes in ends.items() if minutes} == {MatchEnd.TIME}
