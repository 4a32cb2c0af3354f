"""The chart of a session: every seat's running balance over its deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.transforms import Bbox, IdentityTransform

from scorer.charts import drawing
from scorer.charts.lettering import clean, directed, in_one, number, shorten, signed, text_width
from scorer.charts.names import fitted
from scorer.charts.style import (
    EDGE,
    MOST_POINTS,
    NAME_SIZE,
    SEAT_MARKS,
    THEMES,
    TICK_ROW,
    TICK_SIZE,
    SeatMark,
    Theme,
    within_widths,
)
from scorer.charts.values import Balances, DealPayouts, Wording

FOOTER_ROW = 22  # for the words that explain a ring
FOOTER_BASELINE = 8
FEW_NAMES = 3  # up to so many labels get more room, as each may name several players
NAME_ROOM = 104  # the least room for names that need it: about 12 letters
LEADER = 24  # from the end of a line to the middle of its mark
MARK_TO_NAME = 11
LABEL_GAP = 20
NAME_ROW = 18  # between the names of a side that stand below each other
LABEL_BOX = 24
LABEL_MARK = 12
TRACK = 2.6  # pixels between lines that would overlap
ROOMY = 7  # the least pixels between deals when every deal is marked
MOST_MARKS = 100
MARKS_OF_MANY = 6  # how many marks a line gets where they are dense
RING = 9
RING_GAP = 10


@dataclass(frozen=True, slots=True)
class SeatLine:
    """The line of a seat. A place is the index of a deal; 0 is before the first deal."""

    seat: int
    names: tuple[str, ...]
    colour: str
    mark: SeatMark
    balances: tuple[int, ...]  # at every place
    figure: str  # the last of them
    start: int  # the place at which the seat came to the table
    played: list[int]  # the places of the deals it did not sit out


def balance_chart(
    balances: Balances,
    wording: Wording,
    *,
    width: int = 360,
    theme: str = "light",
    lower_is_better: bool = False,
) -> bytes:
    """Return the chart as SVG; its width is clamped to 320 to 1200 CSS pixels."""
    width, colours, deals = within_widths(width), THEMES[theme], balances.deals
    lines = _seat_lines(balances, colours, burden=lower_is_better or balances.counted)
    names_start, names_end = _names_column(lines, wording.names_format, width)
    footer = FOOTER_ROW if any(deal.amended for deal in deals) else 0
    height = round(max(264, min(160 + 0.3 * width, 480))) + footer
    with drawing.blank_axes("balance", (width, height), colours, below=TICK_ROW + footer) as axes:
        shown = chain.from_iterable(line.balances for line in lines)
        drawing.balance_axis(axes, shown, colours, lower_is_better=lower_is_better)
        drawing.fit_across(axes, names_start - MARK_TO_NAME - LEADER)
        axes.xaxis.set_visible(bool(deals))
        axes.spines.bottom.set_visible(bool(deals))
        ends: Sequence[float] = balances.opening
        if deals:
            _number_deals(axes, deals, wording.deals, colours)
            ends = _draw_lines(axes, lines, [deals[0].number - 1, *(d.number for d in deals)])
        else:
            _say_no_deals(axes, wording.no_deals, colours)
        if footer:
            _ring_amended(axes, deals, wording.amended, colours)
        _label_lines(axes, lines, ends, (names_start, names_end), wording.names_format)
        return drawing.to_svg(axes, wording.title, wording.description)


def _seat_lines(balances: Balances, theme: Theme, *, burden: bool) -> list[SeatLine]:
    seats, deals = range(len(balances.names)), balances.deals
    running = [balances.running(seat) for seat in seats]
    marks, since = balances.marks or seats, balances.since or [0] * len(seats)
    return [
        SeatLine(
            seat=seat,
            names=tuple(map(clean, balances.names[seat])),
            colour=theme.seats[marks[seat]],
            mark=SEAT_MARKS[marks[seat]],
            balances=running[seat],
            figure=signed(running[seat][-1], burden=burden),
            start=sum(deal.number < since[seat] for deal in deals),
            played=[place for place, deal in enumerate(deals, 1) if seat in deal.payouts],
        )
        for seat in seats
    ]


def _names_column(lines: Sequence[SeatLine], names_format: str, width: int) -> tuple[int, int]:
    """Return the pixels at which the names start and end; the balances are to their right."""
    widest = max(text_width(line.figure, NAME_SIZE) for line in lines)
    end = width - EDGE - math.ceil(widest) - EDGE
    share = 0.35 if len(lines) > FEW_NAMES else 0.45
    most = max(NAME_ROOM, min(share * width, 280) - (width - end) + EDGE)
    needed = max(text_width(in_one(line.names, names_format), NAME_SIZE) for line in lines)
    return end - math.ceil(max(24, min(most, needed))), end


def _number_deals(axes: Axes, deals: Sequence[DealPayouts], unit: str, theme: Theme) -> None:
    first, last = deals[0].number, deals[-1].number
    axes.set_xlim(first - 1, last)
    wide = text_width(number(last), TICK_SIZE) + 16
    ticks = drawing.deal_ticks(first, last, wide * (last - first + 1) / axes.bbox.width)
    axes.set_xticks(ticks, [number(tick) for tick in ticks], va="baseline")
    end = axes.figure.bbox.width - EDGE
    axes.annotate(
        shorten(clean(unit), TICK_SIZE, end - axes.bbox.x1 - 20),
        xy=(end, axes.bbox.y0 - drawing.BASELINE),
        xycoords="figure pixels",
        ha="right",
        color=theme.muted,
        fontsize=TICK_SIZE,
    )


def _say_no_deals(axes: Axes, words: str, theme: Theme) -> None:
    """Write "No deals yet" above the zero line, wrapped if narrow."""
    lines = [clean(words)]
    if text_width(lines[0], NAME_SIZE) > axes.bbox.width:
        lines = wrap(lines[0], len(lines[0]) // 2 + 2)
    for below, line in enumerate(lines, start=1):
        axes.annotate(
            shorten(line, NAME_SIZE, axes.bbox.width),
            xy=(0.5, 0),
            xycoords=axes.get_yaxis_transform(),
            xytext=(0, 16 + (len(lines) - below) * LABEL_GAP),
            textcoords="offset points",
            ha="center",
            color=theme.muted,
        )


def _draw_lines(axes: Axes, lines: Sequence[SeatLine], deals: Sequence[int]) -> list[float]:
    """Draw every seat's line with its marks, and return the heights at which the lines end.

    Every deal that a seat played is marked. Where they are dense, only some are, at different deals
    for each seat.
    """
    pace = axes.bbox.width / (len(deals) - 1)
    roomy = pace >= ROOMY and len(deals) <= MOST_MARKS
    size = max(7, min(0.7 * pace, 11)) if roomy else 9
    stride = 1 if roomy else math.ceil(len(deals) / MARKS_OF_MANY)
    tracks: list[list[float]] = [list(line.balances) for line in lines]
    if roomy:
        tracks = drawing.side_by_side(tracks, TRACK * drawing.pixel_down(axes))
    for line, heights in zip(lines, tracks, strict=True):
        drawn = [line.start + place for place in drawing.thin(heights[line.start :], MOST_POINTS)]
        if len(drawn) > 1:
            drawing.draw_line(
                axes,
                [deals[place] for place in drawn],
                [heights[place] for place in drawn],
                color=line.colour,
                linewidth=2 if len(drawn) == len(heights) - line.start else 1.5,
                gid=f"line-{line.seat}",
            )
        marked = line.played[line.seat * stride // len(lines) :: stride]
        if marked:
            drawing.draw_line(
                axes,
                [deals[place] for place in marked],
                [heights[place] for place in marked],
                **drawing.mark_style(line.mark, size, line.colour),
                gid=f"deals-{line.seat}",
            )
    return [heights[-1] for heights in tracks]


def _ring_amended(axes: Axes, deals: Sequence[DealPayouts], words: str, theme: Theme) -> None:
    """Ring the amended deals on the axis, where rings don't touch, and explain the ring below."""
    apart = RING_GAP * (deals[-1].number - deals[0].number + 1) / axes.bbox.width
    ringed: list[int] = []
    for deal in deals:
        if deal.amended and (not ringed or deal.number - ringed[-1] >= apart):
            ringed.append(deal.number)
    ring = drawing.mark_style(SEAT_MARKS[0], RING, theme.ground) | {
        "markeredgecolor": theme.muted,
        "markeredgewidth": 1.5,
    }
    on_the_axis = axes.get_xaxis_transform()
    drawing.draw_line(axes, ringed, [0] * len(ringed), transform=on_the_axis, **ring, gid="amended")
    start, baseline = axes.bbox.x0, FOOTER_BASELINE
    drawing.draw_line(
        axes, [start + RING / 2], [baseline + RING / 2], transform=IdentityTransform(), **ring
    )
    axes.annotate(
        shorten(clean(words), TICK_SIZE, axes.figure.bbox.width - start - 20),
        xy=(start + 14, baseline),
        xycoords="figure pixels",
        color=theme.muted,
        fontsize=TICK_SIZE,
    )


