"""What all charts share: a figure in the colours of a theme, an axis for balances, and the SVG.

A chart is a `matplotlib.figure.Figure` with `Axes`, without pyplot; a point is a CSS pixel. Equal
charts give equal bytes. Settings of matplotlib belong to the process, so threads draw one after the
other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from html import escape
from io import StringIO
from math import ceil
from operator import truediv
from threading import Lock
from typing import Any

from matplotlib import rc_context, rcParamsDefault
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import IdentityTransform, Transform, blended_transform_factory
from matplotlib.typing import RcKeyType

from scorer.charts.lettering import clean, number, text_width
from scorer.charts.style import EDGE, FONTS, INSET, NAME_SIZE, TICK_SIZE, SeatMark, Theme

TICK_GAP = 6  # between a number and its line
TICK_SPACING = 34  # between the lines of the balance axis, at least
BASELINE = 18  # from the lower axis to the foot of its numbers

STYLE: dict[RcKeyType, Any] = {
    **{name: value for name, value in rcParamsDefault.items() if not name.startswith("backend")},
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.linewidth": 1,
    "figure.dpi": 72,
    "figure.subplot.top": 1,
    "font.family": "DejaVu Sans",
    "font.size": NAME_SIZE,
    "grid.linewidth": 1,
    "lines.linewidth": 2,
    "lines.markeredgewidth": 1,
    "lines.solid_capstyle": "round",
    "path.simplify": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "scorer",
    "text.parse_math": False,
    "xtick.bottom": False,
    "xtick.labelsize": TICK_SIZE,
    "xtick.major.pad": BASELINE,
    "xtick.major.size": 0,
    "ytick.labelsize": TICK_SIZE,
    "ytick.left": False,
    "ytick.major.pad": TICK_GAP,
    "ytick.major.size": 0,
}

# Inside of tags only: texts are escaped, so that a name never looks like one.
TAG = re.compile(r"<[^>]+>")
STYLE_OF_MARKS = re.compile(r"<g([^>]*)>\s*(?=<use[^>]*( style=[^>]*)/>)")
NEEDLESS = re.compile(r' id="[\w.]+_\d+"| transform="rotate[^"]*"')  # no text is turned
LENGTH = re.compile(r"\d+\.\d+")

drawing = Lock()


@cache
def _figure(kind: str, theme: Theme) -> Figure:
    """Make the figure of a kind of chart, once: its axes take as long to make as to draw."""
    figure = Figure(label=kind, facecolor=theme.ground)
    figure.add_subplot()
    return figure


@contextmanager
def blank_axes(
    kind: str, size: tuple[int, int], theme: Theme, *, below: int, grid: str = "y"
) -> Iterator[Axes]:
    """Yield empty axes on a figure of a size in CSS pixels, with ``below`` pixels under them.

    Charts of a kind share their axes: a property that one of them sets, each must set.
    """
    width, height = size
    colours: dict[RcKeyType, Any] = {
        "axes.edgecolor": theme.grid,
        "axes.grid.axis": grid,
        "grid.color": theme.grid,
        "lines.markeredgecolor": theme.ground,
        "text.color": theme.ink,
        "xtick.labelcolor": theme.muted,
        "ytick.labelcolor": theme.muted,
    }
    with drawing, rc_context(STYLE | colours):
        figure = _figure(kind, theme)
        (axes,) = figure.axes
        for artist in (*axes.lines, *axes.texts, *axes.collections):
            artist.remove()
        figure.set_size_inches(width / 72, height / 72)
        figure.subplots_adjust(bottom=below / height)
        yield axes


def balance_axis(
    axes: Axes, balances: Iterable[int], theme: Theme, *, lower_is_better: bool
) -> None:
    """Scale the vertical axis for these balances, with lines at zero and at round numbers."""
    scale_axis(axes, {0, *balances})
    if lower_is_better:
        axes.invert_yaxis()
    across = axes.get_yaxis_transform()
    draw_line(axes, [0, 1], [0, 0], transform=across, color=theme.zero, linewidth=1.5, gid="zero")


def scale_axis(axes: Axes, values: Collection[int]) -> None:
    """Scale the vertical axis for these values, with lines at round numbers."""
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    room = axes.bbox.height - 2 * INSET
    inset = (high - low) * INSET / room
    axes.set_ylim(low - inset, high + inset)
    steps = MaxNLocator(int(room / TICK_SPACING), steps=[1, 2, 5, 10], integer=True, min_n_ticks=1)
    ticks = [
        round(tick) for tick in steps.tick_values(low, high) if min(values) <= tick <= max(values)
    ]
    axes.set_yticks(ticks, [number(tick) for tick in ticks])


def draw_line(axes: Axes, across: Sequence[float], heights: Sequence[float], **style: Any) -> None:
    """Draw a line or marks; `axes.plot` is slower, as it also looks for the limits of the data."""
    axes.add_artist(Line2D(across, heights, clip_on=False, **style))


def fit_across(axes: Axes, right: float, gap: int = TICK_GAP) -> None:
    """Fit the axes between the labels of the vertical axis and the pixel `right`."""
    labels = [tick.label1 for tick in axes.yaxis.get_major_ticks()]
    widest = max(text_width(label.get_text(), float(label.get_fontsize())) for label in labels)
    left, width = EDGE + ceil(widest) + gap, axes.figure.bbox.width
    axes.figure.subplots_adjust(left=left / width, right=right / width)


def pixel_down(axes: Axes) -> float:
    low, high = axes.get_ylim()
    return (low - high) / axes.bbox.height


def pixels_across(axes: Axes) -> Transform:
    """Return coordinates: pixels from the left of the figure, and values of the vertical axis."""
    return blended_transform_factory(IdentityTransform(), axes.transData)


def mark_style(mark: SeatMark, size: float, colour: str) -> dict[str, Any]:
    """Return the arguments of `axes.plot` for marks without a line; ``size`` is in pixels."""
    upwards = [(x, -y) for x, y in mark.corners]
    return {
        "linestyle": "none",
        "marker": Path([*upwards, upwards[0]], closed=True) if upwards else "o",
        "markersize": size * mark.reach / 12,
        "markerfacecolor": colour,
        "markeredgewidth": min(1, max(0, (size - 7) / 2)),
        "zorder": 3,
    }


class SvgRenderer(RendererSVG):
    """Matplotlib's writer of SVG, with text measured by estimate.

    The fonts of this machine may lack letters of a name, and readers have others.
    """

    def get_text_width_height_descent(
        self,
        s: str,
        prop: FontProperties,
        ismath: object,  # noqa: ARG002 - matplotlib's
    ) -> tuple[float, float, float]:
        size = prop.get_size_in_points()
        return text_width(s, size), size, 0.25 * size


def to_svg(axes: Axes, title: str, description: str) -> bytes:
    """Write the figure as SVG, with a title and a description for a screen reader."""
    drawn, figure = StringIO(), axes.figure
    width, height = round(figure.bbox.width), round(figure.bbox.height)
    renderer = SvgRenderer(width, height, drawn, metadata={"Date": None})  # type: ignore[no-untyped-call]  # no stub
    figure.draw(renderer)
    renderer.finalize()  # type: ignore[no-untyped-call]  # no stub
    picture = drawn.getvalue()
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="{FONTS}" font-variant="tabular-nums" stroke-linejoin="round">\n'
        f"<title>{escape(clean(title))}</title>\n<desc>{escape(clean(description))}</desc>\n"
    )
    body = STYLE_OF_MARKS.sub(r"<g\1\2>", picture[picture.index('<g id="figure_1"') :])
    return (head + TAG.sub(_tidied, body)).encode()


def _tidied(tag: re.Match[str]) -> str:
    """Shorten a tag, without style attributes, which the content security policy refuses."""
    kept = NEEDLESS.sub("", tag[0])
    plain = re.sub('style="([^"]*)"', "" if kept.startswith("<use") else _attributes, kept)
    return LENGTH.sub(lambda length: f"{float(length[0]):.1f}".removesuffix(".0"), plain)


def _attributes(style: re.Match[str]) -> str:
    """Return a style as attributes, without the font, which is that of the whole picture."""
    pairs = (declaration.split(": ") for declaration in style[1].split("; "))
    return " ".join(f'{name}="{value}"' for name, value in pairs if name != "font-family")


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
    """Choose the points of a line to draw: at most `most`, keeping ends and peaks."""
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
