"""The chart of a player's calls: how many of each level were made, and how sure that is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scorer.charts.drawing import mark_style, new_figure, tick_width, to_svg
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
    from scorer.charts.values import Levels

ROW = 30
TOP = 10
GAP = 10
NARROW = 180
WHISKER = 5


def levels_chart(levels: Levels, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a width beyond that is drawn as these."""
    width, colours = within_widths(width), THEMES[theme]
    rows = levels.rows
    height = TOP + ROW * len(rows) + TICK_ROW
    names = [directed(shorten(clean(row.name), NAME_SIZE, 0.3 * width)) for row in rows]
    counts = max(text_width(row.count, TICK_SIZE) for row in rows)
    with new_figure(width, height, colours, below=TICK_ROW, grid="x") as figure:
        axes = figure.add_subplot(xlim=(0, 100), ylim=(len(rows) - 0.5, -0.5 - TOP / ROW))
        axes.set_yticks(range(len(rows)), names, fontsize=NAME_SIZE, color=colours.ink)
        axes.tick_params(axis="y", pad=GAP)
        left = EDGE + tick_width(axes) + GAP
        right = width - EDGE - math.ceil(counts) - GAP
        figure.subplots_adjust(left=left / width, right=right / width)
        percents = [0, 25, 50, 75, 100] if axes.bbox.width > NARROW else [0, 50, 100]
        axes.set_xticks(percents, [f"{percent}%" for percent in percents], va="baseline")
        axes.spines.bottom.set_visible(False)
        axes.axvline(50, color=colours.zero, linewidth=1.5, clip_on=False)

        shares = [100 * row.made / row.deals for row in rows]
        intervals = [wilson(row.made, row.deals) for row in rows]
        _, _, (bars,) = axes.errorbar(
            shares,
            range(len(rows)),
            xerr=[
                [share - 100 * low for share, (low, _) in zip(shares, intervals, strict=True)],
                [100 * high - share for share, (_, high) in zip(shares, intervals, strict=True)],
            ],
            fmt="none",
            ecolor=colours.seats[0],
            elinewidth=2,
            capsize=WHISKER,
            capthick=2,
            clip_on=False,
        )
        bars.set_gid("intervals")
        marks = mark_style(SEAT_MARKS[0], 12, colours.seats[0])
        axes.plot(shares, range(len(rows)), **marks, gid="shares")
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
        return to_svg(figure, levels.title, levels.description)
