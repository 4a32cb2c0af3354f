"""The charts of a player: the balance over all evenings, the rating, and the calls by level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import accumulate

from matplotlib.axes import Axes

from scorer.charts.drawing import (
    balance_axis,
    blank_axes,
    draw_line,
    fit_across,
    mark_style,
    scale_axis,
    thin,
    to_svg,
)
from scorer.charts.lettering import clean, directed, number, shorten, signed, text_width
from scorer.charts.style import (
    EDGE,
    MOST_POINTS,
    NAME_SIZE,
    SEAT_MARKS,
    THEMES,
    TICK_ROW,
    TICK_SIZE,
    Theme,
    within_widths,
)
from scorer.charts.values import Levels, Lifetime, RatingLine, wilson

MARK_ROOM = 10
MOST_MARKS = 40

ROW = 30
TOP = 10
GAP = 10
NARROW = 180
WHISKER = 5


def lifetime_chart(
    lifetime: Lifetime, *, width: int = 360, theme: str = "light", lower_is_better: bool = False
) -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a few evenings have a mark each."""
    colours, balances = THEMES[theme], [0, *accumulate(lifetime.points)]
    colour, drawn = colours.seats[0], thin(balances, MOST_POINTS)
    with _axes_of_line("lifetime", width, colours) as axes:
        balance_axis(axes, balances, colours, lower_is_better=lower_is_better)
        heights = [balances[place] for place in drawn]
        line_width = 2 if len(drawn) == len(balances) else 1.5
        draw_line(axes, drawn, heights, color=colour, linewidth=line_width, gid="balance")
        if len(balances) <= MOST_MARKS + 1:
            small = mark_style(SEAT_MARKS[0], 8, colour) | {"markeredgewidth": 1}
            draw_line(axes, range(1, len(balances)), balances[1:], **small, gid="evenings")
        _end_line(
            axes,
            balances,
            signed(balances[-1], burden=lower_is_better or lifetime.counted),
            (lifetime.first, lifetime.last),
            colour,
        )
        return to_svg(axes, lifetime.title, lifetime.description)


def rating_chart(line: RatingLine, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw the rating deal by deal, with its uncertainty, as `lifetime_chart` does."""
    colours, drawn = THEMES[theme], thin(line.points, MOST_POINTS)
    colour, points = colours.seats[0], [line.points[place] for place in drawn]
    highest = [line.points[place] + line.margins[place] for place in drawn]
    lowest = [line.points[place] - line.margins[place] for place in drawn]
    with _axes_of_line("rating", width, colours) as axes:
        scale_axis(axes, {*highest, *lowest})
        axes.fill_between(drawn, lowest, highest, color=colour, alpha=0.18, linewidth=0, gid="off")
        draw_line(axes, drawn, points, color=colour, linewidth=2, gid="rating")
        _end_line(axes, line.points, number(line.points[-1]), (line.first, line.last), colour)
        return to_svg(axes, line.title, line.description)


def _axes_of_line(kind: str, width: int, theme: Theme) -> AbstractContextManager[Axes]:
    width = within_widths(width)
    height = round(max(220, min(130 + 0.25 * width, 400)))
    return blank_axes(kind, (width, height), theme, below=TICK_ROW)


def _end_line(
    axes: Axes, line: Sequence[int], figure: str, days: tuple[str, str], colour: str
) -> None:
    """Mark the last point and write its figure beside it; name the days of both ends below."""
    last, height = len(line) - 1, line[-1]
    room = math.ceil(text_width(figure, NAME_SIZE)) + MARK_ROOM
    fit_across(axes, axes.figure.bbox.width - EDGE - room)
    axes.set_xlim(0, last)
    axes.spines.bottom.set_visible(False)
    half = axes.bbox.width / 2 - 8
    axes.set_xticks(
        [0, last], [shorten(clean(day), TICK_SIZE, half) for day in days], va="baseline"
    )
    start, end = axes.get_xticklabels()
    start.set_horizontalalignment("left")
    end.set_horizontalalignment("right")
    draw_line(axes, [last], [height], **mark_style(SEAT_MARKS[0], 11, colour), gid="last")
    axes.annotate(
        figure,
        xy=(last, height),
        xytext=(MARK_ROOM, 0),
        textcoords="offset points",
        va="center_baseline",
        weight="bold",
    )


def levels_chart(levels: Levels, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw the chart as SVG; its width is clamped to 320 to 1200 CSS pixels."""
    width, colours, rows = within_widths(width), THEMES[theme], levels.rows
    size = width, TOP + ROW * len(rows) + TICK_ROW
    with blank_axes("levels", size, colours, below=TICK_ROW, grid="x") as axes:
        axes.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -0.5 - TOP / ROW))
        names = [directed(shorten(clean(row.name), NAME_SIZE, 0.3 * width)) for row in rows]
        axes.set_yticks(range(len(rows)), names, fontsize=NAME_SIZE, color=colours.ink)
        axes.tick_params(axis="y", pad=GAP)
        counts = max(text_width(row.count, TICK_SIZE) for row in rows)
        fit_across(axes, width - EDGE - math.ceil(counts) - GAP, GAP)
        percents = [0, 25, 50, 75, 100] if axes.bbox.width > NARROW else [0, 50, 100]
        axes.set_xticks(percents, [f"{percent}%" for percent in percents], va="baseline")
        axes.spines.bottom.set_visible(False)
        axes.axvline(50, color=colours.zero, linewidth=1.5, clip_on=False)
        # The share of each level that was made, in its interval.
        colour, places = colours.seats[0], range(len(rows))
        intervals = [wilson(row.made, row.deals) for row in rows]
        lows, highs = ([100 * end for end in ends] for ends in zip(*intervals, strict=True))
        axes.hlines(places, lows, highs, colour, linewidth=2, clip_on=False, gid="intervals")
        whisker = {"marker": "|", "markersize": 2 * WHISKER, "markeredgewidth": 2}
        for ends in (lows, highs):
            draw_line(axes, ends, places, **whisker, linestyle="none", markeredgecolor=colour)
        marks = mark_style(SEAT_MARKS[0], 12, colour)
        draw_line(axes, [100 * row.made / row.deals for row in rows], places, **marks, gid="shares")
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
