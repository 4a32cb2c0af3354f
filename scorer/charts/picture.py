"""The pictures of an evening and of a player's year, to be shown around, as PNG.

The font is DejaVu Sans, which comes with matplotlib; letters that it lacks, such as emoji, are left
out. Everything is placed in pixels from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Text

from scorer.charts.drawing import FONT, drawing, mark_style
from scorer.charts.style import THEMES, Theme, clusters, in_one
from scorer.charts.values import Picture, PictureLine
from scorer.typed_text import one_line

MOST_TITLES, MOST_FACTS = 4, 5
ON_PODIUM = 3
#: More than so many off the podium stand in two columns.
IN_A_COLUMN = 2
#: From left to right: the second, the first, the third.
STANDING = (1, 0, 2)
STEPS = (1.0, 0.72, 0.52)


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
YEAR = LAYOUTS["tall"]._replace(
    chart=Box(64, 216, 952, 420), titles=Box(64, 690, 952, 600), letter=36
)


class Sheet:
    """A picture being drawn, on axes that count pixels from its upper left corner."""

    def __init__(self, layout: PictureLayout, theme: Theme) -> None:
        self.layout, self.theme = layout, theme
        width, height = layout.size
        self.figure = Figure((width / 72, height / 72))
        FigureCanvasAgg(self.figure)  # measures texts
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        self.axes.set_axis_off()
        self.box(Box(0, 0, width, 14), theme.band)

    def text(
        self, at: tuple[float, float], words: str, size: float, width: float, **style: Any
    ) -> Text:
        """Write words on a baseline, smaller where they don't fit the width."""
        style = {"fontsize": size, "color": self.theme.ink, **style}
        text = self.axes.text(*at, known(words), **style)
        text.set_fontsize(size * min(1, width / max(1, text.get_window_extent().width)))
        return text

    def box(self, box: Box, colour: str, rounded: float = 0) -> None:
        corner = box.left + rounded, box.top + rounded
        width, height = box.width - 2 * rounded, box.height - 2 * rounded
        shape = f"round,pad={rounded}"
        self.axes.add_patch(FancyBboxPatch(corner, width, height, shape, fc=colour, lw=0))

    def mark(self, at: tuple[float, float], line: PictureLine, size: float) -> None:
        style = mark_style(line.mark, size, self.theme)
        self.axes.plot(*at, **style | {"markeredgewidth": 0})


def evening_chart(picture: Picture, *, shape: str = "tall", theme: str = "light") -> bytes:
    """Draw the picture as PNG: 1080×1350 pixels where it is ``tall``, 1200×630 where ``wide``."""
    return _as_png(draw, picture, LAYOUTS[shape], THEMES[theme])


def year_chart(picture: Picture, *, theme: str = "light") -> bytes:
    """Draw a player's year as PNG of 1080×1350 pixels: the balance, and the titles below it."""
    return _as_png(draw_year, picture, YEAR, THEMES[theme])


def _as_png(
    drawn: Callable[[Sheet, Picture], None], picture: Picture, layout: PictureLayout, theme: Theme
) -> bytes:
    with drawing(theme):
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
    gold = {"weight": "bold", "color": sheet.theme.gold}
    for count, (name, what) in enumerate(picture.titles[:MOST_FACTS]):
        down = box.top + count * box.height / MOST_FACTS
        sheet.text((box.left, down + tall), name, 0.85 * tall, box.width, **gold)
        sheet.text((box.left, down + 2.6 * tall), what, 1.3 * tall, box.width, weight="bold")


def _heading(sheet: Sheet, picture: Picture) -> None:
    box, tall = sheet.layout.heading, sheet.layout.letter
    down, right = box.top + 1.5 * tall, box.left + box.width
    room, muted = box.width - 6 * tall, sheet.theme.muted
    sheet.text((box.left, down), picture.heading, 1.5 * tall, room, weight="bold")
    sheet.text((box.left, down + 1.5 * tall), picture.below, 0.85 * tall, box.width, color=muted)
    gold = {"color": sheet.theme.gold, "weight": "bold", "ha": "right"}
    sheet.text((right, down), "scorer", tall, 6 * tall, **gold)


