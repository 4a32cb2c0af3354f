"""Scenes to SVG: matplotlib draws them, and what it writes is tidied for a strict page.

The SVG has no style sheet and no style attribute (the content security policy refuses both), no
font, no date and no random name: the same scene gives the same bytes. Only `Figure` is used. What
matplotlib keeps for the whole process is set for the length of a drawing, under a lock, so that
threads draw one after the other.
"""

from __future__ import annotations

import re
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree as ET

from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Bbox

from scorer.charts.lettering import clean, reads_leftward
from scorer.charts.scene import Line, Marks
from scorer.charts.style import CIRCLE_RADIUS, FONTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.artist import Artist
    from matplotlib.backend_bases import RendererBase
    from matplotlib.typing import RcKeyType

    from scorer.charts.scene import Scene, Words
    from scorer.charts.style import Mark

SVG = "http://www.w3.org/2000/svg"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
SETTINGS: dict[RcKeyType, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "scorer",
    "svg.id": None,
    "path.simplify": False,
    "path.sketch": None,
    "path.effects": [],
}
NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
ALIGNMENT: dict[str, Literal["left", "center", "right"]] = {
    "start": "left",
    "middle": "center",
    "end": "right",
}
MIRRORED = {"start": "end", "middle": "middle", "end": "start"}
LENGTHS = frozenset({"d", "x", "y", "width", "height"})
DROPPED = frozenset({"metadata", "style"})
MADE_UP = re.compile(r"^[a-z0-9]+_\d+$")  # the ids matplotlib numbers its groups with

drawing = Lock()


def to_svg(scene: Scene) -> bytes:
    """Draw a scene; equal scenes give equal bytes."""
    drawn = BytesIO()
    with drawing, rc_context(SETTINGS):
        canvas = FigureCanvasSVG(_figure(scene))
        canvas.print_svg(drawn, metadata=NO_METADATA)  # type: ignore[no-untyped-call]  # no stub
    return _tidy(drawn.getvalue(), scene)


def _figure(scene: Scene) -> Figure:
    figure = Figure(
        figsize=(scene.width / 72, scene.height / 72),
        dpi=72,
        facecolor=scene.theme.ground,
        edgecolor="none",
        linewidth=0,
    )
    downwards = Affine2D().scale(1, -1).translate(0, scene.height)
    for order, shape in enumerate(scene.shapes):
        artist = _artist(shape)
        artist.set_zorder(order)
        artist.set_transform(downwards)
        artist.set_gid(shape.name or None)
        figure.add_artist(artist)
    return figure


def _artist(shape: Line | Marks | Words) -> Artist:
    if isinstance(shape, Line):
        return _line(shape)
    if isinstance(shape, Marks):
        return _marks(shape)
    return Lettering(shape)


def _line(line: Line) -> Line2D:
    xs, ys = zip(*line.points, strict=True)
    return Line2D(
        xs,
        ys,
        color=line.colour,
        linewidth=line.width,
        linestyle="-",
        marker="",
        solid_capstyle="round",
        solid_joinstyle="round",
    )


def _marks(marks: Marks) -> Line2D:
    xs, ys = zip(*marks.points, strict=True)
    return Line2D(
        xs,
        ys,
        linestyle="",
        marker=_outline(marks.mark),
        markersize=marks.size * marks.mark.reach / 12,
        markerfacecolor=marks.fill,
        markeredgecolor=marks.edge,
        markeredgewidth=marks.edge_width,
    )


def _outline(mark: Mark) -> Path:
    if not mark.corners:
        return Path.circle(radius=CIRCLE_RADIUS)
    upwards = [(x, -y) for x, y in mark.corners]
    return Path([*upwards, upwards[0]], closed=True)


