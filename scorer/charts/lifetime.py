"""The chart of a player: the balance over all evenings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from scorer.charts.lettering import clean, number, shorten, signed, text_width
from scorer.charts.scale import Scale, thin
from scorer.charts.scene import Line, Marks, Scene, Words
from scorer.charts.style import NAME_SIZE, SEAT_MARKS, THEMES, TICK_SIZE, WIDTHS, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.charts.scale import Point
    from scorer.charts.scene import Shape

EDGE = 8
INSET = 14
TICK_ROW = 26
TICK_GAP = 6
MARK_ROOM = 10
MOST_MARKS = 40
MOST_POINTS = 320


@dataclass(frozen=True, slots=True)
class Lifetime:
    """What each evening paid, the oldest first, and the first and the last day in words."""

    points: tuple[int, ...]
    first: str
    last: str
    title: str
    description: str


def lifetime_chart(
    lifetime: Lifetime, *, width: int = 360, theme: str = "light", lower_is_better: bool = False
) -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a width beyond that is drawn as these."""
    from scorer.charts.drawing import to_svg

    wide = max(WIDTHS[0], min(width, WIDTHS[-1]))
    return to_svg(LifetimePlot(lifetime, wide, THEMES[theme], lower_is_better).scene())


@dataclass(frozen=True)
class LifetimePlot:
    """What stands where, in CSS pixels; `scene` gives it all, back to front."""

    lifetime: Lifetime
    width: int
    theme: Theme
    lower_is_better: bool = False

    def scene(self) -> Scene:
        """Lay everything out."""
        shapes = (*self._axis(), *self._days(), *self._way())
        told = self.lifetime
        return Scene(self.width, self.height, self.theme, told.title, told.description, shapes)

    @cached_property
    def height(self) -> int:
        """The height that goes with the width."""
        return round(max(220, min(130 + 0.25 * self.width, 400)))

    @cached_property
    def balances(self) -> tuple[int, ...]:
        """The balance before the first evening and after each."""
        return (0, *accumulate(self.lifetime.points))

    @property
    def _floor(self) -> float:
        return self.height - TICK_ROW + 0.5

    @cached_property
    def _left(self) -> float:
        widest = max(text_width(number(tick), TICK_SIZE) for tick in self._ticks)
        return EDGE + math.ceil(widest) + TICK_GAP

    @cached_property
    def _right(self) -> float:
        last = text_width(signed(self.balances[-1]), NAME_SIZE)
        return self.width - EDGE - math.ceil(last) - MARK_ROOM

    @cached_property
    def _heights(self) -> Scale:
        low, high = min(self.balances), max(self.balances)
        if low == high:
            low, high = -1, 1
        ends = (INSET, self._floor - INSET)
        bottom, top = ends if self.lower_is_better else ends[::-1]
        return Scale(low, high, bottom, top)

    @cached_property
    def _ticks(self) -> list[int]:
        return self._heights.ticks(spacing=34)

    def _axis(self) -> Iterator[Shape]:
        for tick in self._ticks:
            y = round(self._heights(tick)) + 0.5
            colour, width = (self.theme.grid, 1.0) if tick else (self.theme.zero, 1.5)
            line = ((self._left, y), (self._right, y))
            yield Line(line, colour, width, name="" if tick else "zero")
            yield Words(
                self._left - TICK_GAP,
                y + TICK_SIZE * 0.35,
                number(tick),
                self.theme.muted,
                size=TICK_SIZE,
                anchor="end",
            )

    def _days(self) -> Iterator[Shape]:
        """Write the first day at the left and the last one at the right, each in half the room."""
        baseline, room = self._floor + 18, (self._right - self._left) / 2 - 8
        muted, size = self.theme.muted, TICK_SIZE
        first, last = (
            shorten(clean(day), size, room) for day in (self.lifetime.first, self.lifetime.last)
        )
        yield Words(self._left, baseline, first, muted, size)
        yield Words(self._right, baseline, last, muted, size, anchor="end")

    @cached_property
    def _points(self) -> list[Point]:
        across = Scale(0, max(1, len(self.lifetime.points)), self._left, self._right)
        return [(across(step), self._heights(value)) for step, value in enumerate(self.balances)]

    def _way(self) -> Iterator[Shape]:
        colour, mark = self.theme.seats[0], SEAT_MARKS[0]
        line = tuple(thin(self._points, MOST_POINTS))
        yield Line(line, colour, 2 if len(line) == len(self._points) else 1.5, name="balance")
        if 0 < len(self.lifetime.points) <= MOST_MARKS:
            marked = tuple(self._points[1:])
            yield Marks(marked, mark, colour, 8, self.theme.ground, 1, name="evenings")
        x, y = self._points[-1]
        yield Marks(((x, y),), mark, colour, 11, self.theme.ground, 1, name="last")
        last = signed(self.balances[-1])
        yield Words(x + MARK_ROOM, y + NAME_SIZE * 0.35, last, self.theme.ink, bold=True)
