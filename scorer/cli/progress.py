"""The progress of a command: a line on a terminal that disappears again, or lines elsewhere."""

import sys
from time import monotonic

#: Seconds until the first line, between two updates, and between two lines where they stay.
QUIET, EVERY, LINES = 1.0, 0.2, 5.0


class ProgressLine:
    """The line on standard error, shown only on a terminal unless ``stays`` is set."""

    def __init__(self) -> None:
        self._here = sys.stderr.isatty()
        self.stays = False
        self._began: dict[str, float] = {}
        self._next = monotonic() + QUIET
        self._shown = False

    def show(self, text: str) -> None:
        if self._here:
            self._shown = True
            print(f"\r\33[K{text}", end="", file=sys.stderr, flush=True)
        elif self.stays:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            self._shown = False
            print("\r\33[K", end="", file=sys.stderr, flush=True)

    def tell(self, what: str, done: int, total: int) -> None:
        """Show how many are done and how long the rest will take; remove the line at the end."""
        if done == total:
            self.clear()
            return
        now = monotonic()
        began = self._began.setdefault(what, now)
        if now < self._next:
            return
        self._next = now + (EVERY if self._here else LINES)
        of = f" of {total:,}" if total else ""
        left = (now - began) * (total - done) / done if done else 0
        self.show(f"{done:,}{of} {what}{f', {_duration(left)} left' if left > 0 else ''}")


def _duration(seconds: float) -> str:
    minutes = round(seconds) // 60
    return f"{minutes} min" if minutes else f"{max(1, round(seconds))} s"
