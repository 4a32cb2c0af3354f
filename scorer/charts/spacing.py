"""What matplotlib has no rule for: which deals to number, labels pushed apart, lines told apart."""

from __future__ import annotations

from operator import truediv
from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

if TYPE_CHECKING:
    from collections.abc import Sequence


def deal_ticks(first: int, last: int, spacing: float) -> list[int]:
    """Return the deals to number, `spacing` apart: the last, round ones, the first if it fits.

    The axis begins one deal before the first.
    """
    most = max(1, int((last - first + 1) / spacing))
    steps = MaxNLocator(most, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1)
    round_ones = (round(tick) for tick in steps.tick_values(first - 1, last))
    ticks = [*(tick for tick in round_ones if first <= tick <= last - spacing), last]
    return [first, *ticks] if first + spacing <= ticks[0] else ticks


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Push places apart until each is `gap` from the next, moving as little as possible.

    Order is kept, equal places in the order given; the answer stays between low and high as long as
    that many gaps fit in.

    >>> spread([1, 1, 8], gap=2, low=0, high=10)
    [0, 2, 8.0]
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    blocks: list[list[float]] = []  # [sum of the wanted first places, how many]
    for rank, index in enumerate(order):
        blocks.append([wanted[index] - rank * gap, 1])
        while len(blocks) > 1 and truediv(*blocks[-2]) >= truediv(*blocks[-1]):
            total, count = blocks.pop()
            blocks[-1] = [blocks[-1][0] + total, blocks[-1][1] + count]
    firsts = [truediv(*block) for block in blocks for _ in range(int(block[1]))]
    ceiling = high - gap * (len(wanted) - 1)
    places = [0.0] * len(wanted)
    for rank, index in enumerate(order):
        places[index] = max(low, min(firsts[rank], ceiling)) + rank * gap
    return places


def thin(heights: Sequence[float], most: int) -> list[int]:
    """Tell which points of a line to draw: at most `most`, with the ends and no peak lost."""
    if len(heights) <= most:
        return list(range(len(heights)))
    buckets = max(1, (most - 2) // 2)
    edges = [1 + (len(heights) - 2) * index // buckets for index in range(buckets + 1)]
    kept = [0]
    for bucket in map(range, edges, edges[1:]):
        kept += sorted({min(bucket, key=heights.__getitem__), max(bucket, key=heights.__getitem__)})
    return [*kept, len(heights) - 1]


def side_by_side(lines: Sequence[Sequence[float]], apart: float) -> list[list[float]]:
    """Move lines that run over each other apart, as parallel tracks around the true one.

    A line is its heights at the same places as the others. Lines that only cross stay.
    """
    moved = [list(line) for line in lines]
    for index, heights in enumerate(zip(*lines, strict=True)):
        for height in set(heights):
            group = [which for which, at in enumerate(heights) if at == height]
            together = [which for which in group if _has_company(lines, which, group, index)]
            for rank, which in enumerate(together):
                moved[which][index] += (rank - (len(together) - 1) / 2) * apart
    return moved


def _has_company(
    lines: Sequence[Sequence[float]], which: int, group: list[int], index: int
) -> bool:
    beside = [at for at in (index - 1, index + 1) if 0 <= at < len(lines[which])]
    others = [other for other in group if other != which]
    return any(lines[other][at] == lines[which][at] for at in beside for other in others)
