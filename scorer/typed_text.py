"""Text that people type on one line: a name, a title, a reason, a day."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from scorer.errors import InvalidError, Problem, refuse
from scorer.texts import Text, say

JOINER = "\u200d"  # within an emoji
JOINERS = f"\u200c{JOINER}"  # the other is within Persian words
#: The variation selector that gives a symbol the colours of an emoji.
EMOJI_STYLE = "\ufe0f"
#: A pattern of braille without a dot, which looks like a space.
BLANK = "\u2800"
#: What has no look of its own: the property Default_Ignorable_Code_Point of Unicode.
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
#: The categories of what is seen by itself: letters, numbers, punctuation, symbols.
VISIBLE = frozenset("LNPS")
#: Accents on one letter are sorted in time like the square of their number: a few at once only.
NORMALISED_AT_ONCE = 1_000


def one_line(text: str) -> str:
    """Remove invisible characters, put single spaces between words, and normalise to NFC.

    A text of which nothing is seen becomes "".
    """
    words = (word.strip(JOINERS) for word in _seen(text.replace(BLANK, " ")).split())
    line, step = " ".join(filter(None, words)), NORMALISED_AT_ONCE
    if not any(unicodedata.category(c)[0] in VISIBLE for c in line):
        return ""
    parts = (line[begin : begin + step] for begin in range(0, len(line), step))
    return "".join(unicodedata.normalize("NFC", part) for part in parts)


def _seen(text: str) -> str:
    """Keep what is seen, spaces, joiners, and the emoji style of a symbol."""
    kept: list[str] = []
    for c in text:
        styled = c == EMOJI_STYLE and kept and unicodedata.category(kept[-1]).startswith("S")
        if c.isspace() or c in JOINERS or styled or (c.isprintable() and not IGNORABLE.match(c)):
            kept.append(c)
    return "".join(kept)


def looks(name: str) -> str:
    """Return what names that look the same share: case and what is not seen don't count."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", IGNORABLE.sub("", name)).casefold()


#: What belongs to the letter before it: the tone of a skin, and the second half of a flag.
SKIN_TONE = re.compile("[\U0001f3fb-\U0001f3ff]")
FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
MOST_ACCENTS = 4


def clusters(text: str) -> list[str]:
    """Split a text where it may be cut: never inside an accented letter, a flag or an emoji."""
    if text.isascii():
        return list(text)
    parts: list[str] = []
    for letter in text:
        if not parts or not _joins(parts[-1], letter):
            parts.append(letter)
        elif not _is_accent(letter) or sum(map(_is_accent, parts[-1])) < MOST_ACCENTS:
            parts[-1] += letter
    return parts


def _joins(cluster: str, letter: str) -> bool:
    joined = _is_accent(letter) or JOINER in (letter, cluster[-1]) or SKIN_TONE.match(letter)
    return bool(joined or FLAG.fullmatch(cluster + letter))


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


@dataclass(frozen=True, slots=True)
class TypedText:
    """A text that people type on one line: how long it may be, and whether it may be ``blank``.

    ``wanted`` is said of any other text, with ``code``.
    """

    longest: int
    wanted: Text
    code: str = "bad-name"
    blank: bool = True

    def problems(self, text: str, path: str) -> list[Problem]:
        length = len(one_line(text))
        fits = length <= self.longest and (self.blank or length)
        return [] if fits else [Problem(self.code, path, self.wanted)]

    def read(self, text: str, path: str) -> str:
        """Return a text on one line; raise InvalidError."""
        refuse(self.problems(text, path))
        return one_line(text)


REASON = TypedText(200, say("A reason has at most 200 letters."), "too-long")
PLAYER_NAME = TypedText(40, say("A name has from 1 to 40 letters."), blank=False)


def read_name(text: str, others: Sequence[str], path: str) -> str:
    """Read a player's name, which none of the others has; raise InvalidError."""
    name = PLAYER_NAME.read(text, path)
    if looks(name) in map(looks, others):
        message = say("There is more than one %(name)s: names are unique.", name=name)
        raise InvalidError.of("duplicate-name", path, message)
    return name


FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)


def read_day(text: str) -> date:
    """Read a day, ``2026-11-20``; raise ValueError, also for one that is centuries away."""
    day = date.fromisoformat(text)
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(text)
    return day
