"""Where things go: numbers to pixels, ticks, labels pushed apart, long lines thinned."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight line from numbers (low to high) to pixels (start to stop)."""

    low: int
    high: int
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        """Give the pixel of a number."""
        return self.start + (value - self.low) * self.unit

    @property
    def unit(self) -> float:
        """How many pixels one is worth; negative where the axis runs upwards."""
        return (self.stop - self.start) / (self.high - self.low)

    def ticks(self, spacing: float) -> list[int]:
        """Give round whole numbers within the scale, that many pixels apart or more."""
        step = _round_step(spacing / abs(self.unit))
        return list(range(-(-self.low // step) * step, self.high + 1, step))


def _round_step(least: float) -> int:
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power >= least:
                return factor * power
        power *= 10


def deal_ticks(scale: Scale, first: int, spacing: float) -> list[int]:
    """Give the deals to number: the last, the round ones clear of it, and the first if it fits."""
    last = scale.high
    nearest = scale(last) - spacing
    round_ones = [tick for tick in scale.ticks(spacing) if tick >= first and scale(tick) <= nearest]
    ticks = [*round_ones, last]
    return [first, *ticks] if scale(first) + spacing <= scale(ticks[0]) else ticks


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Push places apart until each is `gap` from the next, moving as little as possible.

    Order is kept, equal places in the order given; the answer stays between low and high as long as
    that many gaps fit in.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    blocks: list[list[float]] = []  # [sum of the wanted first places, how many]
    for rank, index in enumerate(order):
        blocks.append([wanted[index] - rank * gap, 1])
        while len(blocks) > 1 and _place(blocks[-2]) >= _place(blocks[-1]):
            total, count = blocks.pop()
            blocks[-1] = [blocks[-1][0] + total, blocks[-1][1] + count]
    firsts = [_place(block) for block in blocks for _ in range(int(block[1]))]
    ceiling = high - gap * (len(wanted) - 1)
    places = [0.0] * len(wanted)
    for rank, index in enumerate(order):
        places[index] = max(low, min(firsts[rank], ceiling)) + rank * gap
    return places


def _place(block: list[float]) -> float:
    return block[0] / block[1]


def thin(points: Sequence[Point], most: int) -> list[Point]:
    """Keep the ends and each bucket's lowest and highest point: at most `most`, no peak lost."""
    if len(points) <= most:
        return list(points)
    inner = points[1:-1]
    buckets = max(1, (most - 2) // 2)
    edges = [len(inner) * index // buckets for index in range(buckets + 1)]
    kept = [points[0]]
    for start, stop in pairwise(edges):
        bucket = range(start, stop)
        low = min(bucket, key=lambda index: inner[index][1])
        high = max(bucket, key=lambda index: inner[index][1])
        kept += [inner[index] for index in sorted({low, high})]
    return [*kept, points[-1]]


def side_by_side(lines: Sequence[Sequence[Point]], apart: float) -> list[list[Point]]:
    """Move lines that run over each other apart, as parallel tracks around the true one.

    All lines have a point at the same places. Lines that only cross are left as they are.
    """
    moved = [list(line) for line in lines]
    for index in range(len(lines[0])):
        tracks: dict[float, list[int]] = {}
        for which, line in enumerate(lines):
            tracks.setdefault(line[index][1], []).append(which)
        for y, group in tracks.items():
            together = [which for which in group if _has_company(lines, which, group, index)]
            for rank, which in enumerate(together):
                offset = (rank - (len(together) - 1) / 2) * apart
                moved[which][index] = (lines[which][index][0], y + offset)
    return moved


def _has_company(
    lines: Sequence[Sequence[Point]], which: int, group: list[int], index: int
) -> bool:
    neighbours = [at for at in (index - 1, index + 1) if 0 <= at < len(lines[which])]
    return any(
        lines[other][at][1] == lines[which][at][1]
        for at in neighbours
        for other in group
        if other != which
    )
