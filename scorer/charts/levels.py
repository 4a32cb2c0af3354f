"""The chart of a player's calls: how many of each level were made, and how sure that is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scorer.charts.drawing import blank_axes, draw_line, fit_across, mark_style, to_svg
from scorer.charts.intervals import wilson
from scorer.charts.lettering import clean, directed, shorten, text_width
from scorer.charts.style import (
    EDGE,
    NAME_SIZE,
    SEAT_MARKS,
    THEMES,
    TICK_ROW,
    TICK_SIZE,
    within_widths,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from scorer.charts.style import Theme
    from scorer.charts.values import LevelCount, Levels

ROW = 30
TOP = 10
GAP = 10
NARROW = 180
WHISKER = 5


def levels_chart(levels: Levels, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a width beyond that is drawn as these."""
    width, colours, rows = within_widths(width), THEMES[theme], levels.rows
    size = width, TOP + ROW * len(rows) + TICK_ROW
    with blank_axes("levels", size, colours, below=TICK_ROW, grid="x") as axes:
        _scale(axes, rows, colours)
        _draw_shares(axes, rows, colours.seats[0])
        for place, row in enumerate(rows):
            axes.annotate(
                row.count,
                xy=(width - EDGE, place),
                xycoords=("figure pixels", "data"),
                ha="right",
                va="center_baseline",
                fontsize=TICK_SIZE,
                color=colours.muted,
            )
        return to_svg(axes, levels.title, levels.description)


def _scale(axes: Axes, rows: Sequence[LevelCount], theme: Theme) -> None:
    """Give each level its row, from above, and leave room for its name and its figures."""
    width = axes.figure.bbox.width
    axes.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -0.5 - TOP / ROW))
    names = [directed(shorten(clean(row.name), NAME_SIZE, 0.3 * width)) for row in rows]
    axes.set_yticks(range(len(rows)), names, fontsize=NAME_SIZE, color=theme.ink)
    axes.tick_params(axis="y", pad=GAP)
    counts = max(text_width(row.count, TICK_SIZE) for row in rows)
    fit_across(axes, width - EDGE - math.ceil(counts) - GAP, GAP)
    percents = [0, 25, 50, 75, 100] if axes.bbox.width > NARROW else [0, 50, 100]
    axes.set_xticks(percents, [f"{percent}%" for percent in percents], va="baseline")
    axes.spines.bottom.set_visible(False)
    axes.axvline(50, color=theme.zero, linewidth=1.5, clip_on=False)


def _draw_shares(axes: Axes, rows: Sequence[LevelCount], colour: str) -> None:
    """Draw the share of each level that was made, in its interval."""
    intervals = [wilson(row.made, row.deals) for row in rows]
    lows, highs = ([100 * end for end in ends] for ends in zip(*intervals, strict=True))
    places = range(len(rows))
    axes.hlines(places, lows, highs, colour, linewidth=2, clip_on=False, gid="intervals")
    whisker = {"marker": "|", "markersize": 2 * WHISKER, "markeredgewidth": 2}
    for ends in (lows, highs):
        draw_line(axes, ends, places, **whisker, linestyle="none", markeredgecolor=colour)
    marks = mark_style(SEAT_MARKS[0], 12, colour)
    draw_line(axes, [100 * row.made / row.deals for row in rows], places, **marks, gid="shares")
