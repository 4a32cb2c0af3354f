"""Names and numbers as a chart can show them: joined, cut, with a sign."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from scorer.texts import with_euphonic_d

ELLIPSIS = "…"
MINUS = "−"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
JOINER = "\N{ZERO WIDTH JOINER}"
FROM_RIGHT, END = "\N{RIGHT-TO-LEFT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
MOST_ACCENTS = 4

SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_HALVES = range(0x1F1E6, 0x1F200)
BEFORE_IDEOGRAPHS = "\u2e7f"


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
    if ord(letter) in SKIN_TONES:
        return True
    return len(cluster) == 1 and ord(cluster) in FLAG_HALVES and ord(letter) in FLAG_HALVES


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def letters(text: str) -> int:
    """Count the letters of a text; pictures and ideographs take the room of two."""
    return sum(2 if cluster[0] > BEFORE_IDEOGRAPHS else 1 for cluster in clusters(text))


def cut(text: str, room: float) -> str:
    """Return as much of a text as fits so many letters, with an ellipsis if something is missing.

    >>> cut("Giovambattista", 8)
    'Giovamb…'
    """
    kept = ""
    for cluster in clusters(text):
        if letters(kept + cluster) > room - 1 and letters(text) > room:
            return kept.rstrip() + ELLIPSIS
        kept += cluster
    return kept


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
