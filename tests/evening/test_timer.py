"""The timer of a turn: started, paused, continued and removed, by the moments of the acts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scorer import Evening
from scorer.evening.deal import Author, Timer
from scorer.evening.session_acts import (
    ContinueTimer,
    PauseTimer,
    RemoveTimer,
    SessionAct,
    StartTimer,
)
from tests.data.rows import rows
from tests.refusals import refused

NINE = datetime(2026, 11, 20, 21, tzinfo=UTC)
START = StartTimer(minutes=25)
KINDS: dict[str, Callable[..., SessionAct]] = {
    "start": lambda minutes: StartTimer(minutes=minutes),
    "pause": PauseTimer,
    "go on": ContinueTimer,
    "remove": RemoveTimer,
}


def after(minutes: float) -> datetime:
    return NINE + timedelta(minutes=minutes)


def timed(*acts: tuple[float, SessionAct]) -> Evening:
    """Do acts to a session, each so many minutes after nine."""
    evening = Evening.begin("burraco", ("Ada", "Bea"), "two-deals")
    for minutes, act in acts:
        evening = act.apply(evening, Author(at=after(minutes)))
    return evening


@rows(__file__, "timers")
def test_timer_comes_of_what_was_done(acts: list[Any], timer: list[int] | None) -> None:
    told = [(minutes, KINDS[name](*said)) for minutes, name, *said in acts]
    left = None if timer is None else Timer(timer[0], *map(after, timer[1:]))

    assert timed(*told).timer == left


def test_what_changes_nothing_leaves_the_evening_as_it_is() -> None:
    evening = timed((0, START))

    assert START.apply(evening, Author(at=after(1))) is evening


@pytest.mark.parametrize("minutes", [0, -1, 1000])
def test_turn_has_a_length(minutes: int) -> None:
    with refused("out-of-range minutes"):
        timed((0, StartTimer(minutes=minutes)))


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
