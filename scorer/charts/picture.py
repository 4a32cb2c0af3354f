"""The pictures of an evening, of a player's year and of two players, to be shown around, as PNG.

The font is DejaVu Sans, which comes with matplotlib; letters that it lacks, such as emoji, are left
out. Everything is placed in pixels from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, NamedTuple, TypeVar

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Text

from scorer.charts.drawing import FONT, drawing, mark_style
from scorer.charts.style import THEMES, Theme, in_one
from scorer.charts.values import Duel, Picture, PictureLine, Year
from scorer.typed_text import clusters, one_line

MOST_TITLES, MOST_FACTS, MOST_BOTH = 4, 6, 5
ON_PODIUM = 3
WIDEST_BAR = 60
#: More than so many off the podium stand in two columns.
IN_A_COLUMN = 2
#: From left to right: the second, the first, the third.
STANDING = (1, 0, 2)
STEPS = (1.0, 0.72, 0.52)
BIG = {"ha": "center", "weight": "bold"}

Shown = TypeVar("Shown")


class Box(NamedTuple):
    """A place in the picture, in pixels from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


class PictureLayout(NamedTuple):
    """The size of a picture, and where its parts are; ``letter`` is the height of its letters."""

    size: tuple[int, int]
    letter: float
    heading: Box
    podium: Box
    lower: Box  # a list and a chart
    facts: Box


LAYOUTS = {
    "tall": PictureLayout(
        size=(1080, 1350),
        letter=30,
        heading=Box(64, 56, 952, 112),
        podium=Box(64, 196, 952, 400),
        lower=Box(64, 624, 952, 416),
        facts=Box(64, 1078, 952, 200),
    ),
    "wide": PictureLayout(
        size=(1200, 630),
        letter=23,
        heading=Box(48, 40, 1104, 84),
        podium=Box(48, 150, 500, 420),
        lower=Box(596, 150, 556, 236),
        facts=Box(596, 412, 556, 160),
    ),
}
#: The picture of a year and of a duel: the frame of a playing card, and what stands in it.
CARD = PictureLayout(
    size=(1080, 1350),
    letter=34,
    heading=Box(80, 120, 920, 150),
    podium=Box(80, 290, 920, 190),
    lower=Box(80, 510, 920, 330),
    facts=Box(80, 905, 920, 330),
)


class Canvas:
    """A picture being drawn, on axes that count pixels from its upper left corner."""

    def __init__(self, layout: PictureLayout, theme: Theme) -> None:
        self.layout, self.theme = layout, theme
        width, height = layout.size
        self.figure = Figure((width / 72, height / 72))
        FigureCanvasAgg(self.figure)  # measures texts
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        self.axes.set_axis_off()
        self.box(Box(0, 0, width, 14), theme.band)
        self.muted = {"ha": "center", "color": theme.muted}
        self.gold = {"weight": "bold", "color": theme.gold}

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

    def mark(self, at: tuple[float, float], mark: int, size: float) -> None:
        self.axes.plot(*at, **mark_style(mark, size, self.theme) | {"markeredgewidth": 0})

    def chart(self, box: Box) -> Axes:
        """Return empty axes at a place of the picture, with a line at zero."""
        width, height = self.layout.size
        up = height - box.top - box.height
        bounds = box.left / width, up / height, box.width / width, box.height / height
        axes = self.figure.add_axes(bounds, frame_on=False, xticks=[], yticks=[])
        axes.margins(0)
        axes.axhline(0, color=self.theme.zero, linewidth=2, clip_on=False)
        return axes


def evening_chart(picture: Picture, *, shape: str = "tall", theme: str = "light") -> bytes:
    """Draw the picture as PNG: 1080×1350 pixels where it is ``tall``, 1200×630 where ``wide``."""
    return _as_png(draw, picture, LAYOUTS[shape], THEMES[theme])


def year_chart(year: Year, *, theme: str = "light") -> bytes:
    """Draw a player's year as PNG of 1080×1350 pixels, a playing card."""
    return _as_png(draw_year, year, CARD, THEMES[theme])


def duel_chart(duel: Duel, *, theme: str = "light") -> bytes:
    """Draw two players as PNG of 1080×1350 pixels, a playing card."""
    return _as_png(draw_duel, duel, CARD, THEMES[theme])


def _as_png(
    drawn: Callable[[Canvas, Shown], None], picture: Shown, layout: PictureLayout, theme: Theme
) -> bytes:
    with drawing(theme):
        sheet, png = Canvas(layout, theme), BytesIO()
        drawn(sheet, picture)
        sheet.figure.savefig(png, metadata={"Software": None})
        return png.getvalue()


def draw(sheet: Canvas, picture: Picture) -> None:
    people = picture.people
    _heading(sheet, picture)
    _podium(sheet, people[:ON_PODIUM], picture)
    list_height = _rest(sheet, people[ON_PODIUM:], picture)
    _chart(sheet, picture, list_height)
    _titles(sheet, picture.titles[:MOST_TITLES])


