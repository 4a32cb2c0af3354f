from typing import Any

import pytest

from scorer.rules.match import Ends, MatchEnd, Progress, SessionEnd, Tally
from scorer.rules.questions import Reading, read
from scorer.rules.seats import Seat, all_seats, every_seat, sides_of
from tests.data.rows import rows

TO_15 = SessionEnd(MatchEnd.TARGET, target=15)
TEN_DEALS = SessionEnd(MatchEnd.DEALS, deals=10)


def reached(rule: SessionEnd, balances: list[int], played: int) -> Progress:
    seats = all_seats(len(balances))
    tally = Tally(dict(zip(seats, balances, strict=True)), played)
    return rule.ends.progress(tally, every_seat(seats))


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
    assert str(reached(rule, balances, 10).why) == why


@rows(__file__, "ends")
def test_session_ends_by_its_rule(
    rule: dict[str, Any], balances: list[int], played: int, winners: list[int]
) -> None:
    end = read(SessionEnd, rule, Reading(), "")
    assert end

    outcome = reached(end, balances, played)

    assert (outcome.finished, list(outcome.winners)) == (bool(winners), winners)


@rows(__file__, "winners")
def test_highest_side_wins_at_the_target(
    balances: list[int], order: list[int], winners: list[int]
) -> None:
    totals = dict(zip(all_seats(len(balances)), balances, strict=True))
    tally = Tally(totals, 3, None, tuple(map(Seat, order)))

    progress = Ends(3).progress(tally, sides_of(tally.here))

    assert progress == Progress(finished=bool(winners), winners=tuple(map(Seat, winners)))


@pytest.mark.parametrize(
    ("rule", "words", "minutes"),
    [
        (TO_15, "To 15 points", None),
        (TEN_DEALS, "10 deals", None),
        (SessionEnd(MatchEnd.TIME), "By the clock", 60),
        (SessionEnd(), "Open end", None),
    ],
)
def test_end_is_said_in_a_few_words(rule: SessionEnd, words: str, minutes: int | None) -> None:
    assert (str(rule.text), rule.minutes) == (words, minutes)