def _label_lines(
    axes: Axes,
    lines: Sequence[SeatLine],
    ends: Sequence[float],
    column: tuple[int, int],
    names_format: str,
) -> None:
    top, pixel = axes.get_ylim()[1], drawing.pixel_down(axes)
    wanted = [(end - top) / pixel for end in ends]
    room, width_of = column[1] - column[0], partial(text_width, size=NAME_SIZE)
    wholes = [in_one(line.names, names_format) for line in lines]
    parts = [
        [whole] if width_of(whole) <= room else line.names
        for line, whole in zip(lines, wholes, strict=True)
    ]
    written = fitted(list(chain.from_iterable(parts)), room, width_of, least=1).written
    rows = [[directed(written[part]) for part in names] for names in parts]
    gap = LABEL_GAP * max(map(len, rows))
    offsets = drawing.spread(wanted, gap, gap / 2, axes.bbox.height - gap / 2)
    for line, names, end, offset in zip(lines, rows, ends, offsets, strict=True):
        height = top + offset * pixel
        _lead_to_mark(axes, line, end, (column[0] - MARK_TO_NAME, height))
        _label_line(axes, line, names, height, column)


def _lead_to_mark(axes: Axes, line: SeatLine, end: float, mark_at: tuple[float, float]) -> None:
    across, height = mark_at
    leader = [(axes.bbox.x1, end), (across - LABEL_MARK / 2 - 2, height), (math.nan, math.nan)]
    points = [*(leader if len(line.balances) > 1 else []), mark_at]
    style = {"linestyle": "-", "linewidth": 1, "color": line.colour, "markevery": [-1]}
    drawing.draw_line(
        axes,
        *zip(*points, strict=True),
        **drawing.mark_style(line.mark, LABEL_MARK, line.colour) | style,
        transform=drawing.pixels_across(axes),
        gid=f"leader-{line.seat}",
    )


def _label_line(
    axes: Axes, line: SeatLine, names: Sequence[str], height: float, column: tuple[int, int]
) -> None:
    """Write the names and the balance of a seat, clipping a name that is wider than estimated."""
    start, end = column
    style: dict[str, Any] = {"transform": drawing.pixels_across(axes), "va": "center_baseline"}
    middle = axes.transData.transform((0, height))[1]
    for row, name in enumerate(names):
        below = (row - (len(names) - 1) / 2) * NAME_ROW
        at = height + below * drawing.pixel_down(axes)
        text = axes.text(start, at, name, **style, clip_on=True, gid=f"name-{line.seat}-{row}")
        bottom = middle - below - LABEL_BOX / 2
        text.set_clip_box(Bbox.from_bounds(start - 1, bottom, end + EDGE - start, LABEL_BOX))
    style |= {"ha": "right", "weight": "bold", "gid": f"balance-{line.seat}"}
    axes.text(axes.figure.bbox.width - EDGE, height, line.figure, **style)
