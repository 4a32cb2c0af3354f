"""Names and numbers as a chart can show them: cleaned, measured, shortened.

A page that embeds a chart as a picture gives it no font, so the font is unknown when the chart is
made. Widths are those of DejaVu Sans, the widest of the common interface fonts; a text that is
still too wide is clipped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.texts import with_euphonic_d

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

ELLIPSIS = "…"
MINUS = "−"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
JOINER = "\N{ZERO WIDTH JOINER}"
FROM_RIGHT, END = "\N{RIGHT-TO-LEFT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
AS_PICTURE = "\ufe0f"
MOST_ACCENTS = 4

DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_HALVES = range(0x1F1E6, 0x1F200)
TAGS = range(0xE0020, 0xE0080)
FORBIDDEN = frozenset({"Cc", "Cs"})
NEVER_IN_XML = "\ufffe\uffff"

#: What the font lacks, in parts of the font size.
IDEOGRAPH, PICTURE = 1.0, 1.35
MEASURED = 100


def clean(text: str) -> str:
    """Return the text on one line, without what XML refuses or what turns the direction around."""
    kept = (letter for letter in text if letter.isspace() or _may_be_written(letter))
    return " ".join("".join(kept).split())


def _may_be_written(letter: str) -> bool:
    turns = unicodedata.bidirectional(letter) in DIRECTIONS
    return not (turns or unicodedata.category(letter) in FORBIDDEN or letter in NEVER_IN_XML)


def clusters(text: str) -> list[str]:
    """Split a text where it may be cut: never inside an accented letter, a flag or an emoji."""
    found: list[str] = []
    for letter in text:
        if not found or not _joins(found[-1], letter):
            found.append(letter)
        elif not _is_accent(letter) or sum(map(_is_accent, found[-1])) < MOST_ACCENTS:
            found[-1] += letter
    return found


def _joins(cluster: str, letter: str) -> bool:
    if _is_accent(letter) or letter == JOINER or cluster.endswith(JOINER):
        return True
    if ord(letter) in SKIN_TONES or ord(letter) in TAGS:
        return True
    return len(cluster) == 1 and ord(cluster) in FLAG_HALVES and ord(letter) in FLAG_HALVES


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Measure how many pixels a text takes at this font size, rather too many than too few."""
    letters, others = "", 0.0
    for cluster in clusters(unicodedata.normalize("NFKC", text)):
        other = _beyond_the_font(cluster)
        others, letters = others + other, letters if other else letters + cluster
    return size * (others + _font(bold=bold).getlength(letters) / MEASURED)


def _beyond_the_font(cluster: str) -> float:
    if cluster[0] > "\uffff" or JOINER in cluster or AS_PICTURE in cluster:
        return PICTURE
    if unicodedata.east_asian_width(cluster[0]) not in "WF":
        return 0
    return PICTURE if unicodedata.category(cluster[0]) == "So" else IDEOGRAPH


@cache  # to open a font takes as long as to measure ten names
def _font(*, bold: bool) -> FreeTypeFont:
    from matplotlib import get_data_path
    from PIL.ImageFont import Layout, truetype

    file = Path(get_data_path(), "fonts/ttf", "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")
    return truetype(file, MEASURED, layout_engine=Layout.BASIC)


def shorten(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return as much of the text as fits the width, with an ellipsis where something is missing."""
    parts = clusters(text)
    cut = ("".join(parts[:count]).rstrip() + ELLIPSIS for count in range(len(parts) - 1, 0, -1))
    ways = ("".join(parts), *cut)
    return next((way for way in ways if text_width(way, size, bold=bold) <= width), ELLIPSIS)


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


def signed(value: int, *, burden: bool = False) -> str:
    """Write a balance with its sign, nothing before a zero: `+4`, `−4`, `0`; a burden: `4`."""
    return "+" + number(value) if value > 0 and not burden else number(value)