def draw_year(sheet: Canvas, year: Year) -> None:
    box, tall, theme = sheet.layout.podium, sheet.layout.letter, sheet.theme
    _card(sheet, year, year.heading)
    right, low = sheet.layout.size
    for x, y in ((76, 110), (right - 76, low - 76)):
        turned = 180 if y > low / 2 else 0
        style = {"ha": "center", "rotation": turned, **sheet.gold}
        sheet.text((x, y), year.place, tall, 2 * tall, **style)
        sheet.mark((x, y - 1.6 * tall if turned else y + 0.9 * tall), year.mark, tall)
    width = box.width / max(1, len(year.figures))
    for count, (figure, words) in enumerate(year.figures):
        middle = box.left + (count + 0.5) * width
        sheet.text((middle, box.top + 2.4 * tall), figure, 2.4 * tall, 0.9 * width, **BIG)
        below = middle, box.top + 4 * tall
        sheet.text(below, words, 0.8 * tall, 0.95 * width, **sheet.muted)
    best = max(year.months, key=lambda month: -month if year.lower_is_better else month)
    colours = [theme.gold if month == best else theme.seats[year.mark] for month in year.months]
    bars = _bars(sheet, sheet.layout.lower, year.months, colours, year)
    bars.set_xticks(range(len(year.months)), [*year.letters], fontsize=0.8 * tall, va="baseline")
    bars.tick_params(axis="x", pad=1.2 * tall)
    _facts(sheet, year.facts)


def draw_duel(sheet: Canvas, duel: Duel) -> None:
    box, tall, theme = sheet.layout.podium, sheet.layout.letter, sheet.theme
    right, colours = box.left + box.width, [theme.seats[mark] for mark in duel.marks]
    _card(sheet, duel, f"{duel.won[0]} – {duel.won[1]}", 3.2)
    for x, name, mark in zip((box.left + 110, right - 110), duel.names, duel.marks, strict=True):
        sheet.mark((x, box.top - 3.4 * tall), mark, 2 * tall)
        sheet.text((x, box.top - 0.9 * tall), name, 1.1 * tall, 250, **BIG)
    mine, theirs = (max(1, won) for won in duel.won)
    share = box.width * mine / (mine + theirs)
    sheet.box(Box(box.left, box.top + tall, share - 4, 24), colours[0], 10)
    sheet.box(Box(box.left + share + 4, box.top + tall, box.width - share - 4, 24), colours[1], 10)
    sheet.text((540, box.top + 3 * tall), duel.words, 0.8 * tall, box.width, **sheet.muted)
    chart, step = sheet.layout.lower, sheet.layout.lower.width / max(1, len(duel.evenings))
    for seat, top in ((0, chart.top - 70), (1, chart.top + 170)):
        points = [evening[seat] for evening in duel.evenings]
        shown = [colours[seat] if who == seat else f"{colours[seat]}59" for who in duel.ahead]
        _bars(sheet, Box(chart.left, top, chart.width, 180), points, shown, duel)
    for count, who in enumerate(duel.ahead):
        if who is not None:
            at = chart.left + (count + 0.5) * step, chart.top + 140
            sheet.mark(at, duel.marks[who], min(0.7 * step, 0.6 * tall))
    for x, day, side in ((box.left, duel.days[0], "left"), (right, duel.days[1], "right")):
        sheet.text((x, chart.top + 395), day, 0.75 * tall, 400, ha=side, color=theme.muted)
    facts = sheet.layout.facts
    for count, (left, words, other) in enumerate(duel.facts[:MOST_BOTH]):
        down = facts.top + 2 * tall + 1.8 * count * tall
        sheet.text((box.left, down), left, tall, 260, weight="bold")
        sheet.text((540, down), words, 0.8 * tall, 380, **sheet.muted)
        sheet.text((right, down), other, tall, 260, ha="right", weight="bold")


def _card(sheet: Canvas, shown: Year | Duel, heading: str, size: float = 1.7) -> None:
    """Draw the frame of a playing card, with the circle, a heading, and at the foot who made it."""
    (width, height), tall, theme = sheet.layout.size, sheet.layout.letter, sheet.theme
    sheet.box(Box(24, 30, width - 48, height - 54), theme.gold, 36)
    sheet.box(Box(28, 34, width - 56, height - 62), theme.ground, 34)
    box = sheet.layout.heading
    sheet.text((540, box.top), shown.circle, 0.9 * tall, box.width - 200, **sheet.muted)
    sheet.text((540, box.top + (size + 0.4) * tall), heading, size * tall, box.width, **BIG)
    sheet.text((540, height - 60), shown.made_by, 0.75 * tall, box.width, **sheet.muted)


