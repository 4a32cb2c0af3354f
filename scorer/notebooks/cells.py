"""The content of one cell of a notebook: a figure, a day, or a mark for an absent player."""

import re
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import NamedTuple

from scorer.texts import NUMBER_WORDS, unaccented

#: Larger numbers are no figures of a card game.
MOST, LONGEST_FIGURE = 10_000_000, 48
ABSENT = frozenset(
    {"-", "–", "—", "/", "\\", "x", ".", "n/a", "na", "nd", "n.d.", "ass", "ass.", "assente"}
    | {"assenti", "absent", "away", "out", "fuori", "riposo", "manca", "abwesend", "non c'era"}
    | {"sits out", "sat out", "non gioca", "did not play"}
)
#: What is written for a minus sign: itself, and dashes of several lengths.
DASHES = str.maketrans(dict.fromkeys("\u2212\u2012\u2013\u2014\u2015", "-"))
_GERMAN = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
NUMBERS = {
    word: number for words in (*NUMBER_WORDS, _GERMAN) for number, word in enumerate(words.split())
}
LESS = re.compile(r"(?:meno|minus|less) ")
WHOLE = re.compile(r"-?[0-9]{1,7}", re.ASCII)
HALF = re.compile(r"(?:([0-9]{1,6}) ?)?½|(?:([0-9]{1,6}) )?1/2")
#: Units behind a figure.
UNITS = re.compile(r"\s*(€|eur|euro|p|pt|pti|pts|punti|points|punkte)\.?$")
#: Figures by decimal separator, with or without thousands separators.
FIGURES = {
    sign: re.compile(rf"([0-9]+|[0-9]{{1,3}}(?:[{group}'’ ][0-9]{{3}})+)(?:[{sign}]([0-9]+))?")
    for sign, group in ((",", "."), (".", ","))
}
_MONTHS = (
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jan feb mär apr mai jun jul aug sept okt nov dez",
)
MONTHS = {word: number for words in _MONTHS for number, word in enumerate(words.split(), 1)}
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_YEAR = r"'?(?P<year>[0-9]{4}|[0-9]{2})"
#: Seconds or milliseconds since 1970: no figure of a card game has so many digits.
EPOCH = re.compile(r"[12][0-9]{9}(?:[0-9]{3})?", re.ASCII)
ISO_DAY = re.compile(
    r"(?<![0-9])(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})(?![0-9])"
)
NUMBERED = re.compile(
    rf"(?<![0-9.,])(?P<day>[0-9]{{1,2}}) ?([./-]) ?(?P<month>[0-9]{{1,2}})(?: ?\2 ?{_YEAR})?\.?"
    r"(?![0-9]|,[0-9])"
)
DAYS = (
    ISO_DAY,
    NUMBERED,
    re.compile(
        rf"(?<![0-9])(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|º|°|\.)? ?-?(?:of |di )?{_MONTH}"
        rf"(?:[ ,-]*{_YEAR}\b)?"
    ),
    re.compile(
        rf"\b{_MONTH} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\b(?:[ ,]+(?P<year>[0-9]{{4}})\b)?"
    ),
)
#: Text around the day in a cell that has a day only: weekday, time, articles.
AROUND = re.compile(
    r"(?:\b(?:lun|mar|mer|gio|ven|sab|dom|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)\w*\b"
    r"|(?<!\d)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m\b|z\b|[+-]\d{2}:?\d{2}\b)?"
    r"|[\s.,;:()t]|\b(?:il|the|den|am|del)\b)*"
)
PIVOT = 70


class WrittenDay(NamedTuple):
    """A day as it is written; the year is None if it is left out."""

    year: int | None
    month: int
    day: int


def plain(text: str) -> str:
    """Strip emoji and invisible characters from a cell, and normalise its spaces."""
    if text.isascii():
        return " ".join(text.split())
    kept = (
        " " if unicodedata.category(sign) == "Zs" else sign
        for sign in text
        if unicodedata.category(sign) not in {"So", "Cf", "Co", "Cn", "Cs", "Sk"}
        and sign not in "\ufe0e\ufe0f\u20e3"
    )
    return " ".join("".join(kept).split())


def folded(text: str) -> str:
    """Fold case, accents and surrounding punctuation, for comparison.

    >>> folded("Niccolò:")
    'niccolo'
    """
    return unaccented(plain(text)).strip(" .:'’")


def is_absent(text: str) -> bool:
    return plain(text).casefold() in ABSENT


def read_figure(text: str, decimal: str = ",") -> Decimal | None:
    """Parse a figure with its sign in front, behind or as brackets; None for other text.

    ``decimal`` is the decimal separator; the other one, a space or an apostrophe separates
    thousands. Halves are read, and the first numbers as words.

    >>> read_figure("(1.200,5)"), read_figure("4-"), read_figure("Ada")
    (Decimal('-1200.5'), Decimal('-4.0'), None)
    """
    if WHOLE.fullmatch(text):
        return Decimal(text)
    if len(text) > LONGEST_FIGURE:
        return None
    bare = plain(text).removeprefix("'").casefold().translate(DASHES)
    bare = LESS.sub("-", UNITS.sub("", bare.replace("€", "").strip()), 1)
    less = bare.startswith("-") or bare.endswith("-") or (bare[:1], bare[-1:]) == ("(", ")")
    size = _size(bare.strip("()+- "), decimal)
    return None if size is None or size > MOST else -size if less else size


def _size(text: str, decimal: str) -> Decimal | None:
    if text in NUMBERS:
        return Decimal(NUMBERS[text])
    if half := HALF.fullmatch(text):
        return Decimal(half[1] or half[2] or 0) + Decimal("0.5")
    match = FIGURES[decimal].fullmatch(text)
    return match and Decimal(re.sub("[^0-9]", "", match[1]) + f".{match[2] or 0}")


def read_day(text: str, *, month_first: bool = False, alone: bool = True) -> WrittenDay | None:
    """Parse a day in figures or with a month name; None if there is none.

    ``alone`` rejects a cell that has more than a day, its weekday and a time.

    >>> read_day("ven 20/11/26"), read_day("3 marzo"), read_day("12")
    (WrittenDay(year=2026, month=11, day=20), WrittenDay(year=None, month=3, day=3), None)
    """
    bare = plain(text).casefold()
    if EPOCH.fullmatch(bare):
        moment = datetime.fromtimestamp(int(bare[:10]), UTC)
        return WrittenDay(moment.year, moment.month, moment.day)
    match = next(filter(None, (days.search(bare) for days in DAYS)), None)
    if match is None:
        return None
    day, month, year = match.group("day", "month", "year")
    if month_first and match.re is NUMBERED:
        day, month = month, day
    full_year = int(year) if year else None
    if full_year is not None and len(year) < 4:
        full_year += 2000 if full_year < PIVOT else 1900
    parsed = WrittenDay(full_year, MONTHS.get(month) or int(month), int(day))
    around = bare[: match.start()] + " " + bare[match.end() :]
    if on_calendar(parsed, 2000) is None or (alone and not AROUND.fullmatch(around)):
        return None
    return parsed


def on_calendar(day: WrittenDay, year: int) -> date | None:
    """Return a day as a date, in ``year`` where it has none; None if there is no such date."""
    try:
        return date(day.year or year, day.month, day.day)
    except ValueError:
        return None


def first_parts(text: str) -> tuple[int, int] | None:
    """Return the first two numbers of a day in figures; either may be the month."""
    bare = plain(text)
    match = None if ISO_DAY.search(bare) else NUMBERED.search(bare)
    return None if match is None else (int(match["day"]), int(match["month"]))
