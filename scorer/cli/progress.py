"""How far a command is: a line on a terminal, which goes away again."""

from __future__ import annotations

import sys
from time import monotonic

#: Seconds that a command may take without a word, and seconds between two lines.
QUIET, EVERY = 1.0, 0.2


class ProgressLine:
    """The line on standard error; where that is no terminal nothing is shown."""

    def __init__(self) -> None:
        """Begin to count the time."""
        self._here = sys.stderr.isatty()
        self._began: dict[str, float] = {}
        self._next = monotonic() + QUIET
        self._shown = False

    def show(self, text: str) -> None:
        """Put a text in the place of the one before."""
        if self._here:
            self._shown = True
            print(f"\r\33[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away, if there is one."""
        if self._shown:
            self._shown = False
            print("\r\33[K", end="", file=sys.stderr, flush=True)

    def tell(self, what: str, done: int, total: int) -> None:
        """Show how many are done and how long the others will take, once it takes long.

        When all are done the line goes: others write there too.
        """
        if done == total:
            self.clear()
            return
        now = monotonic()
        began = self._began.setdefault(what, now)
        if now < self._next:
            return
        self._next = now + EVERY
        of = f" of {total:,}" if total else ""
        left = (now - began) * (total - done) / done if done else 0
        self.show(f"{done:,}{of} {what}{f', {_duration(left)} left' if left > 0 else ''}")


def _duration(seconds: float) -> str:
    minutes = round(seconds) // 60
    return f"{minutes} min" if minutes else f"{max(1, round(seconds))} s"
