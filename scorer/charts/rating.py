"""The chart of a rating: the figure deal by deal, within how far off it may be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scorer.charts.drawing import (
    blank_axes,
    draw_line,
    fit_across,
    mark_style,
    name_ends,
    scale_axis,
    to_svg,
)
from scorer.charts.lettering import number, text_width
from scorer.charts.spacing import thin
from scorer.charts.style import (
    EDGE,
    MOST_POINTS,
    NAME_SIZE,
    SEAT_MARKS,
    THEMES,
    TICK_ROW,
    within_widths,
)

if TYPE_CHECKING:
    from scorer.charts.values import RatingLine

MARK_ROOM = 10


def rating_chart(line: RatingLine, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a width beyond that is drawn as these."""
    width, colours = within_widths(width), THEMES[theme]
    height = round(max(220, min(130 + 0.25 * width, 400)))
    drawn = thin(line.points, MOST_POINTS)
    points = [line.points[place] for place in drawn]
    highest = [line.points[place] + line.margins[place] for place in drawn]
    lowest = [line.points[place] - line.margins[place] for place in drawn]
    last = len(line.points) - 1
    with blank_axes("rating", (width, height), colours, below=TICK_ROW) as axes:
        scale_axis(axes, {*highest, *lowest})
        written = number(line.points[-1])
        label_width = math.ceil(text_width(written, NAME_SIZE))
        fit_across(axes, width - EDGE - label_width - MARK_ROOM)
        name_ends(axes, last, (line.first, line.last))
        colour = colours.seats[0]
        axes.fill_between(drawn, lowest, highest, color=colour, alpha=0.18, linewidth=0, gid="off")
        draw_line(axes, drawn, points, color=colour, linewidth=2, gid="rating")
        draw_line(axes, [last], points[-1:], **mark_style(SEAT_MARKS[0], 11, colour), gid="last")
        axes.annotate(
            written,
            xy=(last, points[-1]),
            xytext=(MARK_ROOM, 0),
            textcoords="offset points",
            va="center_baseline",
            weight="bold",
        )
        return to_svg(axes, line.title, line.description)
