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
from scorer.charts.style import (
    EDGE,
    FIGURE,
    LETTER,
    NAME_SIZE,
    THEMES,
    TICK_SIZE,
    Theme,
    clamped,
    cut,
    directed,
    in_one,
    letters,
    number,
)
from scorer.charts.values import Balances, ChartLine, Levels, Wording, wilson
from scorer.typed_text import one_line

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


def balance_chart(
    balances: Balances, wording: Wording, *, width: int = 360, theme: str = "light"
) -> bytes:
    """Draw every seat's running balance as SVG, 320 to 1200 CSS pixels wide."""
    width, colours, lines = clamped(width), THEMES[theme], balances.lines
    figures = [balances.written(line.balances[-1]) for line in lines]
    sides = [[one_line(name) for name in line.names] for line in lines]
    wholes = [in_one(side, wording.names_format) for side in sides]
    start, end = _names_column(figures, wholes, width)
    room, footer = (end - start) / LETTER, FOOTER_ROW if balances.amended else 0
    names = [
        [whole] if letters(whole) <= room else [cut(name, room) for name in side]
        for whole, side in zip(wholes, sides, strict=True)
    ]
    size = width, round(max(264, min(160 + 0.3 * width, 480))) + footer
    with drawing.blank_axes(size, colours, footer=footer) as axes:
        shown = (balance for line in lines for balance in line.balances)
        drawing.balance_axis(axes, shown, colours, upside_down=balances.lower_is_better)
        drawing.fit_across(axes, start - MARK_TO_NAME - LEADER)
        chart = BalanceChart(axes, balances, colours)
        ends = chart.draw_lines(wording.deals) if balances.deals else chart.say_none(wording)
        if footer:
            chart.ring_amended(wording.amended)
        chart.label_lines(ends, (start, end), names, figures)
        return drawing.to_svg(axes, wording.title, wording.description)


def _names_column(figures: Sequence[str], names: Sequence[str], width: int) -> tuple[int, int]:
    """Return the pixels at which the names start and end; the balances are to their right."""
    end = width - EDGE - ceil(max(map(len, figures)) * FIGURE) - EDGE
    share = 0.35 if len(names) > FEW_NAMES else 0.45
    most = max(NAME_ROOM, min(share * width, 280) - (width - end) + EDGE)
    needed = LETTER * max(map(letters, names)) + EDGE
    return end - ceil(max(24, min(most, needed))), end


