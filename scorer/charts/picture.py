"""The pictures of an evening and of a player's year, to be shown around, as PNG.

The font is DejaVu Sans, which comes with matplotlib; letters that it lacks, such as emoji, are left
out. Everything is placed in pixels from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from io import BytesIO
from typing import Any, NamedTuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.patches import FancyBboxPatch

from scorer.charts.drawing import STYLE, draw_line, drawing, mark_style, thin
from scorer.charts.lettering import clean, clusters, in_one, text_width
from scorer.charts.lettering import shorten as shortened
from scorer.charts.names import fitted
from scorer.charts.style import MOST_POINTS, SEAT_MARKS, THEMES, Theme
from scorer.charts.values import Picture, PictureLine

#: Bold letters are wider than the estimate, which is of plain ones.
BOLD = 1.16
FONT = "DejaVu Sans"
MOST_TITLES = 4
ON_PODIUM = 3
#: More than so many off the podium stand in two columns.
IN_A_COLUMN = 2
#: From left to right: the second, the first, the third.
STANDING = (1, 0, 2)
STEPS = (1.0, 0.72, 0.52)
INK_OF_GOLD = {"light": "#8f6410", "dark": "#e7bb62"}
BANDS = {"light": "#a81e1b", "dark": "#ff7a52"}


class Box(NamedTuple):
    """A place in the picture, in pixels from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


class PictureLayout(NamedTuple):
    """The size of a picture, and where its parts are; ``letter`` is the height of its letters."""

    size: tuple[int, int]
    heading: Box
    podium: Box
    rest: Box
    chart: Box
    titles: Box
    letter: float


LAYOUTS = {
    "tall": PictureLayout(
        size=(1080, 1350),
        heading=Box(64, 56, 952, 112),
        podium=Box(64, 196, 952, 400),
        rest=Box(64, 624, 952, 230),
        chart=Box(64, 640, 952, 400),
        titles=Box(64, 1078, 952, 200),
        letter=30,
    ),
    "wide": PictureLayout(
        size=(1200, 630),
        heading=Box(48, 40, 1104, 84),
        podium=Box(48, 150, 500, 420),
        rest=Box(596, 150, 556, 180),
        chart=Box(596, 156, 556, 230),
        titles=Box(596, 412, 556, 160),
        letter=23,
    ),
}
MOST_FACTS = 5
YEAR = LAYOUTS["tall"]._replace(
    chart=Box(64, 216, 952, 420), titles=Box(64, 690, 952, 600), letter=36
)


class Sheet:
    """A picture being drawn, on axes that count pixels from its upper left corner."""

    def __init__(self, layout: PictureLayout, theme: Theme) -> None:
        self.layout, self.theme = layout, theme
        width, height = layout.size
        self.figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor=theme.ground)
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        self.axes.set_axis_off()
        self.box(Box(0, 0, width, 14), BANDS[theme.name])

    def text(
        self, at: tuple[float, float], words: str, size: float, width: float, **style: Any
    ) -> None:
        """Write words on a baseline, cut where they don't fit the width."""
        wide = BOLD if style.get("weight") == "bold" else 1
        shown = shortened(words, size * wide, width)
        self.axes.text(*at, shown, fontsize=size, **{"color": self.theme.ink, **style})

    def box(self, box: Box, colour: str, rounded: float = 0) -> None:
        self.axes.add_patch(
            FancyBboxPatch(
                (box.left + rounded, box.top + rounded),
                box.width - 2 * rounded,
                box.height - 2 * rounded,
                boxstyle=f"round,pad={rounded}",
                linewidth=0,
                facecolor=colour,
            )
        )

    def mark(self, axes: Axes, at: tuple[float, float], line: PictureLine, size: float) -> None:
        seat = line.mark % len(SEAT_MARKS)
        style = mark_style(SEAT_MARKS[seat], size, self.theme.seats[seat])
        draw_line(axes, at[:1], at[1:], **style | {"markeredgewidth": 0})


def evening_chart(picture: Picture, *, shape: str = "tall", theme: str = "light") -> bytes:
    """Draw the picture as PNG: 1080×1350 pixels where it is ``tall``, 1200×630 where ``wide``."""
    return _as_png(draw, picture, LAYOUTS[shape], THEMES[theme])


