"""The charts as SVG: of a session, of a player's balance or rating, and of calls by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.transforms import Bbox, IdentityTransform

from scorer.charts import drawing
from scorer.charts.lettering import clean, cut, directed, in_one, letters, number, signed
from scorer.charts.style import (
    EDGE,
    FIGURE,
    LETTER,
    NAME_SIZE,
    SEAT_MARKS,
    THEMES,
    TICK_ROW,
    TICK_SIZE,
    SeatMark,
    Theme,
    within_widths,
)
from scorer.charts.values import Balances, DealPayouts, Levels, Line, Wording, wilson

FOOTER_ROW = 22  # for the words that explain a ring
FOOTER_BASELINE = 8
FEW_NAMES = 3  # up to so many labels get more room, as each may name several players
NAME_ROOM = 104  # the least room for names that need it: about 12 letters
LEADER = 24  # from the end of a line to the middle of its mark
MARK_TO_NAME = 11
LABEL_GAP = 20
NAME_ROW = 18  # between the names of a side that stand below each other
LABEL_BOX = 24
MIDDLE_TO_FOOT = 5  # of a capital
LABEL_MARK = 12
TRACK = 2.6  # pixels between lines that would overlap
ROOMY = 7  # the least pixels between deals when every deal is marked
MOST_MARKS = 100
MOST_MARKS_OF_ONE = 41
MARK_TO_FIGURE = 10
MARKS_OF_MANY = 6  # how many marks a line gets where they are dense
RING = 9
RING_GAP = 10
LEVEL_ROW, LEVELS_TOP, LEVEL_GAP = 30, 10, 10
NARROW = 180


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
    start, end = _names_column(lines, wording.names_format, width)
    footer = FOOTER_ROW if any(deal.amended for deal in deals) else 0
    size = width, round(max(264, min(160 + 0.3 * width, 480))) + footer
    with drawing.blank_axes(size, colours, below=TICK_ROW + footer) as axes:
        shown = [balance for line in lines for balance in line.balances]
        drawing.balance_axis(axes, shown, colours, lower_is_better=lower_is_better)
        drawing.fit_across(axes, start - MARK_TO_NAME - LEADER)
        ends: Sequence[float] = balances.opening
        if deals:
            _number_deals(axes, deals, wording.deals, colours)
            ends = _draw_lines(axes, lines, [deals[0].number - 1, *(d.number for d in deals)])
        else:
            axes.xaxis.set_visible(False)
            axes.spines.bottom.set_visible(False)
            _say_no_deals(axes, clean(wording.no_deals), colours)
        if footer:
            _ring_amended(axes, deals, wording.amended, colours)
        _label_lines(axes, lines, ends, (start, end), wording.names_format)
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
    end = width - EDGE - ceil(max(len(line.figure) for line in lines) * FIGURE) - EDGE
    share = 0.35 if len(lines) > FEW_NAMES else 0.45
    most = max(NAME_ROOM, min(share * width, 280) - (width - end) + EDGE)
    needed = LETTER * max(letters(in_one(line.names, names_format)) for line in lines) + EDGE
    return end - ceil(max(24, min(most, needed))), end


def _number_deals(axes: Axes, deals: Sequence[DealPayouts], unit: str, theme: Theme) -> None:
    first, last, end = deals[0].number, deals[-1].number, axes.figure.bbox.width - EDGE
    axes.set_xlim(first - 1, last)
    spacing = (len(number(last)) * FIGURE + 14) * (last - first + 1) / axes.bbox.width
    ticks = drawing.deal_ticks(first, last, spacing)
    axes.set_xticks(ticks, [number(tick) for tick in ticks], va="baseline")
    axes.text(end, axes.bbox.y0 - drawing.BASELINE, clean(unit), ha="right", **_small(theme))


def _small(theme: Theme) -> dict[str, Any]:
    """Return the arguments of `axes.text` for small words at a pixel of the figure."""
    return {"color": theme.muted, "fontsize": TICK_SIZE, "transform": IdentityTransform()}


def _say_no_deals(axes: Axes, words: str, theme: Theme) -> None:
    """Write "No deals yet" above the zero line, wrapped if narrow."""
    room = int(axes.bbox.width / LETTER)
    lines = wrap(words, len(words) // 2 + 2 if letters(words) > room else room) or [""]
    style: Any = {"ha": "center", "color": theme.muted, "transform": axes.get_yaxis_transform()}
    for below, line in enumerate(lines, 1):
        up = (16 + (len(lines) - below) * LABEL_GAP) * -drawing.pixel_down(axes)
        axes.text(0.5, up, cut(line, room), **style)


def _draw_lines(axes: Axes, lines: Sequence[SeatLine], deals: Sequence[int]) -> list[float]:
    """Draw every seat's line with its marks, and return the heights at which the lines end.

    Every deal that a seat played is marked. Where they are dense, only some are, at different deals
    for each seat.
    """
    pace = axes.bbox.width / (len(deals) - 1)
    roomy = pace >= ROOMY and len(deals) <= MOST_MARKS
    size = max(7, min(0.7 * pace, 11)) if roomy else 9
    stride = 1 if roomy else ceil(len(deals) / MARKS_OF_MANY)
    tracks: list[list[float]] = [list(line.balances) for line in lines]
    if roomy:
        tracks = drawing.side_by_side(tracks, TRACK * drawing.pixel_down(axes))
    for line, heights in zip(lines, tracks, strict=True):
        since, colour, gid = line.start, line.colour, f"line-{line.seat}"
        if len(deals) - since > 1:
            drawing.plot_line(axes, deals[since:], heights[since:], colour, gid)
        marked = line.played[line.seat * stride // len(lines) :: stride]
        if marked:
            places = [[values[place] for place in marked] for values in (deals, heights)]
            marks = drawing.mark_style(line.mark, size, line.colour)
            axes.plot(*places, **marks, gid=f"deals-{line.seat}")
    return [heights[-1] for heights in tracks]


def _ring_amended(axes: Axes, deals: Sequence[DealPayouts], words: str, theme: Theme) -> None:
    """Ring the amended deals on the axis, where rings don't touch, and explain the ring below."""
    apart = RING_GAP * (deals[-1].number - deals[0].number + 1) / axes.bbox.width
    ringed: list[int] = []
    for deal in deals:
        if deal.amended and (not ringed or deal.number - ringed[-1] >= apart):
            ringed.append(deal.number)
    ring = drawing.mark_style(SEAT_MARKS[0], RING, theme.ground)
    ring |= {"markeredgecolor": theme.muted, "markeredgewidth": 1.5}
    on_the_axis, start, low = axes.get_xaxis_transform(), axes.bbox.x0, FOOTER_BASELINE
    axes.plot(ringed, [0] * len(ringed), transform=on_the_axis, **ring, gid="amended")
    middle = [start + RING / 2], [low + RING / 2]
    axes.plot(*middle, transform=IdentityTransform(), **ring)
    axes.text(start + 14, low, clean(words), **_small(theme))


