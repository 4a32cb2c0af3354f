"""The chart of a session: every seat's running balance over its deals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from scorer.charts.lettering import clean, number, shorten, shorten_each, signed, text_width
from scorer.charts.running import BalanceRow, Wording, balance_table
from scorer.charts.scale import Scale, deal_ticks, side_by_side, spread, thin
from scorer.charts.scene import Line, Marks, Scene, Words
from scorer.charts.style import NAME_SIZE, SEAT_MARKS, THEMES, TICK_SIZE, WIDTHS, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.charts.running import Balances
    from scorer.charts.scale import Point
    from scorer.charts.scene import Shape

EDGE = 8  # free space at the sides, and between a name and its balance
INSET = 14  # free space above the highest and below the lowest balance
TICK_ROW = 26
FOOTER_ROW = 22
TICK_GAP = 6
FEW_NAMES = 3  # so few have more room, as each may be the names of several
LEADER = 24  # from the end of a line to the middle of its mark
MARK_TO_NAME = 11
LABEL_GAP = 20
LABEL_BOX = 24
LABEL_MARK = 12
TRACK = 2.6
ROOMY = 7  # pixels a deal takes at least when every one of them is marked
MOST_MARKS = 100
MARKS_OF_MANY = 6  # how many marks a line gets where they are dense
MOST_POINTS = 320
RING = 9
RING_GAP = 10


def balance_chart(
    balances: Balances,
    wording: Wording,
    *,
    width: int = 360,
    theme: str = "light",
    lower_is_better: bool = False,
) -> bytes:
    """Draw the chart as SVG, 320 to 1200 CSS pixels wide; a width beyond that is drawn as these."""
    from scorer.charts.drawing import to_svg

    plot = BalancePlot(
        names=balances.names,
        opening=balances.opening,
        rows=balance_table(balances),
        wording=wording,
        width=max(WIDTHS[0], min(width, WIDTHS[-1])),
        theme=THEMES[theme],
        lower_is_better=lower_is_better,
        since=balances.since or (0,) * len(balances.names),
        marks=balances.marks or tuple(range(len(balances.names))),
    )
    return to_svg(plot.scene())


@dataclass(frozen=True)
class BalancePlot:
    """What stands where, in CSS pixels; `scene` gives it all, back to front."""

    names: tuple[str, ...]
    opening: tuple[int, ...]
    rows: tuple[BalanceRow, ...]
    wording: Wording
    width: int
    theme: Theme
    lower_is_better: bool
    since: tuple[int, ...]
    marks: tuple[int, ...]

    def scene(self) -> Scene:
        """Lay everything out."""
        shapes = (*self._balance_axis(), *self._deal_axis(), *self._lines(), *self._labels())
        words = self.wording
        return Scene(self.width, self.height, self.theme, words.title, words.description, shapes)

    @cached_property
    def height(self) -> int:
        """The height that goes with the width, with a footer where a ring needs explaining."""
        plain = round(max(264, min(160 + 0.3 * self.width, 480)))
        return plain + (FOOTER_ROW if self._amended else 0)

    @cached_property
    def _amended(self) -> bool:
        return any(row.amended for row in self.rows)

    @cached_property
    def _floor(self) -> float:
        return self.height - TICK_ROW - (FOOTER_ROW if self._amended else 0) + 0.5

    @cached_property
    def _left(self) -> float:
        ticks = map(number, self._balance_ticks)
        return EDGE + math.ceil(max(text_width(tick, TICK_SIZE) for tick in ticks)) + TICK_GAP

    @cached_property
    def _right(self) -> float:
        return self._names_at - MARK_TO_NAME - LEADER

    @cached_property
    def _names_at(self) -> float:
        return self._balances_at - self._balances_width - EDGE - self._names_width

    @cached_property
    def _names_width(self) -> float:
        share = 0.35 if len(self.names) > FEW_NAMES else 0.45
        most = min(share * self.width, 280) - self._balances_width - EDGE
        needed = [text_width(clean(name), NAME_SIZE) for name in self.names]
        return math.ceil(max(24, min(most, max(needed))))

    @property
    def _balances_at(self) -> float:
        return self.width - EDGE

    @cached_property
    def _balances_width(self) -> float:
        return math.ceil(max(text_width(signed(value), NAME_SIZE) for value in self._last))

    @property
    def _last(self) -> tuple[int, ...]:
        return self.rows[-1].balances if self.rows else self.opening

    @cached_property
    def _deals(self) -> Scale:
        first = self.rows[0].number - 1 if self.rows else 0
        last = self.rows[-1].number if self.rows else 1
        return Scale(first, last, self._left, self._right)

    @cached_property
    def _heights(self) -> Scale:
        values = [0, *self.opening, *(value for row in self.rows for value in row.balances)]
        low, high = min(values), max(values)
        if low == high:
            low, high = -1, 1
        ends = (INSET, self._floor - INSET)
        bottom, top = ends if self.lower_is_better else reversed(ends)
        return Scale(low, high, bottom, top)

    @cached_property
    def _balance_ticks(self) -> list[int]:
        return self._heights.ticks(spacing=34) if self.rows or any(self.opening) else [0]

    def _balance_axis(self) -> Iterator[Shape]:
        for tick in self._balance_ticks:
            y = round(self._heights(tick)) + 0.5
            zero = tick == 0
            yield Line(
                ((self._left, y), (self._right, y)),
                self.theme.zero if zero else self.theme.grid,
                width=1.5 if zero else 1,
                name="zero" if zero else "",
            )
            yield Words(
                self._left - TICK_GAP,
                y + TICK_SIZE * 0.35,
                number(tick),
                self.theme.muted,
                size=TICK_SIZE,
                anchor="end",
            )

    def _deal_axis(self) -> Iterator[Shape]:
        if not self.rows:
            yield self._no_deals()
            return
        yield Line(((self._left, self._floor), (self._right, self._floor)), self.theme.grid)
        baseline = self._floor + 18
        spacing = text_width(number(self._deals.high), TICK_SIZE) + 16
        for tick in deal_ticks(self._deals, self.rows[0].number, spacing):
            yield Words(
                self._deals(tick),
                baseline,
                number(tick),
                self.theme.muted,
                size=TICK_SIZE,
                anchor="middle",
            )
        unit = shorten(clean(self.wording.deals), TICK_SIZE, self._balances_at - self._right - 20)
        yield Words(
            self._balances_at, baseline, unit, self.theme.muted, size=TICK_SIZE, anchor="end"
        )
        yield from self._amended_deals()

    def _no_deals(self) -> Words:
        return Words(
            (self._left + self._right) / 2,
            self._heights(0) - 16,
            shorten(clean(self.wording.no_deals), NAME_SIZE, self._right - self._left),
            self.theme.muted,
            anchor="middle",
        )

    def _amended_deals(self) -> Iterator[Shape]:
        if not self._amended:
            return
        rings: list[Point] = []
        for row in self.rows:
            x = self._deals(row.number)
            if row.amended and (not rings or x - rings[-1][0] >= RING_GAP):
                rings.append((x, self._floor))
        yield self._ring(tuple(rings), name="amended")
        baseline = self.height - 8
        yield self._ring(((self._left + RING / 2, baseline - TICK_SIZE * 0.35),))
        text = shorten(clean(self.wording.amended), TICK_SIZE, self.width - self._left - 20)
        yield Words(self._left + 14, baseline, text, self.theme.muted, size=TICK_SIZE)

    def _ring(self, points: tuple[Point, ...], name: str = "") -> Marks:
        return Marks(
            points,
            SEAT_MARKS[0],
            self.theme.ground,
            RING,
            self.theme.muted,
            edge_width=1.5,
            name=name,
        )

    @cached_property
    def _points(self) -> list[list[Point]]:
        """Every seat's way in pixels, from its opening on."""
        starts = [[(self._deals.start, self._heights(opening))] for opening in self.opening]
        for row in self.rows:
            x = self._deals(row.number)
            for way, balance in zip(starts, row.balances, strict=True):
                way.append((x, self._heights(balance)))
        return side_by_side(starts, TRACK) if self._roomy else starts

    @cached_property
    def _pace(self) -> float:
        """How many pixels a deal has on the average."""
        return (self._right - self._left) / max(1, len(self.rows))

    @property
    def _roomy(self) -> bool:
        return self._pace >= ROOMY and len(self.rows) <= MOST_MARKS

    def _lines(self) -> Iterator[Shape]:
        if not self.rows:
            return
        for seat, whole in enumerate(self._points):
            way = whole[self._before(seat) :]
            line = tuple(thin(way, MOST_POINTS))
            width = 2 if len(line) == len(way) else 1.5
            if len(way) > 1:
                yield Line(line, self._colour(seat), width, name=f"line-{seat}")
        for seat in range(len(self.names)):
            marked = self._marked(seat)
            if marked:
                size = max(7, min(0.7 * self._pace, 11)) if self._roomy else 9
                yield self._mark(seat, marked, size, name=f"deals-{seat}")

    def _before(self, seat: int) -> int:
        """How many deals there were before a seat came to the table."""
        return sum(row.number < self.since[seat] for row in self.rows)

    def _marked(self, seat: int) -> tuple[Point, ...]:
        """Mark every deal the seat played, or some when they are many, the seats taking turns."""
        stride = 1 if self._roomy else math.ceil(len(self.rows) / MARKS_OF_MANY)
        turn = seat * stride // len(self.names)
        played = [
            point
            for point, row in zip(self._points[seat][1:], self.rows, strict=True)
            if row.payouts[seat] is not None
        ]
        return tuple(played[turn::stride])

    def _mark(self, seat: int, points: tuple[Point, ...], size: float, name: str = "") -> Marks:
        edge = min(1, max(0, (size - 7) / 2))
        mark, colour = SEAT_MARKS[self.marks[seat]], self._colour(seat)
        return Marks(points, mark, colour, size, self.theme.ground, edge, name=name)

    def _colour(self, seat: int) -> str:
        return self.theme.seats[self.marks[seat]]

    def _labels(self) -> Iterator[Shape]:
        ends = [way[-1][1] for way in self._points]
        low, high = LABEL_GAP / 2, self._floor - LABEL_GAP / 2
        for seat, y in enumerate(spread(ends, LABEL_GAP, low, high)):
            yield from self._label(seat, ends[seat], round(y, 1))

    def _label(self, seat: int, end: float, y: float) -> Iterator[Shape]:
        mark_at = self._names_at - MARK_TO_NAME
        if self.rows:
            yield Line(
                ((self._right, end), (mark_at - 8, y)), self._colour(seat), name=f"leader-{seat}"
            )
        yield self._mark(seat, ((mark_at, y),), LABEL_MARK)
        baseline = y + NAME_SIZE * 0.35
        yield Words(
            self._names_at,
            baseline,
            shorten_each(clean(self.names[seat]), NAME_SIZE, self._names_width),
            self.theme.ink,
            room=(self._names_at - 1, y - LABEL_BOX / 2, self._names_width + EDGE, LABEL_BOX),
            name=f"name-{seat}",
        )
        yield Words(
            self._balances_at,
            baseline,
            signed(self._last[seat]),
            self.theme.ink,
            anchor="end",
            bold=True,
            name=f"balance-{seat}",
        )
