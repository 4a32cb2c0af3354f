"""The timer of a session as its pages show it at a moment."""

from datetime import datetime
from typing import NamedTuple

from scorer.evening.deal import Timer
from scorer.services.base.clock import now
from scorer.services.session.state import SessionState


class ShownTimer(NamedTuple):
    """A timer at a moment, and the deal with which the turn ends once it is up.

    ``recorded`` says whether that deal was recorded since.
    """

    timer: Timer
    at: datetime
    last_deal: int
    recorded: bool

    @property
    def up(self) -> datetime:
        return self.timer.up

    @property
    def is_up(self) -> bool:
        return self.timer.is_up(self.at)

    @property
    def stands(self) -> bool:
        return self.timer.paused is not None

    @property
    def left(self) -> str:
        """The time that is left in minutes and seconds, as ``12:05``."""
        minutes, seconds = divmod(max(0, round(self.timer.left(self.at).total_seconds())), 60)
        return f"{minutes}:{seconds:02}"


def shown_timer(state: SessionState) -> ShownTimer | None:
    """Return the timer of a session that goes on, if it has one."""
    timer = state.evening.timer
    if timer is None or state.evening.over:
        return None
    since = (deal.number for deal in state.deals if deal.versions[0].at >= timer.up)
    last = next(since, None)
    return ShownTimer(timer, now(), last or state.evening.number, last is not None)


def offered_minutes(state: SessionState) -> int | None:
    """Return the minutes to start a timer with, by rules that end a turn by the clock."""
    return None if state.evening.over else state.game.turn_minutes(state.rules)