class Lettering(Text):
    """A text written as it stands.

    It is never measured, which would take a font that has all its letters, nor read as mathematics.
    """

    def __init__(self, words: Words) -> None:
        super().__init__(
            words.x,
            words.y,
            words.text,
            fontsize=words.size,
            fontweight=600 if words.bold else 400,
            horizontalalignment=ALIGNMENT[words.anchor],
            parse_math=False,
        )
        self.words = words

    def draw(self, renderer: RendererBase) -> None:
        """Hand the text to the renderer."""
        words = self.words
        pen = renderer.new_gc()
        pen.set_foreground(words.colour)
        if words.room:
            left, top, width, height = words.room
            floor = renderer.get_canvas_width_height()[1] - top - height
            pen.set_clip_rectangle(Bbox.from_bounds(left, floor, width, height))
        renderer.open_group("text", self.get_gid())
        renderer.draw_text(
            pen, words.x, words.y, words.text, self.get_fontproperties(), 0, mtext=self
        )
        renderer.close_group("text")
        pen.restore()


def _tidy(drawn: bytes, scene: Scene) -> bytes:
    size = {"width": str(scene.width), "height": str(scene.height)}
    view = {"viewBox": f"0 0 {scene.width} {scene.height}"}
    fixed = {"role": "img", "font-family": FONTS, "font-variant": "tabular-nums"}
    joins = {"stroke-linejoin": "round"}
    picture = ET.Element("svg", {"xmlns": SVG, **size, **view, **fixed, **joins})
    ET.SubElement(picture, "title").text = clean(scene.title)
    ET.SubElement(picture, "desc").text = clean(scene.description)
    source = ET.fromstring(drawn)  # noqa: S314 - matplotlib wrote it just now
    picture.extend(tidied for child in source for tidied in _tidied(child))
    ET.indent(picture, "")
    written: bytes = ET.tostring(picture, encoding="utf-8")
    return written + b"\n"


def _tidied(element: ET.Element) -> Iterator[ET.Element]:
    """Give what is worth keeping of an element: itself, its children or nothing."""
    tag = element.tag.partition("}")[2]
    if tag in DROPPED:
        return
    kept = ET.Element(tag, dict(_attributes(element)))
    kept.text = element.text if tag == "text" else None
    kept.extend(tidied for child in element for tidied in _tidied(child))
    yield from _ungrouped(kept) if tag in {"g", "defs"} else (kept,)


def _ungrouped(group: ET.Element) -> list[ET.Element]:
    """Dissolve a group of nothing, of one, and one that says nothing."""
    if len(group) == 1 and group.tag == "g":
        group[0].attrib |= group.attrib
    elif len(group) > 1:
        _share_fill(group)
        if group.attrib or group.tag == "defs":
            return [group]
    return [group] if group.tag == "defs" and len(group) else list(group)


def _share_fill(group: ET.Element) -> None:
    fills = {child.get("fill", "") for child in group}
    if len(fills) == 1 and all(fills):
        group.set("fill", fills.pop())
        for child in group:
            del child.attrib["fill"]


def _attributes(element: ET.Element) -> Iterator[tuple[str, str]]:
    for name, value in element.items():
        if name == "style":
            yield from _presentation(element, value)
        elif name == XLINK_HREF:
            yield "href", value
        elif name in LENGTHS:
            yield name, _rounded(value)
        elif name != "transform" and not MADE_UP.search(value):
            yield name, value


def _presentation(element: ET.Element, style: str) -> Iterator[tuple[str, str]]:
    leftward = element.text is not None and reads_leftward(element.text)
    if leftward:
        yield "direction", "rtl"
    for declaration in style.split("; "):
        name, _, value = declaration.partition(": ")
        if name == "text-anchor" and leftward:
            yield name, MIRRORED[value]
        elif name != "font-family" and not (element.tag.endswith("use") and "stroke" in name):
            yield name, value.removesuffix("px")


def _rounded(value: str) -> str:
    short = re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.1f}", value)
    short = re.sub(r"\.0\b", "", short)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", short.strip())
