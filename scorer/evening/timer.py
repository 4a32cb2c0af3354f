"""The timer of a turn that ends by the clock, from what people did with it.

Nothing here ticks: each moment is that of an act.
"""

from datetime import datetime, timedelta
from typing import NamedTuple, Self


class Timer(NamedTuple):
    """A timer of some minutes; each pause moves ``since``, from which they count, on by its length.

    It stands from ``paused`` on, until it is continued.
    """

    minutes: int
    since: datetime
    paused: datetime | None = None

    @property
    def up(self) -> datetime:
        """When it is up, unless it stands until then."""
        return self.since + timedelta(minutes=self.minutes)

    def left(self, now: datetime) -> timedelta:
        """Return the time that is left at a moment, less than none once it is up."""
        return self.up - (self.paused or now)

    def is_up(self, now: datetime) -> bool:
        return self.left(now) <= timedelta()

    def pause(self, now: datetime) -> Self:
        """Return the timer as it stands from a moment on; one that is up or stands stays."""
        return self if self.paused or self.is_up(now) else self._replace(paused=now)

    def go_on(self, now: datetime) -> Self:
        """Return the timer as it runs again with the time that was left."""
        if self.paused is None:
            return self
        return self._replace(since=self.since + (now - self.paused), paused=None)
