"""What all charts share: a figure in the colours of a theme, an axis for balances, and the SVG.

A chart is a `matplotlib.figure.Figure` with `Axes`, without pyplot; a point is a CSS pixel. Equal
charts give equal bytes.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import accumulate
from math import ceil
from operator import eq
from threading import Lock
from typing import Any, Literal
from xml.etree import ElementTree as ET

from matplotlib import rc_context, rcParamsDefault
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator
from matplotlib.typing import RcKeyType

from scorer.charts.style import (
    CIRCLE,
    EDGE,
    FIGURE,
    NAME_SIZE,
    SEAT_MARKS,
    TICK_SIZE,
    Theme,
    corners,
    letters,
    number,
)
from scorer.typed_text import one_line

FONT = "DejaVu Sans"
TICK_GAP = 6  # between a number and its line
TICK_SPACING = 34  # between the lines of the balance axis, at least
TICK_ROW = 26  # for the numbers below
INSET = 14  # free space above the highest and below the lowest balance
MOST_POINTS = 200  # of a line
BASELINE = 18  # from the lower axis to the foot of its numbers
FONTS = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
)

STYLE: dict[RcKeyType, Any] = {
    **{name: value for name, value in rcParamsDefault.items() if not name.startswith("backend")},
    "axes.facecolor": "none",
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.linewidth": 1,
    "figure.dpi": 72,
    "figure.subplot.top": 1,
    "font.family": FONT,
    "font.size": NAME_SIZE,
    "grid.linewidth": 1,
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
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
ET.register_namespace("", SVG)
ET.register_namespace("xlink", XLINK)

_drawing = Lock()


@contextmanager
def drawing(theme: Theme) -> Iterator[None]:
    """Draw in a theme: settings and warnings belong to the process, so threads take turns."""
    colours: dict[RcKeyType, Any] = {
        "axes.edgecolor": theme.grid,
        "figure.facecolor": theme.ground,
        "grid.color": theme.grid,
        "lines.markeredgecolor": theme.ground,
        "text.color": theme.ink,
        "xtick.labelcolor": theme.muted,
        "ytick.labelcolor": theme.muted,
    }
    with _drawing, rc_context(STYLE | colours), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # the reader's has it
        yield


@contextmanager
def blank_axes(
    size: tuple[int, int], theme: Theme, *, footer: int = 0, grid: Literal["x", "y"] = "y"
) -> Iterator[Axes]:
    """Yield empty axes on a figure of a size in CSS pixels, above numbers and a footer."""
    width, height = size
    with drawing(theme):
        axes = Figure((width / 72, height / 72)).add_subplot()
        axes.figure.subplots_adjust(bottom=(TICK_ROW + footer) / height)
        axes.grid(axis=grid)
        yield axes


def balance_axis(axes: Axes, balances: Iterable[int], theme: Theme, *, upside_down: bool) -> None:
    """Scale the vertical axis for these balances, with a line at zero."""
    scale_axis(axes, {0, *balances})
    if upside_down:
        axes.invert_yaxis()
    axes.axhline(0, color=theme.zero, linewidth=1.5, clip_on=False, gid="zero")


def scale_axis(axes: Axes, values: Collection[int]) -> None:
    """Scale the vertical axis for these values, with lines at round numbers."""
    low, high = min(values), max(values)
    ends = (low, high) if low < high else (low - 1, high + 1)
    room = axes.bbox.height - 2 * INSET
    inset = (ends[1] - ends[0]) * INSET / room
    axes.set_ylim(ends[0] - inset, ends[1] + inset)
    ticks = [tick for tick in round_numbers(*ends, room / TICK_SPACING) if low <= tick <= high]
    axes.set_yticks(ticks, [number(tick) for tick in ticks])


def round_numbers(low: int, high: int, most: float) -> list[int]:
    """Choose round numbers that reach from one to the other, about so many."""
    locator = MaxNLocator(max(1, int(most)), steps=[1, 2, 5, 10], integer=True, min_n_ticks=1)
    return [round(tick) for tick in locator.tick_values(low, high)]


def fit_across(axes: Axes, right: float, gap: int = TICK_GAP, letter: float = FIGURE) -> None:
    """Fit the axes between the labels of the vertical axis and the pixel `right`."""
    widest = max(letters(label.get_text()) for label in axes.get_yticklabels())
    left, width = EDGE + ceil(widest * letter) + gap, axes.figure.bbox.width
    axes.figure.subplots_adjust(left=left / width, right=right / width)


def plot_line(
    axes: Axes, across: Sequence[int], heights: Sequence[float], colour: str, gid: str
) -> None:
    """Draw a line, thinner where points of it are left out."""
    drawn = thin(heights)
    points = [[values[place] for place in drawn] for values in (across, heights)]
    width = 2 if len(drawn) == len(heights) else 1.5
    axes.plot(*points, color=colour, linewidth=width, clip_on=False, gid=gid)


def mark_style(seat: int, size: float, theme: Theme) -> dict[str, Any]:
    """Return the arguments of `axes.plot` for the marks of a seat; ``size`` is in pixels."""
    points = corners(SEAT_MARKS[seat])
    upwards = [(x, -y) for x, y in points]
    reach = max((abs(value) for point in points for value in point), default=CIRCLE)
    return {
        "linestyle": "none",
        "marker": Path([*upwards, upwards[0]], closed=True) if upwards else "o",
        "markersize": size * reach / 12,
        "markerfacecolor": theme.seats[seat],
        "markeredgewidth": min(1, max(0, (size - 7) / 2)),
        "clip_on": False,
        "zorder": 3,
    }


def to_svg(axes: Axes, title: str, description: str) -> bytes:
    """Write the figure as SVG, with a title and a description for a screen reader.

    The content security policy refuses inline style, so each declaration becomes an attribute: of
    all marks of a line together. The font is that of the reader.
    """
    drawn, (width, height) = BytesIO(), map(round, axes.figure.bbox.size)
    axes.figure.get_figure(root=True).savefig(drawn, format="svg", metadata=NO_METADATA)
    picture = ET.fromstring(drawn.getvalue())  # noqa: S314 - written by the line above
    picture.remove(picture[0])  # the style sheet
    for parent in [*picture.iter()]:
        for element in parent:
            pairs = (pair.split(": ") for pair in element.attrib.pop("style", "").split("; "))
            style = {pair[0]: pair[-1] for pair in pairs if pair[0] not in {"", "font-family"}}
            (parent if element.tag == f"{{{SVG}}}use" else element).attrib.update(style)
    picture.attrib = {
        "width": f"{width}",
        "height": f"{height}",
        "viewBox": f"0 0 {width} {height}",
        "role": "img",
        "font-family": FONTS,
        "font-variant": "tabular-nums",
        "stroke-linejoin": "round",
    }
    for tag, text in (("desc", description), ("title", title)):
        picture.insert(0, ET.Element(f"{{{SVG}}}{tag}"))
        picture[0].text = one_line(text)
    return ET.tostring(picture, "unicode").encode()


def deal_ticks(first: int, last: int, spacing: float) -> list[int]:
    """Return the deals to number, `spacing` apart: the last, round ones, the first if it fits.

    The axis begins one deal before the first.
    """
    round_ones = round_numbers(first - 1, last, (last - first + 1) / spacing)
    ticks = [*(tick for tick in round_ones if first <= tick <= last - spacing), last]
    return [first, *ticks] if first + spacing <= ticks[0] else ticks


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Push places apart until each is `gap` from the next, as much down as up.

    Order is kept, equal places in the order given; the answer stays between low and high as long as
    that many gaps fit in.

    >>> spread([1.0, 1.0, 8.0], gap=2, low=0.0, high=10.0)
    [0.0, 2.0, 8.0]
    """
    order, last = sorted(range(len(wanted)), key=wanted.__getitem__), len(wanted) - 1
    gap = min(gap, (high - low) / max(1, last))
    places = [wanted[index] for index in order]
    down = accumulate(places, lambda above, place: max(above + gap, place))
    up = [*accumulate(reversed(places), lambda below, place: min(below - gap, place))]
    apart = [0.0] * len(wanted)
    for rank, (index, *both) in enumerate(zip(order, down, reversed(up), strict=True)):
        place = min(sum(both) / 2, high - (last - rank) * gap)
        apart[index] = max(low + rank * gap, place)
    return apart


def thin(heights: Sequence[float]) -> list[int]:
    """Choose the points of a line to draw: at most `MOST_POINTS`, keeping ends and peaks."""
    count = len(heights)
    if count <= MOST_POINTS:
        return [*range(count)]
    step = ceil(2 * count / (MOST_POINTS - 2))
    stretches = [range(at, min(at + step, count)) for at in range(0, count, step)]
    peaks = (choose(at, key=heights.__getitem__) for at in stretches for choose in (min, max))
    return sorted({0, *peaks, count - 1})


def side_by_side(lines: Sequence[Sequence[float]], apart: float) -> list[list[float]]:
    """Move lines that run over each other apart, as parallel tracks around the true one.

    A line is its heights at the same places as the others. Lines that only cross stay.
    """
    moved, last = [list(line) for line in lines], len(lines[0]) - 1
    for place in range(last + 1):
        steps = [slice(at, at + 2) for at in (place - 1, place) if 0 <= at < last]
        paths = [[line[step] for step in steps] for line in lines]
        for seat, path in enumerate(paths):
            group = [other for other, beside in enumerate(paths) if any(map(eq, path, beside))]
            moved[seat][place] += (group.index(seat) - (len(group) - 1) / 2) * apart
    return moved
