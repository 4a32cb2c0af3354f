"""Names and numbers as a chart can show them: cleaned, measured, shortened.

A page that embeds a chart as a picture gives it no font, so the font is unknown when the chart is
made. Widths are estimates on the safe side, taken from the widest common interface font; a text
that is still too wide is clipped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from scorer.texts import with_euphonic_d

ELLIPSIS = "…"
MINUS = "−"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
JOINER = "\N{ZERO WIDTH JOINER}"
FROM_RIGHT, END = "\N{RIGHT-TO-LEFT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
AS_PICTURE = "\ufe0f"
MOST_ACCENTS = 4

DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
SKIN_TONES = "".join(map(chr, range(0x1F3FB, 0x1F400)))
FLAG_HALVES = "".join(map(chr, range(0x1F1E6, 0x1F200)))
TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
BLANKS = frozenset({"Zs", "Zl", "Zp"})
FORBIDDEN = frozenset({"Cc", "Cs"})
NEVER_IN_XML = "\ufffe\uffff"
ACCENTS = frozenset({"Mn", "Me", "Mc"})

# Of DejaVu Sans, the widest of the common interface fonts, in parts of the font size.
WIDTHS_OF = {
    0.3: "'IJijlł",
    0.35: " ,./:;\\|’·",
    0.45: "!()-[]frt",
    0.55: '"*?_`csz°',
    0.6: "FLkvxyŁ",
    0.65: "$0123456789EPSTYabdeghnopqu{}ßðøđþ",
    0.7: "ABCKRVXZ",
    0.8: "&DGHNOQUØĐÐ",
    0.85: "#+<=>^w~−",
    1.0: "%@MWm…æÆ",
}
WIDTH_OF = {letter: width for width, letters in WIDTHS_OF.items() for letter in letters}
OTHER_SMALL = 0.7
OTHER_CAPITAL = 0.8
IDEOGRAPH = 1.0
PICTURE = 1.35


def clean(text: str) -> str:
    """Return the text on one line, without what XML refuses or what turns the direction around."""
    kept = ""
    for letter in text:
        category = unicodedata.category(letter)
        turns = unicodedata.bidirectional(letter) in DIRECTIONS
        if category in BLANKS or letter.isspace():
            kept += " "
        elif not (turns or category in FORBIDDEN or letter in NEVER_IN_XML):
            kept += letter
    return " ".join(kept.split())


def clusters(text: str) -> Iterator[str]:
    """Split a text where it may be cut: never inside an accented letter, a flag or an emoji."""
    cluster = ""
    for letter in text:
        if cluster and not _joins(cluster, letter):
            yield cluster
            cluster = ""
        if sum(map(_is_accent, cluster)) < MOST_ACCENTS or not _is_accent(letter):
            cluster += letter
    if cluster:
        yield cluster


def _joins(cluster: str, letter: str) -> bool:
    if _is_accent(letter) or letter == JOINER or cluster.endswith(JOINER):
        return True
    if letter in SKIN_TONES or letter in TAGS:
        return True
    return len(cluster) == 1 and cluster in FLAG_HALVES and letter in FLAG_HALVES


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter) in ACCENTS


def text_width(text: str, size: float) -> float:
    """Estimate how many pixels a text takes at this font size, rather too many than too few."""
    return size * sum(_cluster_width(cluster) for cluster in clusters(text))


def _cluster_width(cluster: str) -> float:
    if cluster[0] > "\uffff" or JOINER in cluster or AS_PICTURE in cluster:
        return PICTURE
    if unicodedata.east_asian_width(cluster[0]) in "WF":
        return PICTURE if unicodedata.category(cluster[0]) == "So" else IDEOGRAPH
    return sum(
        WIDTH_OF.get(letter, OTHER_CAPITAL if letter.isupper() else OTHER_SMALL)
        for letter in unicodedata.normalize("NFKD", cluster)
        if not _is_accent(letter) and unicodedata.category(letter) != "Cf"
    )


def shorten(text: str, size: float, width: float) -> str:
    """Return as much of the text as fits the width, with an ellipsis where something is missing."""
    if text_width(text, size) <= width:
        return "".join(clusters(text))
    room = width - text_width(ELLIPSIS, size)
    kept = ""
    for cluster in clusters(text):
        room -= text_width(cluster, size)
        if room < 0:
            break
        kept += cluster
    return kept.rstrip() + ELLIPSIS


def in_one(names: Sequence[str], names_format: str) -> str:
    """Join the names of partners: ``Ada, Bea and Ciro``."""
    *others, last = names
    values = {"names": ", ".join(others), "last": last}
    return with_euphonic_d(names_format, values) % values if others else last


def directed(text: str) -> str:
    """Mark a text that reads leftward as such, so that its ellipsis stands at its left end.

    It does where the first letter that has a direction is Arabic, Hebrew or the like.
    """
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