def _bars(
    sheet: Canvas, box: Box, values: Sequence[int], colours: Sequence[str], shown: Year | Duel
) -> Axes:
    """Draw a bar for each value, from zero up or down, and the figure of the best one."""
    tall, count = 1.2 * sheet.layout.letter, len(values)
    axes = sheet.chart(Box(box.left, box.top + tall, box.width, box.height - tall))
    heights = [-value if shown.lower_is_better else value for value in values]
    axes.bar(range(count), heights, min(0.7, WIDEST_BAR * count / box.width), color=colours)
    axes.set(xlim=(-0.5, max(1, count) - 0.5), ylim=(min([0, *heights]), max([1, *heights])))
    best = max(range(count), key=heights.__getitem__, default=0)
    if any(values[best : best + 1]):
        above: Any = {"textcoords": "offset points", "fontsize": 0.67 * tall, **BIG}
        at, figure = (best, max(0, heights[best])), shown.written(values[best])
        axes.annotate(figure, at, (0, tall / 4), annotation_clip=False, **above)
    return axes


def _facts(sheet: Canvas, facts: Sequence[tuple[str, str, str]]) -> None:
    """Write facts in two columns: a name, and below it a figure with a note."""
    box, tall, theme = sheet.layout.facts, sheet.layout.letter, sheet.theme
    for count, (name, figure, note) in enumerate(facts[:MOST_FACTS]):
        left = box.left + count % 2 * box.width / 2
        down, room = box.top + (1.4 + count // 2 * 3.3) * tall, box.width / 2 - tall
        sheet.text((left, down), name, 0.75 * tall, room, color=theme.muted)
        bold = sheet.text((left, down + 1.5 * tall), figure, 1.15 * tall, 0.7 * room, weight="bold")
        end = bold.get_window_extent().x1 + 0.4 * tall
        sheet.text(
            (end, down + 1.5 * tall), note, 0.75 * tall, left + room - end, color=theme.muted
        )


def _heading(sheet: Canvas, picture: Picture) -> None:
    box, tall = sheet.layout.heading, sheet.layout.letter
    down, right = box.top + 1.5 * tall, box.left + box.width
    room, muted = box.width - 6 * tall, sheet.theme.muted
    sheet.text((box.left, down), picture.heading, 1.5 * tall, room, weight="bold")
    sheet.text((box.left, down + 1.5 * tall), picture.below, 0.85 * tall, box.width, color=muted)
    sheet.text((right, down), "scorer", tall, 6 * tall, ha="right", **sheet.gold)


def _podium(sheet: Canvas, first: Sequence[PictureLine], picture: Picture) -> None:
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
        for row, name in enumerate(reversed(line.names)):
            at = middle, top - (1.75 + 1.2 * row) * tall
            names.append(sheet.text(at, name, tall, width, **BIG))
        sheet.mark((middle, top - (2.4 + 1.2 * len(line.names)) * tall), line.mark, 1.5 * tall)
        sheet.text((middle, top - 0.55 * tall), picture.figure(line), tall, width, ha="center")
        colour = sheet.theme.gold if line.place == 1 else sheet.theme.muted
        down = top + min(height / 2 + 0.7 * tall, 3 * tall)
        sheet.text((middle, down), str(line.place), 2 * tall, width, color=colour, **BIG)
    _alike(names)


def _alike(texts: Sequence[Text]) -> None:
    """Give all texts the smallest size that one of them has."""
    for text in texts:
        text.set_fontsize(min(float(other.get_fontsize()) for other in texts))


def _rest(sheet: Canvas, people: Sequence[PictureLine], picture: Picture) -> float:
    """List everybody who is not on the podium, many without money; give the height it takes."""
    box, tall = sheet.layout.lower, 0.85 * sheet.layout.letter
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
        sheet.mark((left + 2.2 * tall, down - 0.36 * tall), line.mark, 0.9 * tall)
    _alike(names)
    return -(-len(people) // columns) * row


def _chart(sheet: Canvas, picture: Picture, list_height: float) -> None:
    """Draw the balances in the room that the list leaves, with a mark at the end of each."""
    box, tall, last = sheet.layout.lower, sheet.layout.letter, len(picture.people[0].running) - 1
    top, height = box.top + list_height + tall, box.height - list_height - 1.5 * tall
    if height < 1.5 * tall or not last:
        return
    axes = sheet.chart(Box(box.left, top, box.width - tall, height))
    for line in reversed(picture.people):
        end = mark_style(line.mark, 0.7 * tall, sheet.theme) | {"markeredgewidth": 0}
        colour = sheet.theme.seats[line.mark]
        axes.plot(line.running, color=colour, linewidth=0.12 * tall, clip_on=False)
        axes.plot(last, line.running[-1], **end)
    if picture.lower_is_better:
        axes.invert_yaxis()


def _titles(sheet: Canvas, titles: Sequence[tuple[str, str]]) -> None:
    box, tall = sheet.layout.facts, 0.85 * sheet.layout.letter
    down = [box.top + (count + 0.62) * box.height / MOST_TITLES for count in range(len(titles))]
    names = [
        sheet.text((box.left, at), name, tall, 0.55 * box.width, **sheet.gold)
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