def _label_lines(
    axes: Axes,
    lines: Sequence[SeatLine],
    ends: Sequence[float],
    column: tuple[int, int],
    names_format: str,
) -> None:
    """Write the names of each line at its end, as near to it as they can be."""
    room = (column[1] - column[0]) / LETTER
    wholes = [in_one(line.names, names_format) for line in lines]
    rows = [
        [whole] if letters(whole) <= room else [cut(name, room) for name in line.names]
        for line, whole in zip(lines, wholes, strict=True)
    ]
    gap, top, pixel = LABEL_GAP * max(map(len, rows)), axes.get_ylim()[1], drawing.pixel_down(axes)
    wanted = [(end - top) / pixel for end in ends]
    offsets = drawing.spread(wanted, gap, gap / 2, axes.bbox.height - gap / 2)
    for line, names, end, offset in zip(lines, rows, ends, offsets, strict=True):
        shown = [directed(name) for name in names]
        _label_line(axes, line, shown, (end, top + offset * pixel), column)


def _label_line(
    axes: Axes,
    line: SeatLine,
    names: Sequence[str],
    heights: tuple[float, float],
    column: tuple[int, int],
) -> None:
    """Lead from the end of a line to its mark, names and balance; clip what is wider than thought.

    The heights are those of the end and of the label.
    """
    (start, end), height, pixel = column, heights[1], drawing.pixel_down(axes)
    style: dict[str, Any] = {"transform": drawing.pixels_across(axes)}
    leader: Any = {"color": line.colour, "linewidth": 1, "gid": f"leader-{line.seat}"}
    mark = drawing.mark_style(line.mark, LABEL_MARK, line.colour)
    mark |= {"linestyle": "-" if len(line.balances) > 1 else "none", "markevery": [-1]}
    axes.plot((axes.bbox.x1, start - MARK_TO_NAME), heights, **mark, **leader, **style)
    height += MIDDLE_TO_FOOT * pixel
    foot = axes.transData.transform((0, height))[1]
    for row, name in enumerate(names):
        below = (row - (len(names) - 1) / 2) * NAME_ROW
        at, gid = (start, height + below * pixel), f"name-{line.seat}-{row}"
        text = axes.text(*at, name, clip_on=True, gid=gid, **style)
        bottom = foot - below - LABEL_BOX / 3
        text.set_clip_box(Bbox.from_bounds(start - 1, bottom, end + EDGE - start, LABEL_BOX))
    style |= {"ha": "right", "weight": "bold", "gid": f"balance-{line.seat}"}
    axes.text(axes.figure.bbox.width - EDGE, height, line.figure, **style)


