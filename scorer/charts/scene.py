"""What a chart consists of, as plain values in CSS pixels from the top left corner.

Charts are laid out as a scene; `drawing` turns a scene into SVG. So the layout can be tested
without drawing, and matplotlib is imported only when something is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.charts.scale import Point
from scorer.charts.style import NAME_SIZE, Mark, Theme


@dataclass(frozen=True, slots=True)
class Line:
    """A line through the points."""

    points: tuple[Point, ...]
    colour: str
    width: float = 1
    name: str = ""


@dataclass(frozen=True, slots=True)
class Marks:
    """The same mark at every point, filled with a colour and with an edge around it."""

    points: tuple[Point, ...]
    mark: Mark
    fill: str
    size: float
    edge: str
    edge_width: float = 1
    name: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text on a baseline; with a room, nothing of it shows outside."""

    x: float
    y: float
    text: str
    colour: str
    size: float = NAME_SIZE
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    room: tuple[float, float, float, float] | None = None  # left, top, width, height
    name: str = ""


Shape = Line | Marks | Words


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture, and what it is called and shows in words."""

    width: int
    height: int
    theme: Theme
    title: str
    description: str
    shapes: tuple[Shape, ...]
