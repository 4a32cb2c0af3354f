"""How charts look: colours and marks of the seats, two grounds, sizes, and how texts are written.

Pages and stylesheets take the seat colours and marks from here, so that a player looks the same in
the chart, the standings and the score sheet.

The colours keep the hues of Okabe and Ito, in a variant for each ground: every one has a contrast
of 3.3:1 or more to it, and any two stay apart to normal, red-, green- and blue-blind eyes. The
seventh is the palette's black, the last three are for guests. Nobody has to go by colour alone:
every seat has a mark too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from scorer.texts import MINUS, with_euphonic_d
from scorer.typed_text import clusters


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a ground and of everything drawn on it except the seats."""

    ground: str
    ink: str
    muted: str
    zero: str
    grid: str
    gold: str
    band: str
    seats: tuple[str, ...]


#: Each seat's colour by name, on a light and on a dark ground.
SEAT_COLOURS = {
    "blue": ("#005083", "#2480d6"),
    "vermillion": ("#b74100", "#f2652a"),
    "green": ("#057f65", "#3dbd9d"),
    "purple": ("#dd3f97", "#b85a8c"),
    "orange": ("#b87e08", "#f5b533"),
    "sky": ("#2b8bcc", "#86d2fa"),
    "black": ("#2e2e2c", "#ecebe6"),
    "violet": ("#8414f5", "#ad9af8"),
    "wine": ("#310007", "#cc323b"),
    "earth": ("#56454a", "#e4d098"),
}
#: Each seat's mark: an SVG polygon in a box from -12 to 12, y down; without points a circle.
#: After it a square, a triangle, a diamond, a triangle down, a cross, a star, a saltire, an
#: hourglass and a bow.
SEAT_MARKS = (
    "",
    "-8,-8 8,-8 8,8 -8,8",
    "0,-11.5 10.5,8 -10.5,8",
    "0,-11.5 11.5,0 0,11.5 -11.5,0",
    "0,11.5 10.5,-8 -10.5,-8",
    (
        "-3.6,-10.5 3.6,-10.5 3.6,-3.6 10.5,-3.6 10.5,3.6 3.6,3.6 "
        "3.6,10.5 -3.6,10.5 -3.6,3.6 -10.5,3.6 -10.5,-3.6 -3.6,-3.6"
    ),
    "0,-12 3.2,-4.4 11.4,-3.7 5.2,1.7 7.1,9.7 0,5.4 -7.1,9.7 -5.2,1.7 -11.4,-3.7 -3.2,-4.4",
    "-10,-4.9 -4.9,-10 0,-5.1 4.9,-10 10,-4.9 5.1,0 10,4.9 4.9,10 0,5.1 -4.9,10 -10,4.9 -5.1,0",
    "-10.5,-11 10.5,-11 0,0 10.5,11 -10.5,11 0,0",
    "-11,-10.5 0,0 11,-10.5 11,10.5 0,0 -11,10.5",
)
CIRCLE = 9  # its radius
LIGHT, DARK = zip(*SEAT_COLOURS.values(), strict=True)

THEMES = {
    "light": Theme(
        ground="#fffbf3",
        ink="#281b15",
        muted="#645247",
        zero="#8f7c68",
        grid="#ebe0cd",
        gold="#8f6410",
        band="#a81e1b",
        seats=LIGHT,
    ),
    "dark": Theme(
        ground="#231813",
        ink="#f7ecdb",
        muted="#bda893",
        zero="#8d7663",
        grid="#3e2e24",
        gold="#e7bb62",
        band="#ff7a52",
        seats=DARK,
    ),
}


def corners(mark: str) -> list[tuple[float, ...]]:
    """Return the corners of a mark, none of a circle."""
    return [tuple(map(float, point.split(","))) for point in mark.split()]


WIDTHS = range(320, 1201)
EDGE = 8  # free space at the sides
NAME_SIZE, TICK_SIZE = 14, 13
LETTER, FIGURE = 7.8, 9  # the room that a letter of a name, and one of a number takes
ELLIPSIS = "…"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
FROM_RIGHT, END = "\N{RIGHT-TO-LEFT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
BEFORE_IDEOGRAPHS = "\u2e7f"


def clamped(width: int) -> int:
    return max(WIDTHS[0], min(width, WIDTHS[-1]))


def letters(text: str) -> int:
    """Count the letters of a text; pictures and ideographs take the room of two."""
    return sum(2 if cluster[0] > BEFORE_IDEOGRAPHS else 1 for cluster in clusters(text))


def cut(text: str, room: float) -> str:
    """Return as much of a text as fits so many letters, with an ellipsis if something is missing.

    >>> cut("Giovambattista", 8)
    'Giovamb…'
    """
    if letters(text) <= room:
        return text
    fitting = (start for start in accumulate(clusters(text)) if letters(start) <= room - 1)
    return max(fitting, key=len, default="").rstrip() + ELLIPSIS


def in_one(names: Sequence[str], names_format: str) -> str:
    """Join the names of partners: ``Ada, Bea and Ciro``."""
    *others, last = names
    values = {"names": ", ".join(others), "last": last}
    return with_euphonic_d(names_format, values) % values if others else last


def directed(text: str) -> str:
    """Mark a text that reads leftward as such, so that its ellipsis stands at its left end."""
    directions = map(unicodedata.bidirectional, text)
    first = next((way for way in directions if way in {"L", "R", "AL"}), "L")
    return text if first == "L" else f"{FROM_RIGHT}{text}{END}"


def number(value: int) -> str:
    r"""Write a number with a real minus, in groups of three from five digits on: `−12 345`.

    >>> number(-12_345), number(4)
    ('−12\u202f345', '4')
    """
    digits = f"{abs(value):,}" if abs(value) > 9_999 else str(abs(value))
    return (MINUS if value < 0 else "") + digits.replace(",", NARROW_SPACE)