def line_chart(
    line: Line, *, width: int = 360, theme: str = "light", lower_is_better: bool = False
) -> bytes:
    """Draw a balance or a rating as SVG, 320 to 1200 CSS pixels wide; a few points have marks."""
    width, colours, points = within_widths(width), THEMES[theme], line.points
    colour, places, marks = colours.seats[0], range(len(points)), drawing.mark_style
    size = width, round(max(220, min(130 + 0.25 * width, 400)))
    with drawing.blank_axes(size, colours, below=TICK_ROW) as axes:
        if line.margins:
            figure = number(points[-1])
            _draw_margins(axes, line, colour)
        else:
            figure = signed(points[-1], burden=lower_is_better or line.counted)
            drawing.balance_axis(axes, points, colours, lower_is_better=lower_is_better)
        gid = "rating" if line.margins else "balance"
        drawing.plot_line(axes, places, points, colour, gid)
        if len(points) <= MOST_MARKS_OF_ONE and not line.margins:
            small = marks(SEAT_MARKS[0], 8, colour) | {"markeredgewidth": 1}
            axes.plot(places[1:], points[1:], **small, gid="evenings")
        drawing.fit_across(axes, width - EDGE - ceil(len(figure) * FIGURE) - MARK_TO_FIGURE)
        axes.spines.bottom.set_visible(False)
        axes.set_xlim(0, places[-1])
        axes.set_xticks([0, places[-1]], [clean(line.first), clean(line.last)], va="baseline")
        start, end = axes.get_xticklabels()
        start.set_horizontalalignment("left")
        end.set_horizontalalignment("right")
        axes.plot(places[-1:], points[-1:], **marks(SEAT_MARKS[0], 11, colour), gid="last")
        beside: Any = {"weight": "bold", "transform": drawing.pixels_across(axes)}
        at = axes.bbox.x1 + MARK_TO_FIGURE, points[-1] + MIDDLE_TO_FOOT * drawing.pixel_down(axes)
        axes.text(*at, figure, **beside)
        return drawing.to_svg(axes, line.title, line.description)


def _draw_margins(axes: Axes, line: Line, colour: str) -> None:
    """Draw by how much a rating may be off, and scale the axis for it."""
    drawn = drawing.thin(line.points)
    both = [(line.points[place], line.margins[place]) for place in drawn]
    lows, highs = [point - margin for point, margin in both], [sum(pair) for pair in both]
    drawing.scale_axis(axes, {*lows, *highs})
    axes.fill_between(drawn, lows, highs, color=colour, alpha=0.18, linewidth=0, gid="off")


def levels_chart(levels: Levels, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw as SVG the share of each level that was made, in the interval of the true one."""
    width, colours, rows = within_widths(width), THEMES[theme], levels.rows
    size = width, LEVELS_TOP + LEVEL_ROW * len(rows) + TICK_ROW
    colour, places, end = colours.seats[0], range(len(rows)), width - EDGE
    with drawing.blank_axes(size, colours, below=TICK_ROW, grid="x") as axes:
        axes.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -0.5 - LEVELS_TOP / LEVEL_ROW))
        names = [directed(cut(clean(row.name), 0.3 * width / LETTER)) for row in rows]
        axes.set_yticks(places, names, fontsize=NAME_SIZE, color=colours.ink)
        axes.tick_params(axis="y", pad=LEVEL_GAP)
        counts = [f"{row.made}/{row.deals}" for row in rows]
        right = end - ceil(max(map(len, counts)) * FIGURE) - LEVEL_GAP
        drawing.fit_across(axes, right, LEVEL_GAP, LETTER)
        percents = [0, 25, 50, 75, 100] if axes.bbox.width > NARROW else [0, 50, 100]
        axes.set_xticks(percents, [f"{percent}%" for percent in percents], va="baseline")
        axes.spines.bottom.set_visible(False)
        axes.axvline(50, color=colours.zero, linewidth=1.5, clip_on=False)
        intervals = [wilson(row.made, row.deals) for row in rows]
        lows, highs = ([100 * share for share in ends] for ends in zip(*intervals, strict=True))
        axes.hlines(places, lows, highs, colour, linewidth=2, clip_on=False, gid="intervals")
        for ends in (lows, highs):
            axes.plot(ends, places, "|", ms=10, mew=2, mec=colour, clip_on=False)
        marks = drawing.mark_style(SEAT_MARKS[0], 12, colour)
        axes.plot([100 * row.made / row.deals for row in rows], places, **marks, gid="shares")
        small = _small(colours) | {"transform": drawing.pixels_across(axes)}
        for place, count in enumerate(counts):
            axes.text(end, place, count, ha="right", va="center_baseline", **small)
        return drawing.to_svg(axes, levels.title, levels.description)
