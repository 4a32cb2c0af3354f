"""The charts of a player: the balance over all evenings, the rating, and the calls by level."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import accumulate
from math import ceil
from typing import Any

from matplotlib.axes import Axes

from scorer.charts.drawing import (
    balance_axis,
    blank_axes,
    fit_across,
    mark_style,
    pixels_across,
    plot_line,
    scale_axis,
    thin,
    to_svg,
)
from scorer.charts.lettering import clean, directed, number, shorten, signed, text_width
from scorer.charts.style import (
    EDGE,
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
    colour, evenings = colours.seats[0], range(len(balances))
    with _axes_of_line(width, colours) as axes:
        balance_axis(axes, balances, colours, lower_is_better=lower_is_better)
        plot_line(axes, evenings, balances, colour, "balance")
        if len(balances) <= MOST_MARKS + 1:
            small = mark_style(SEAT_MARKS[0], 8, colour) | {"markeredgewidth": 1}
            axes.plot(evenings[1:], balances[1:], **small, gid="evenings")
        figure = signed(balances[-1], burden=lower_is_better or lifetime.counted)
        _end_line(axes, balances, figure, (lifetime.first, lifetime.last), colour)
        return to_svg(axes, lifetime.title, lifetime.description)


def rating_chart(line: RatingLine, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw the rating deal by deal, with its uncertainty, as `lifetime_chart` does."""
    colours, deals = THEMES[theme], thin(line.points)
    colour, both = colours.seats[0], [(line.points[deal], line.margins[deal]) for deal in deals]
    lows, highs = [point - margin for point, margin in both], [sum(pair) for pair in both]
    with _axes_of_line(width, colours) as axes:
        scale_axis(axes, {*lows, *highs})
        axes.fill_between(deals, lows, highs, color=colour, alpha=0.18, linewidth=0, gid="off")
        points = [point for point, _ in both]
        axes.plot(deals, points, color=colour, clip_on=False, gid="rating")
        _end_line(axes, line.points, number(line.points[-1]), (line.first, line.last), colour)
        return to_svg(axes, line.title, line.description)


def _axes_of_line(width: int, theme: Theme) -> AbstractContextManager[Axes]:
    width = within_widths(width)
    height = round(max(220, min(130 + 0.25 * width, 400)))
    return blank_axes((width, height), theme, below=TICK_ROW)


def _end_line(
    axes: Axes, line: Sequence[int], figure: str, days: tuple[str, str], colour: str
) -> None:
    """Mark the last point and write its figure beside it; name the days of both ends below."""
    last, height = len(line) - 1, line[-1]
    room = ceil(text_width(figure, NAME_SIZE, bold=True)) + MARK_ROOM
    fit_across(axes, axes.figure.bbox.width - EDGE - room)
    axes.set_xlim(0, last)
    axes.spines.bottom.set_visible(False)
    half = axes.bbox.width / 2 - 8
    shown = [shorten(clean(day), TICK_SIZE, half) for day in days]
    axes.set_xticks([0, last], shown, va="baseline")
    start, end = axes.get_xticklabels()
    start.set_horizontalalignment("left")
    end.set_horizontalalignment("right")
    axes.plot([last], [height], **mark_style(SEAT_MARKS[0], 11, colour), gid="last")
    bold: Any = {"va": "center_baseline", "weight": "bold", "transform": pixels_across(axes)}
    axes.text(axes.bbox.x1 + MARK_ROOM, height, figure, **bold)


def levels_chart(levels: Levels, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw the chart as SVG; its width is clamped to 320 to 1200 CSS pixels."""
    width, colours, rows = within_widths(width), THEMES[theme], levels.rows
    size = width, TOP + ROW * len(rows) + TICK_ROW
    colour, places, end = colours.seats[0], range(len(rows)), width - EDGE
    with blank_axes(size, colours, below=TICK_ROW, grid="x") as axes:
        axes.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -0.5 - TOP / ROW))
        names = [directed(shorten(clean(row.name), NAME_SIZE, 0.3 * width)) for row in rows]
        axes.set_yticks(places, names, fontsize=NAME_SIZE, color=colours.ink)
        axes.tick_params(axis="y", pad=GAP)
        counts = max(text_width(row.count, TICK_SIZE) for row in rows)
        fit_across(axes, end - ceil(counts) - GAP, GAP)
        percents = [0, 25, 50, 75, 100] if axes.bbox.width > NARROW else [0, 50, 100]
        axes.set_xticks(percents, [f"{percent}%" for percent in percents], va="baseline")
        axes.spines.bottom.set_visible(False)
        axes.axvline(50, color=colours.zero, linewidth=1.5, clip_on=False)
        # The share of each level that was made, in its interval.
        intervals = [wilson(row.made, row.deals) for row in rows]
        lows, highs = ([100 * end for end in ends] for ends in zip(*intervals, strict=True))
        axes.hlines(places, lows, highs, colour, linewidth=2, clip_on=False, gid="intervals")
        for ends in (lows, highs):
            axes.plot(ends, places, "|", ms=2 * WHISKER, mew=2, mec=colour, clip_on=False)
        marks = mark_style(SEAT_MARKS[0], 12, colour)
        axes.plot([100 * row.made / row.deals for row in rows], places, **marks, gid="shares")
        small: Any = {"fontsize": TICK_SIZE, "color": colours.muted}
        small["transform"] = pixels_across(axes)
        for place, row in enumerate(rows):
            axes.text(end, place, row.count, ha="right", va="center_baseline", **small)
        return to_svg(axes, levels.title, levels.description)
