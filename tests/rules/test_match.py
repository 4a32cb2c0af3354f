import pytest

from scorer.rules.match import End, Progress, SessionEnd, Tally, Tie, can_end, end_text, progress
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading

TO_15 = SessionEnd(End.TARGET, target=15)
SHARED_15 = SessionEnd(End.TARGET, target=15, tie=Tie.SHARED)
TEN_DEALS = SessionEnd(End.DEALS, deals=10)
SHARED_TEN = SessionEnd(End.DEALS, deals=10, tie=Tie.SHARED)
ON = Progress(finished=False)


def won(*winners: int) -> Progress:
    return Progress(finished=True, winners=tuple(map(Seat, winners)))


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


@pytest.mark.parametrize(
    ("rule", "balances", "played", "outcome"),
    [
        pytest.param(TO_15, [14, 3, -17], 9, ON, id="nobody reached the target"),
        pytest.param(TO_15, [15, 3, -18], 9, won(0), id="one reached the target exactly"),
        pytest.param(TO_15, [3, -21, 18], 9, won(2), id="one went past the target"),
        pytest.param(TO_15, [15, 16, -31], 9, won(1), id="two crossed: the higher wins"),
        pytest.param(TO_15, [16, 16, -32], 9, ON, id="two crossed and are level: they play on"),
        pytest.param(TO_15, [16, 15, 16], 9, ON, id="three crossed, the best two are level"),
        pytest.param(TO_15, [3, 3, -6], 9, ON, id="level below the target"),
        pytest.param(SHARED_15, [16, 16, -32], 9, won(0, 1), id="level, and they share it"),
        pytest.param(SHARED_15, [15, 16, 16], 9, won(1, 2), id="only the best share it"),
        pytest.param(SHARED_15, [15, 16, -31], 9, won(1), id="nothing to share"),
        pytest.param(SHARED_15, [14, 14, -28], 9, ON, id="level below the target, sharing"),
        pytest.param(TEN_DEALS, [4, 3, -7], 9, ON, id="a deal is still to play"),
        pytest.param(TEN_DEALS, [4, 3, -7], 10, won(0), id="after the last deal"),
        pytest.param(TEN_DEALS, [4, 4, -8], 10, ON, id="level after the last: one more"),
        pytest.param(TEN_DEALS, [4, 5, -9], 11, won(1), id="decided by one more"),
        pytest.param(TEN_DEALS, [-1, -2, -2], 10, won(0), id="the least loss wins"),
        pytest.param(SHARED_TEN, [4, 4, -8], 10, won(0, 1), id="level after the last: shared"),
        pytest.param(SHARED_TEN, [0, 0, 0], 10, won(0, 1, 2), id="all level"),
        pytest.param(SessionEnd(), [99, 0, -99], 99, ON, id="an open end"),
        pytest.param(SessionEnd(End.TIME), [99, 0, -99], 99, ON, id="the clock is theirs"),
        pytest.param(
            SessionEnd(End.OPEN, target=15, deals=1), [99, 0, -99], 99, ON,
            id="an open end with figures that mean nothing",
        ),
    ],
)  # fmt: skip
def test_session_ends_by_its_rule(
    rule: SessionEnd, balances: list[int], played: int, outcome: Progress
) -> None:
    tally = Tally({Seat(seat): balance for seat, balance in enumerate(balances)}, played)

    assert progress(tally, rule) == outcome


@pytest.mark.parametrize(
    ("rule", "problems"),
    [
        pytest.param(TO_15, [], id="a target with its figure"),
        pytest.param(TEN_DEALS, [], id="deals with their figure"),
        pytest.param(SessionEnd(), [], id="open"),
        pytest.param(
            SessionEnd(End.TARGET, deals=5), [("missing-key", "session.target")], id="no target"
        ),
        pytest.param(
            SessionEnd(End.DEALS, target=5), [("missing-key", "session.deals")], id="no deals"
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
        (SessionEnd(End.TIME), "By the clock", False),
        (SessionEnd(), "Open end", False),
    ],
)
def test_end_is_said_in_a_few_words(rule: SessionEnd, words: str, *, reachable: bool) -> None:
    assert str(end_text(rule)) == words
    assert can_end(rule) == reachable