def year_chart(picture: Picture, *, theme: str = "light") -> bytes:
    """Draw a player's year as PNG of 1080×1350 pixels: the balance, and the titles below it."""
    return _as_png(draw_year, picture, YEAR, THEMES[theme])


def _as_png(
    drawn: Callable[[Sheet, Picture], None], picture: Picture, layout: PictureLayout, theme: Theme
) -> bytes:
    with drawing, rc_context(STYLE):
        sheet, png = Sheet(layout, theme), BytesIO()
        drawn(sheet, picture)
        sheet.figure.savefig(png, metadata={"Software": None})
        return png.getvalue()


def draw(sheet: Sheet, picture: Picture) -> None:
    people = picture.people
    _heading(sheet, picture)
    _podium(sheet, people[:ON_PODIUM], picture)
    list_height = _rest(sheet, people[ON_PODIUM:], picture)
    _chart(sheet, picture, list_height)
    _titles(sheet, picture.titles[:MOST_TITLES])


def draw_year(sheet: Sheet, picture: Picture) -> None:
    box, tall = sheet.layout.titles, sheet.layout.letter
    _heading(sheet, picture)
    _chart(sheet, picture, 0)
    gold = {"weight": "bold", "color": INK_OF_GOLD[sheet.theme.name]}
    for count, (name, what) in enumerate(picture.titles[:MOST_FACTS]):
        down = box.top + count * box.height / MOST_FACTS
        sheet.text((box.left, down + tall), known(name), 0.85 * tall, box.width, **gold)
        below = (box.left, down + 2.6 * tall)
        sheet.text(below, known(what), 1.3 * tall, box.width, weight="bold")


def _heading(sheet: Sheet, picture: Picture) -> None:
    box, tall = sheet.layout.heading, sheet.layout.letter
    down = box.top + 1.5 * tall
    room = box.width - 6 * tall
    sheet.text((box.left, down), known(picture.heading), 1.5 * tall, room, weight="bold")
    below = (box.left, down + 1.5 * tall)
    sheet.text(below, known(picture.below), 0.85 * tall, box.width, color=sheet.theme.muted)
    gold = {"color": INK_OF_GOLD[sheet.theme.name], "weight": "bold", "ha": "right"}
    sheet.text((box.left + box.width, down), "scorer", tall, 6 * tall, **gold)


def _podium(sheet: Sheet, first: Sequence[PictureLine], picture: Picture) -> None:
    """Draw the steps of the podium, with the names of the players on them."""
    box, tall = sheet.layout.podium, sheet.layout.letter
    gap = 0.6 * tall
    width = (box.width - 2 * gap) / ON_PODIUM
    room = box.height - 4.4 * tall
    size, names = _names(first, picture.names_format, tall * BOLD, width)
    for column, rank in enumerate(STANDING):
        if rank >= len(first):
            continue
        line, left = first[rank], box.left + column * (width + gap)
        height = STEPS[min(line.place, ON_PODIUM) - 1] * room
        top, middle = box.top + box.height - height, left + width / 2
        seat = sheet.theme.seats[line.mark % len(SEAT_MARKS)]
        sheet.box(Box(left, top, width, height), sheet.theme.grid, rounded=0.4 * tall)
        sheet.box(Box(left + tall, top, width - 2 * tall, 0.22 * tall), seat)
        sheet.mark(sheet.axes, (middle, top - 3.6 * tall), line, 1.5 * tall)
        style = {"ha": "center", "weight": "bold"}
        sheet.text((middle, top - 1.75 * tall), names[rank], size * tall, width, **style)
        sheet.text((middle, top - 0.55 * tall), picture.figure(line), tall, width, ha="center")
        place = (middle, top + min(height / 2 + 0.7 * tall, 3 * tall))
        colour = INK_OF_GOLD[sheet.theme.name] if line.place == 1 else sheet.theme.muted
        sheet.text(place, str(line.place), 2 * tall, width, **style, color=colour)


