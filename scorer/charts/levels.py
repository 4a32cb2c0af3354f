"""The chart of a player's calls: how many of each level were made, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from scorer.charts.intervals import wilson
from scorer.charts.lettering import clean, shorten, text_width
from scorer.charts.scene import Line, Marks, Scene, Words
from scorer.charts.style import NAME_SIZE, SEAT_MARKS, THEMES, TICK_SIZE, WIDTHS, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.charts.scene import Shape

EDGE = 8
ROW = 30
TOP = 10
TICK_ROW = 26
GAP = 10
SHARES = (0, 25, 50, 75, 100)
WHISKER = 5


@dataclass(frozen=True, slots=True)
class LevelCount:
    """So many calls of one level, and how many of them were made."""

    name: str
    made: int
    deals: int

    @property
    def count(self) -> str:
        """Both figures, as they stand at the end of the line."""
        return f"{self.made}/{self.deals}"


@dataclass(frozen=True, slots=True)
class Levels:
    """The calls of a player by level, the lowest first."""

    rows: tuple[LevelCount, ...]
    title: str
    description: str


def levels_chart(levels: Levels, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a width beyond that is drawn as these."""
    from scorer.charts.drawing import to_svg

    wide = max(WIDTHS[0], min(width, WIDTHS[-1]))
    return to_svg(LevelsPlot(levels, wide, THEMES[theme]).scene())


@dataclass(frozen=True)
class LevelsPlot:
    """What stands where, in CSS pixels; `scene` gives it all, back to front."""

    levels: Levels
    width: int
    theme: Theme

    def scene(self) -> Scene:
        """Lay everything out."""
        rows = (
            shape for place, row in enumerate(self.levels.rows) for shape in self._row(place, row)
        )
        shapes = (*self._axis(), *rows)
        told = self.levels
        return Scene(self.width, self.height, self.theme, told.title, told.description, shapes)

    @cached_property
    def height(self) -> int:
        """A row a level, and the axis below."""
        return TOP + ROW * len(self.levels.rows) + TICK_ROW

    @cached_property
    def _names_width(self) -> float:
        widest = max(text_width(clean(row.name), NAME_SIZE) for row in self.levels.rows)
        return math.ceil(min(widest, 0.3 * self.width))

    @cached_property
    def _left(self) -> float:
        return EDGE + self._names_width + GAP

    @cached_property
    def _right(self) -> float:
        widest = max(text_width(row.count, TICK_SIZE) for row in self.levels.rows)
        return self.width - EDGE - math.ceil(widest) - GAP

    def _at(self, share: float) -> float:
        return self._left + share * (self._right - self._left)

    def _axis(self) -> Iterator[Shape]:
        floor = self.height - TICK_ROW + 0.5
        for share in SHARES:
            x = round(self._at(share / 100)) + 0.5
            colour, width = (self.theme.zero, 1.5) if share == 50 else (self.theme.grid, 1.0)
            yield Line(((x, TOP / 2), (x, floor)), colour, width)
            yield Words(
                x, floor + 18, f"{share}%", self.theme.muted, size=TICK_SIZE, anchor="middle"
            )

    def _row(self, place: int, row: LevelCount) -> Iterator[Shape]:
        """Draw a level: its interval as a line with ends, the share as a mark upon it."""
        y = TOP + ROW * (place + 0.5)
        baseline = y + NAME_SIZE * 0.35
        name = shorten(clean(row.name), NAME_SIZE, self._names_width)
        yield Words(EDGE, baseline, name, self.theme.ink, name=f"level-{place}")
        colour = self.theme.seats[0]
        low, high = (self._at(share) for share in wilson(row.made, row.deals))
        yield Line(((low, y), (high, y)), colour, 2, name=f"interval-{place}")
        for x in (low, high):
            yield Line(((x, y - WHISKER), (x, y + WHISKER)), colour, 2)
        share = ((self._at(row.made / row.deals), y),)
        yield Marks(share, SEAT_MARKS[0], colour, 12, self.theme.ground, 1, name=f"share-{place}")
        yield Words(
            self.width - EDGE, baseline, row.count, self.theme.muted, size=TICK_SIZE, anchor="end"
        )
