"""The chart of a player: the balance over all evenings."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

from scorer.charts.drawing import (
    balance_axis,
    blank_axes,
    draw_line,
    fit_across,
    mark_style,
    name_ends,
    to_svg,
)
from scorer.charts.lettering import signed, text_width
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
    from matplotlib.axes import Axes

    from scorer.charts.values import Lifetime

MARK_ROOM = 10
MOST_MARKS = 40


def lifetime_chart(
    lifetime: Lifetime, *, width: int = 360, theme: str = "light", lower_is_better: bool = False
) -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a width beyond that is drawn as these."""
    width, colours = within_widths(width), THEMES[theme]
    height = round(max(220, min(130 + 0.25 * width, 400)))
    balances = [0, *accumulate(lifetime.points)]
    with blank_axes("lifetime", (width, height), colours, below=TICK_ROW) as axes:
        balance_axis(axes, balances, colours, lower_is_better=lower_is_better)
        balance_width = math.ceil(text_width(signed(balances[-1]), NAME_SIZE))
        fit_across(axes, width - EDGE - balance_width - MARK_ROOM)
        name_ends(axes, len(lifetime.points), (lifetime.first, lifetime.last))
        _draw_balances(axes, balances, colours.seats[0])
        return to_svg(axes, lifetime.title, lifetime.description)


def _draw_balances(axes: Axes, balances: list[int], colour: str) -> None:
    """Draw the line, a mark for each of some evenings, and the last balance."""
    last, mark = len(balances) - 1, SEAT_MARKS[0]
    drawn = thin(balances, MOST_POINTS)
    heights = [balances[place] for place in drawn]
    line_width = 2 if len(drawn) == len(balances) else 1.5
    draw_line(axes, drawn, heights, color=colour, linewidth=line_width, gid="balance")
    if last <= MOST_MARKS:
        small = mark_style(mark, 8, colour) | {"markeredgewidth": 1}
        draw_line(axes, range(1, last + 1), balances[1:], **small, gid="evenings")
    draw_line(axes, [last], balances[-1:], **mark_style(mark, 11, colour), gid="last")
    axes.annotate(
        signed(balances[-1]),
        xy=(last, balances[-1]),
        xytext=(MARK_ROOM, 0),
        textcoords="offset points",
        va="center_baseline",
        weight="bold",
    )