def _podium(sheet: Sheet, first: Sequence[PictureLine], picture: Picture) -> None:
    """Draw the steps of the podium, with the players on them, partners below each other."""
    box, tall = sheet.layout.podium, sheet.layout.letter
    rows = max(len(line.names) for line in first)
    gap, room = 0.6 * tall, box.height - (3.2 + 1.2 * rows) * tall
    width, names = (box.width - 2 * gap) / ON_PODIUM, []
    for column, rank in enumerate(STANDING):
        if rank >= len(first):
            continue
        line, left = first[rank], box.left + column * (width + gap)
        height = STEPS[min(line.place, ON_PODIUM) - 1] * room
        top, middle = box.top + box.height - height, left + width / 2
        sheet.box(Box(left, top, width, height), sheet.theme.grid, rounded=0.4 * tall)
        edge = Box(left + tall, top, width - 2 * tall, 0.22 * tall)
        sheet.box(edge, sheet.theme.seats[line.mark])
        style = {"ha": "center", "weight": "bold"}
        for row, name in enumerate(reversed(line.names)):
            at = middle, top - (1.75 + 1.2 * row) * tall
            names.append(sheet.text(at, name, tall, width, **style))
        sheet.mark((middle, top - (2.4 + 1.2 * len(line.names)) * tall), line, 1.5 * tall)
        sheet.text((middle, top - 0.55 * tall), picture.figure(line), tall, width, ha="center")
        style["color"] = sheet.theme.gold if line.place == 1 else sheet.theme.muted
        down = top + min(height / 2 + 0.7 * tall, 3 * tall)
        sheet.text((middle, down), str(line.place), 2 * tall, width, **style)
    _alike(names)


def _alike(texts: Sequence[Text]) -> None:
    """Give all texts the smallest size that one of them has."""
    for text in texts:
        text.set_fontsize(min(float(other.get_fontsize()) for other in texts))


def _rest(sheet: Sheet, people: Sequence[PictureLine], picture: Picture) -> float:
    """List everybody who is not on the podium, many without money; give the height it takes."""
    box, tall = sheet.layout.rest, 0.85 * sheet.layout.letter
    columns = 2 if len(people) > IN_A_COLUMN else 1
    row, width, names = 1.75 * tall, box.width / columns, []
    figure_of = picture.figure if columns == 1 else picture.points
    for count, line in enumerate(people):
        left = box.left + count % columns * width
        down, right = box.top + (count // columns + 0.8) * row, left + width - tall * (columns - 1)
        bold = {"ha": "right", "weight": "bold"}
        figure = sheet.text((right, down), figure_of(line), tall, 0.4 * width, **bold)
        room = figure.get_window_extent().x0 - left - 3.6 * tall
        whole = in_one([known(name) for name in line.names], picture.names_format)
        names.append(sheet.text((left + 3.1 * tall, down), whole, tall, room))
        sheet.text((left, down), str(line.place), tall, 1.6 * tall, color=sheet.theme.muted)
        sheet.mark((left + 2.2 * tall, down - 0.36 * tall), line, 0.9 * tall)
    _alike(names)
    return -(-len(people) // columns) * row


def _chart(sheet: Sheet, picture: Picture, list_height: float) -> None:
    """Draw the balances in the room that the list leaves, with a mark at the end of each."""
    box, tall, people = sheet.layout.chart, sheet.layout.letter, picture.people
    room, deals = box.height - list_height - tall, len(people[0].running) - 1
    if room < 2 * tall or deals < 1:
        return
    values = [0, *(value for line in people for value in line.running)]
    low, high = min(values), max(*values, 1)
    across, top = (box.width - tall) / deals, box.top + list_height + tall / 2

    def at(place: int, value: int) -> tuple[float, float]:
        below = value - low if picture.lower_is_better else high - value
        return box.left + place * across, top + below * room / (high - low)

    zero = zip(at(0, 0), at(deals, 0), strict=True)
    sheet.axes.plot(*zero, color=sheet.theme.zero, linewidth=2)
    for line in reversed(people):
        points = [at(place, value) for place, value in enumerate(line.running)]
        colour = sheet.theme.seats[line.mark]
        sheet.axes.plot(*zip(*points, strict=True), color=colour, linewidth=0.12 * tall)
        sheet.mark(points[-1], line, 0.7 * tall)


def _titles(sheet: Sheet, titles: Sequence[tuple[str, str]]) -> None:
    box, tall = sheet.layout.titles, 0.85 * sheet.layout.letter
    down = [box.top + (count + 0.62) * box.height / MOST_TITLES for count in range(len(titles))]
    gold = {"weight": "bold", "color": sheet.theme.gold}
    names = [
        sheet.text((box.left, at), name, tall, 0.55 * box.width, **gold)
        for at, (name, _) in zip(down, titles, strict=True)
    ]
    left = max((name.get_window_extent().x1 for name in names), default=0) + tall
    for at, (_, whom) in zip(down, titles, strict=True):
        sheet.text((left, at), whom, tall, box.left + box.width - left)


def known(text: str) -> str:
    """Return a text without the letters that the font lacks; if it lacks all, a box for each."""
    has, words = get_font(findfont(FONT)).get_char_index, clusters(one_line(text))
    kept = "".join(cluster for cluster in words if all(has(ord(letter)) for letter in cluster))
    return " ".join(kept.split()) or "□" * len(words)