@dataclass(frozen=True, slots=True)
class BalanceChart:
    """The chart of a session on its axes."""

    axes: Axes
    balances: Balances
    theme: Theme

    @property
    def small(self) -> dict[str, Any]:
        """The style of small words, at a pixel of the figure."""
        place = IdentityTransform()
        return {"color": self.theme.muted, "fontsize": TICK_SIZE, "transform": place}

    def say_none(self, wording: Wording) -> list[float]:
        """Write "No deals yet" above the zero line, wrapped if narrow."""
        self.axes.xaxis.set_visible(False)
        self.axes.spines.bottom.set_visible(False)
        lines = wrap(one_line(wording.no_deals), int(self.axes.bbox.width / LETTER))
        style: Any = {"ha": "center", "color": self.theme.muted, "textcoords": "offset points"}
        above = self.axes.get_yaxis_transform()
        for row, line in enumerate(lines, 1):
            up = 0, 16 + (len(lines) - row) * LABEL_GAP
            self.axes.annotate(line, (0.5, 0), up, above, **style)
        return [line.balances[0] for line in self.balances.lines]

    def draw_lines(self, unit: str) -> list[float]:
        """Number the deals, draw each seat's line with its marks; return where the lines end.

        Every deal that a seat played is marked. Where they are dense, only some are, at different
        deals for each seat.
        """
        axes, lines, deals = self.axes, self.balances.lines, self.balances.deals
        axes.set_xlim(deals[0] - 1, deals[-1])
        spacing = (len(number(deals[-1])) * FIGURE + 14) * (deals[-1] - deals[0] + 1)
        ticks = drawing.deal_ticks(deals[0], deals[-1], spacing / axes.bbox.width)
        axes.set_xticks(ticks, [number(tick) for tick in ticks], va="baseline")
        at = axes.figure.bbox.width - EDGE, axes.bbox.y0 - drawing.BASELINE
        axes.text(*at, one_line(unit), ha="right", **self.small)
        pace, places = axes.bbox.width / len(deals), [deals[0] - 1, *deals]
        roomy = pace >= ROOMY and len(deals) < MOST_MARKS
        size = max(7, min(0.7 * pace, 11)) if roomy else 9
        stride = 1 if roomy else ceil(len(deals) / MARKS_OF_MANY)
        tracks: list[list[float]] = [list(line.balances) for line in lines]
        if roomy:
            low, high = axes.get_ylim()
            tracks = drawing.side_by_side(tracks, TRACK * (low - high) / axes.bbox.height)
        for seat, (line, heights) in enumerate(zip(lines, tracks, strict=True)):
            if len(places) - line.start > 1:
                drawn, colour = slice(line.start, None), self.theme.seats[line.mark]
                drawing.plot_line(axes, places[drawn], heights[drawn], colour, f"line-{seat}")
            marked = line.played[seat * stride // len(lines) :: stride]
            if marked:
                points = [[values[place] for place in marked] for values in (places, heights)]
                marks = drawing.mark_style(line.mark, size, self.theme)
                axes.plot(*points, **marks, gid=f"deals-{seat}")
        return [heights[-1] for heights in tracks]

    def ring_amended(self, words: str) -> None:
        """Ring amended deals on the axis, where rings don't touch, and explain the ring below."""
        axes, deals, ringed = self.axes, self.balances.deals, [-self.balances.deals[-1]]
        apart = RING_GAP * (deals[-1] - deals[0] + 1) / axes.bbox.width
        for deal in sorted(self.balances.amended):
            if deal - ringed[-1] >= apart:
                ringed.append(deal)
        ring = drawing.mark_style(0, RING, self.theme) | {"markerfacecolor": self.theme.ground}
        ring |= {"markeredgecolor": self.theme.muted, "markeredgewidth": 1.5}
        on_the_axis, start, low = axes.get_xaxis_transform(), axes.bbox.x0, FOOTER_BASELINE
        axes.plot(ringed[1:], [0] * len(ringed[1:]), transform=on_the_axis, **ring, gid="amended")
        at, pixels = (start + RING / 2, low + RING / 2), IdentityTransform()
        axes.plot(*at, transform=pixels, **ring, gid="ring")
        axes.text(start + 14, low, one_line(words), **self.small)

    def label_lines(
        self,
        ends: Sequence[float],
        column: tuple[int, int],
        names: Sequence[Sequence[str]],
        figures: Sequence[str],
    ) -> None:
        """Lead each line to its mark, names and balance, as near to its end as they can be.

        A name that is too wide for its column is clipped.
        """
        axes, (start, end), pixels = self.axes, column, IdentityTransform()
        gap, (low, high) = LABEL_GAP * max(map(len, names)), axes.bbox.intervaly
        downs = [-axes.transData.transform((0, height))[1] for height in ends]
        middles = [-down for down in drawing.spread(downs, gap, gap / 2 - high, -low - gap / 2)]
        for seat, (down, middle) in enumerate(zip(downs, middles, strict=True)):
            mark = self.balances.lines[seat].mark
            leader = drawing.mark_style(mark, LABEL_MARK, self.theme) | {"markevery": [-1]}
            leader |= {"linestyle": "-" if self.balances.deals else "none", "linewidth": 1}
            leader |= {"color": self.theme.seats[mark], "transform": pixels}
            axes.plot((axes.bbox.x1, start - MARK_TO_NAME), (-down, middle), **leader)
            foot = middle - MIDDLE_TO_FOOT
            style: Any = {"transform": pixels}
            for row, name in enumerate(names[seat]):
                base = foot + ((len(names[seat]) - 1) / 2 - row) * NAME_ROW
                room = Bbox.from_bounds(
                    start - 1, base - LABEL_BOX / 3, end - start + EDGE, LABEL_BOX
                )
                gid = f"name-{seat}-{row}"
                text = axes.text(start, base, directed(name), gid=gid, clip_on=True, **style)
                text.set_clip_box(room)
            style |= {"ha": "right", "weight": "bold", "gid": f"balance-{seat}"}
            axes.text(axes.figure.bbox.width - EDGE, foot, figures[seat], **style)


def line_chart(line: ChartLine, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw a balance or a rating as SVG, 320 to 1200 CSS pixels wide; a few points have marks."""
    width, colours, points = clamped(width), THEMES[theme], line.points
    colour, places, marks = colours.seats[0], range(len(points)), drawing.mark_style
    figure = number(points[-1]) if line.margins else line.written(points[-1])
    size = width, round(max(220, min(130 + 0.25 * width, 400)))
    with drawing.blank_axes(size, colours) as axes:
        if line.margins:
            _draw_margins(axes, line, colour)
        else:
            drawing.balance_axis(axes, points, colours, upside_down=line.lower_is_better)
        drawing.plot_line(axes, places, points, colour, "rating" if line.margins else "balance")
        if len(points) <= MOST_MARKS_OF_ONE and not line.margins:
            small = marks(0, 8, colours) | {"markeredgewidth": 1}
            axes.plot(places[1:], points[1:], **small, gid="evenings")
        axes.plot(places[-1:], points[-1:], **marks(0, 11, colours), gid="last")
        drawing.fit_across(axes, width - EDGE - ceil(len(figure) * FIGURE) - MARK_TO_FIGURE)
        axes.spines.bottom.set_visible(False)
        axes.set_xlim(0, places[-1])
        axes.set_xticks([0, places[-1]], [one_line(line.first), one_line(line.last)], va="baseline")
        start, end = axes.get_xticklabels()
        start.set_horizontalalignment("left")
        end.set_horizontalalignment("right")
        beside: Any = {"weight": "bold", "textcoords": "offset points"}
        at = (places[-1], points[-1]), (MARK_TO_FIGURE, -MIDDLE_TO_FOOT)
        axes.annotate(figure, *at, **beside)
        return drawing.to_svg(axes, line.title, line.description)


def _draw_margins(axes: Axes, line: ChartLine, colour: str) -> None:
    """Draw by how much a rating may be off, and scale the axis for it."""
    drawn = drawing.thin(line.points)
    both = [(line.points[place], line.margins[place]) for place in drawn]
    lows, highs = [point - margin for point, margin in both], [sum(pair) for pair in both]
    drawing.scale_axis(axes, {*lows, *highs})
    axes.fill_between(drawn, lows, highs, color=colour, alpha=0.18, linewidth=0, gid="off")


def levels_chart(levels: Levels, *, width: int = 360, theme: str = "light") -> bytes:
    """Draw as SVG the share of each level that was made, in the interval of the true one."""
    width, colours, rows = clamped(width), THEMES[theme], levels.rows
    size = width, LEVELS_TOP + LEVEL_ROW * len(rows) + drawing.TICK_ROW
    colour, places, end = colours.seats[0], range(len(rows)), width - EDGE
    with drawing.blank_axes(size, colours, grid="x") as axes:
        axes.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -0.5 - LEVELS_TOP / LEVEL_ROW))
        names = [directed(cut(one_line(row.name), 0.3 * width / LETTER)) for row in rows]
        axes.set_yticks(places, names, fontsize=NAME_SIZE, color=colours.ink)
        axes.tick_params(axis="y", pad=LEVEL_GAP)
        counts = [f"{row.made}/{row.deals}" for row in rows]
        right = end - ceil(max(map(len, counts)) * FIGURE) - LEVEL_GAP
        drawing.fit_across(axes, right, LEVEL_GAP, LETTER)
        percents = [0, 25, 50, 75, 100] if axes.bbox.width > NARROW else [0, 50, 100]
        axes.set_xticks(percents, [f"{percent}%" for percent in percents], va="baseline")
        axes.spines.bottom.set_visible(False)
        axes.axvline(50, color=colours.zero, linewidth=1.5, clip_on=False)
        intervals = [[100 * end for end in wilson(row.made, row.deals)] for row in rows]
        lows, highs = zip(*intervals, strict=True)
        axes.hlines(places, lows, highs, colour, linewidth=2, clip_on=False, gid="intervals")
        for ends in (lows, highs):
            axes.plot(ends, places, "|", ms=10, mew=2, mec=colour, clip_on=False)
        marks = drawing.mark_style(0, 12, colours)
        axes.plot([100 * row.made / row.deals for row in rows], places, **marks, gid="shares")
        small: Any = {"color": colours.muted, "fontsize": TICK_SIZE, "annotation_clip": False}
        for place, count in enumerate(counts):
            at = end - axes.bbox.x1, 0
            small |= {"ha": "right", "va": "center_baseline", "textcoords": "offset points"}
            axes.annotate(count, (100, place), at, **small)
        return drawing.to_svg(axes, levels.title, levels.description)
