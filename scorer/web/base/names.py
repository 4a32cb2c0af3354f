"""What people are called: one short name in a circle, and names of a group in columns of one width.

The fonts of readers differ. Widths are those of DejaVu Sans, the widest of the common ones.
"""

import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.typed_text import EMOJI_STYLE, JOINER, clusters, looks

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

#: So many letters say at least who a word of two is.
LEAST_LETTERS = 3
VOWELS = frozenset("aeiou")
#: So many of its last letters tell a name from another that begins like it: ``Franc.a``.
MOST_LAST_LETTERS = 3
#: Words that are no name without the next one: *La Zia*, *De Luca*.
PARTICLES = {"il", "lo", "la", "i", "gli", "le", "da", "de", "del", "della", "di", "the", "van"}
#: What the font lacks, in parts of the font size.
IDEOGRAPH, PICTURE = 1.0, 1.35
MEASURED = 1000


class FittedNames(NamedTuple):
    """The text for each name, and the size of all of them; 1 is the size of the place."""

    size: float
    written: dict[str, str]


def short_names(people: Mapping[str, str]) -> dict[str, str]:
    """Return what each person of a circle is called; ``people`` are nicknames by whole names.

    It is the nickname, if there is one, or the first word, if nobody else's name begins with it, or
    else as many letters as tell the names apart.

    >>> short_names({"Nonna Pina": "", "Maria Rossi": "", "Maria Teresa": "", "Ugo": "Il Duca"})
    {'Nonna Pina': 'Nonna', 'Maria Rossi': 'Maria R.', 'Maria Teresa': 'Maria T.', 'Ugo': 'Il Duca'}
    """
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for name in people:
        alike[looks(_first_word(name))].append(looks(name))
    for others in alike.values():
        others.sort()
    taken = Counter([*alike, *(looks(nickname) for nickname in people.values() if nickname)])
    taken.update(looks(name) for name in people if looks(name) not in alike)
    short = {}
    for name, nickname in people.items():
        first = _first_word(name)
        others = alike[looks(first)]
        own = [nickname] if nickname else [first] if len(others) == 1 else []
        alone = next((way for way in own if taken[looks(way)] == 1), "")
        short[name] = alone or _told_apart(name, first, others)
    return short


def _first_word(name: str) -> str:
    words = name.split()
    at = (at for at, word in enumerate(words) if word.casefold() not in PARTICLES)
    return " ".join(words[: next(at, len(words)) + 1])


def _told_apart(name: str, first: str, alike: Sequence[str]) -> str:
    """Return the first letters that no other name begins with, or the whole name.

    ``alike`` are the names that begin with its first word as they look, sorted.
    """
    letters = clusters(name)
    for count in range(len(clusters(first)) + 2, len(letters) - 1):
        start = "".join(letters[:count])
        look = looks(start)
        at = bisect_left(alike, look)
        if [other.startswith(look) for other in alike[at : at + 2]].count(True) == 1:
            return start if letters[count] == " " else f"{start}."
    return name


def fitted(
    names: Sequence[str], room: float, width_of: Callable[[str], float], *, least: float = 0.8
) -> FittedNames:
    """Write the names of a group into places of one width, all at one size.

    They are whole if there is room, if necessary all of them smaller, down to ``least``. If that
    isn't enough, all have the smallest size, and each name that is still too wide becomes its first
    letters and a point. Different names stay different.
    """
    widest = max(map(width_of, names), default=0)
    if widest <= room:
        return FittedNames(1, {name: name for name in names})
    if widest * least <= room:
        return FittedNames(least, {name: name for name in names})
    ways = {
        name: _ways(name, number, room / least, width_of)
        for number, name in enumerate(dict.fromkeys(names), 1)
    }
    alike = list(ways.values())
    while alike:
        forms = Counter(way[0].casefold() for way in ways.values())
        alike = [way for way in ways.values() if forms[way[0].casefold()] > 1 and len(way) > 1]
        for way in alike:
            del way[0]
    return FittedNames(least, {name: way[0] for name, way in ways.items()})


def _ways(name: str, number: int, room: float, width_of: Callable[[str], float]) -> list[str]:
    """List how a name can be written, best first; the last is with its number in the group."""
    if width_of(name) <= room:
        return [name]
    words = name.split()
    short = _of_two(words[0], words[-1]) if len(words) == 2 else _first_letters(name)
    letters = clusters(words[-1])
    endings = (
        first + "".join(letters[-count:])
        for count in range(1, MOST_LAST_LETTERS + 1)
        for first in _first_letters(name)
    )
    numbered = [first + str(number) for first in _first_letters(name)]
    ways = [way for way in (*short, *endings) if width_of(way) <= room]
    return [*ways, next((way for way in numbered if width_of(way) <= room), str(number))]


def _first_letters(word: str) -> list[str]:
    """Cut a word after each of its consonants, the longest first: ``Giovamb.``, ``Giovam.``.

    At least a third is left out: a point instead of one or two letters would save no room.
    """
    letters = clusters(word)
    most = len(letters) * 2 // 3
    cuts = [count for count in range(most, 1, -1) if _is_consonant(letters[count - 1])]
    return ["".join(letters[:count]) + "." for count in [*cuts, 1]]


def _is_consonant(letter: str) -> bool:
    return letter[0].isalpha() and unicodedata.normalize("NFD", letter)[0].lower() not in VOWELS


def _of_two(first: str, last: str) -> list[str]:
    """Shorten two words: ``M. Teresa``, ``Maria T.``, ``M. Ter.``, ``Mar. T.``, ``M. T.``."""
    *firsts, initial = _first_letters(first)
    *lasts, final = _first_letters(last)
    by_last = [f"{initial} {cut}" for cut in lasts if len(cut) > LEAST_LETTERS]
    by_first = [f"{cut} {final}" for cut in firsts if len(cut) > LEAST_LETTERS]
    return [f"{initial} {last}", f"{first} {final}", *by_last, *by_first, f"{initial} {final}"]


def text_width(text: str) -> float:
    """Measure a text in parts of its font size, rather too much than too little."""
    letters, others = "", 0.0
    for cluster in clusters(unicodedata.normalize("NFKC", text)):
        other = _beyond_the_font(cluster)
        others, letters = others + other, letters if other else letters + cluster
    return others + _font().getlength(letters) / MEASURED


def _beyond_the_font(cluster: str) -> float:
    if cluster[0] > "\uffff" or JOINER in cluster or EMOJI_STYLE in cluster:
        return PICTURE
    if unicodedata.east_asian_width(cluster[0]) not in "WF":
        return 0
    return PICTURE if unicodedata.category(cluster[0]) == "So" else IDEOGRAPH


@cache  # to open a font takes as long as to measure ten names
def _font() -> "FreeTypeFont":
    from matplotlib import get_data_path
    from PIL.ImageFont import Layout, truetype

    file = Path(get_data_path(), "fonts/ttf/DejaVuSans.ttf")
    return truetype(file, MEASURED, layout_engine=Layout.BASIC)