def _rest(sheet: Sheet, people: Sequence[PictureLine], picture: Picture) -> float:
    """List everybody who is not on the podium, many without money; give the height it takes."""
    box, tall = sheet.layout.rest, 0.85 * sheet.layout.letter
    columns = 2 if len(people) > IN_A_COLUMN else 1
    row, width = 1.75 * tall, box.width / columns
    figures = [picture.figure(line) if columns == 1 else picture.points(line) for line in people]
    most = 0.68 * tall * BOLD * max(map(len, figures), default=0) + 3.5 * tall
    room = width - most - (tall if columns > 1 else 0)
    size, names = _names(people, picture.names_format, tall, room)
    for count, line in enumerate(people):
        left = box.left + count % columns * width
        down = box.top + (count // columns + 0.8) * row
        right = left + width - (tall if columns > 1 else 0)
        sheet.text((left, down), str(line.place), tall, 1.6 * tall, color=sheet.theme.muted)
        sheet.mark(sheet.axes, (left + 2.2 * tall, down - 0.36 * tall), line, 0.9 * tall)
        sheet.text((left + 3.1 * tall, down), names[count], size * tall, room)
        sheet.text((right, down), figures[count], tall, width, ha="right", weight="bold")
    return -(-len(people) // columns) * row


def _chart(sheet: Sheet, picture: Picture, list_height: float) -> None:
    """Draw the balances in the room that the list leaves, with a mark at the end of each."""
    box, tall, people = sheet.layout.chart, sheet.layout.letter, picture.people
    deals = max(len(line.running) for line in people) - 1
    if box.height - list_height < 3 * tall or deals < 1:
        return
    values = [value for line in people for value in line.running]
    width, height = sheet.layout.size
    room = box.height - list_height - tall
    bottom = height - box.top - list_height - tall / 2 - room
    axes = sheet.figure.add_axes(
        (box.left / width, bottom / height, (box.width - tall) / width, room / height),
        xlim=(0, deals),
        ylim=(min(0, *values), max(0, *values, 1)),
    )
    axes.set_axis_off()
    if picture.lower_is_better:
        axes.invert_yaxis()
    draw_line(axes, [0, deals], [0, 0], color=sheet.theme.zero, linewidth=2)
    for line in reversed(people):
        kept = thin(line.running, MOST_POINTS)
        colour = sheet.theme.seats[line.mark % len(SEAT_MARKS)]
        heights = [line.running[place] for place in kept]
        draw_line(axes, kept, heights, color=colour, linewidth=0.12 * tall)
        sheet.mark(axes, (kept[-1], heights[-1]), line, 0.7 * tall)


def _titles(sheet: Sheet, titles: Sequence[tuple[str, str]]) -> None:
    box, tall = sheet.layout.titles, 0.85 * sheet.layout.letter
    row = box.height / MOST_TITLES
    names = [known(name) for name, _ in titles]
    widest = max((text_width(name, tall * BOLD) for name in names), default=0)
    room = min(widest + tall, 0.6 * box.width)
    for count, (name, (_, whom)) in enumerate(zip(names, titles, strict=True)):
        down = box.top + (count + 0.62) * row
        gold = {"weight": "bold", "color": INK_OF_GOLD[sheet.theme.name]}
        sheet.text((box.left, down), name, tall, room - tall / 2, **gold)
        sheet.text((box.left + room, down), known(whom), tall, box.width - room)


def _names(
    people: Sequence[PictureLine], names_format: str, size: float, width: float
) -> tuple[float, list[str]]:
    """Return the text and the relative size of the name of each line, so that all fit."""
    sides = [[known(name) for name in line.names] for line in people]
    wholes = [in_one(side, names_format) for side in sides]
    width_of = partial(text_width, size=size)
    if all(0.8 * width_of(whole) <= width for whole in wholes):
        fit = fitted(wholes, width, width_of)
        return fit.size, [fit.written[whole] for whole in wholes]
    most = max(map(len, sides))
    room = (width - width_of(in_one([""] * most, names_format))) / most
    fit = fitted([name for side in sides for name in side], room, width_of)
    written = [[fit.written[name] for name in side] for side in sides]
    return fit.size, [in_one(side, names_format) for side in written]


def known(text: str) -> str:
    """Return a text without the letters that the font lacks; if it lacks all, a box for each."""
    has, words = _letters(), clean(text)
    kept = "".join(
        cluster for cluster in clusters(words) if all(ord(letter) in has for letter in cluster)
    )
    return " ".join(kept.split()) or "□" * len(list(clusters(words)))


@cache
def _letters() -> frozenset[int]:
    return frozenset(get_font(findfont(FONT)).get_charmap())
