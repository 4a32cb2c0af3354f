"""The timer of a turn: started, paused, continued and removed, by the moments of the acts."""

from datetime import UTC, datetime, timedelta

import pytest

from scorer import Evening
from scorer.errors import InvalidError
from scorer.evening.deal import Author, Timer
from scorer.evening.session_acts import (
    ContinueTimer,
    PauseTimer,
    RemoveTimer,
    SessionAct,
    StartTimer,
)

NINE = datetime(2026, 11, 20, 21, tzinfo=UTC)
START = StartTimer(minutes=25)


def after(minutes: float) -> datetime:
    return NINE + timedelta(minutes=minutes)


def timed(*acts: tuple[float, SessionAct]) -> Evening:
    """Do acts to a session, each so many minutes after nine."""
    evening = Evening.begin("burraco", ("Ada", "Bea"), "two-deals")
    for minutes, act in acts:
        evening = act.apply(evening, Author(at=after(minutes)))
    return evening


@pytest.mark.parametrize(
    ("acts", "timer"),
    [
        ([(0, START)], Timer(25, NINE)),
        ([(0, START), (3, StartTimer(minutes=40))], Timer(25, NINE)),
        ([(0, START), (25, StartTimer(minutes=40))], Timer(40, after(25))),
        ([(0, START), (10, PauseTimer())], Timer(25, NINE, after(10))),
        ([(0, START), (10, PauseTimer()), (12, PauseTimer())], Timer(25, NINE, after(10))),
        ([(0, START), (10, PauseTimer()), (90, START)], Timer(25, NINE, after(10))),
        ([(0, START), (10, PauseTimer()), (17, ContinueTimer())], Timer(25, after(7))),
        ([(0, START), (10, ContinueTimer())], Timer(25, NINE)),
        ([(0, START), (25, PauseTimer())], Timer(25, NINE)),
        ([(0, START), (10, RemoveTimer())], None),
        ([(10, PauseTimer()), (10, ContinueTimer()), (10, RemoveTimer())], None),
    ],
    ids=[
        "started",
        "started again while it runs",
        "started again once it was up",
        "paused",
        "paused twice",
        "started while it stands",
        "continued",
        "continued while it runs",
        "paused once it was up",
        "removed",
        "none",
    ],
)
def test_timer_comes_of_what_was_done(
    acts: list[tuple[float, SessionAct]], timer: Timer | None
) -> None:
    assert timed(*acts).timer == timer


def test_what_changes_nothing_leaves_the_evening_as_it_is() -> None:
    evening = timed((0, START))

    assert START.apply(evening, Author(at=after(1))) is evening


@pytest.mark.parametrize("minutes", [0, -1, 1000])
def test_turn_has_a_length(minutes: int) -> None:
    with pytest.raises(InvalidError) as refused:
        timed((0, StartTimer(minutes=minutes)))

    assert [(one.code, one.field) for one in refused.value.problems] == [
        ("out-of-range", "minutes")
    ]


def test_time_that_is_left_does_not_go_on_while_it_stands() -> None:
    runs, stands = Timer(25, NINE), Timer(25, NINE, after(10))

    assert runs.left(after(24)) == timedelta(minutes=1)
    assert [runs.is_up(after(minutes)) for minutes in (24.9, 25, 60)] == [False, True, True]
    assert stands.left(after(600)) == timedelta(minutes=15)
    assert not stands.is_up(after(600))
    assert runs.up == after(25)


def test_timer_ends_nothing_and_stays_beside_deals_and_rules() -> None:
    evening = timed((0, StartTimer(minutes=1)))
    evening.record(None, "misdeal")
    evening.change(rules="three-deals")

    assert evening.timer == Timer(1, NINE)
    assert not evening.progress.finished
