"""The chart of a player: the balance over all evenings."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

from scorer.charts.drawing import TICK_GAP, balance_axis, mark_style, new_figure, tick_width, to_svg
from scorer.charts.lettering import clean, shorten, signed, text_width
from scorer.charts.spacing import thin
from scorer.charts.style import (
    EDGE,
    MOST_POINTS,
    NAME_SIZE,
    SEAT_MARKS,
    THEMES,
    TICK_ROW,
    TICK_SIZE,
    within_widths,
)

if TYPE_CHECKING:
    from scorer.charts.values import Lifetime

MARK_ROOM = 10
MOST_MARKS = 40


def lifetime_chart(
    lifetime: Lifetime, *, width: int = 360, theme: str = "light", lower_is_better: bool = False
) -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a width beyond that is drawn as these."""
    width = within_widths(width)
    height = round(max(220, min(130 + 0.25 * width, 400)))
    colours, colour, mark = THEMES[theme], THEMES[theme].seats[0], SEAT_MARKS[0]
    balances = [0, *accumulate(lifetime.points)]
    evening, balance = len(lifetime.points), signed(balances[-1])
    with new_figure(width, height, colours, below=TICK_ROW) as figure:
        axes = figure.add_subplot()
        balance_axis(axes, balances, colours, lower_is_better=lower_is_better)
        right = width - EDGE - math.ceil(text_width(balance, NAME_SIZE)) - MARK_ROOM
        left = EDGE + tick_width(axes) + TICK_GAP
        figure.subplots_adjust(left=left / width, right=right / width)
        axes.set_xlim(0, evening)
        axes.spines.bottom.set_visible(False)
        half = axes.bbox.width / 2 - 8
        days = [shorten(clean(day), TICK_SIZE, half) for day in (lifetime.first, lifetime.last)]
        axes.set_xticks([0, evening], days, va="baseline")
        start, end = axes.get_xticklabels()
        start.set_horizontalalignment("left")
        end.set_horizontalalignment("right")

        drawn = thin(balances, MOST_POINTS)
        axes.plot(
            drawn,
            [balances[place] for place in drawn],
            color=colour,
            linewidth=2 if len(drawn) == len(balances) else 1.5,
            clip_on=False,
            gid="balance",
        )
        if evening <= MOST_MARKS:
            small = mark_style(mark, 8, colour) | {"markeredgewidth": 1}
            axes.plot(range(1, evening + 1), balances[1:], **small, gid="evenings")
        axes.plot(evening, balances[-1], **mark_style(mark, 11, colour), gid="last")
        axes.annotate(
            balance,
            xy=(evening, balances[-1]),
            xytext=(MARK_ROOM, 0),
            textcoords="offset points",
            va="center_baseline",
            weight="bold",
        )
        return to_svg(figure, lifetime.title, lifetime.description)
