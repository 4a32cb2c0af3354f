"""Text that people type on one line: a name, a title, a reason."""

import unicodedata
from collections.abc import Sequence

from scorer.errors import InvalidError, Problem, refuse
from scorer.texts import say

LONGEST_REASON = 200
JOINERS = "\u200c\u200d"  # within Persian words, and within emoji
#: Accents on one letter are sorted in time like the square of their number: a few at once only.
NORMALISED_AT_ONCE = 1_000


def one_line(text: str) -> str:
    """Remove invisible characters, put single spaces between words, and normalise to NFC."""
    seen = "".join(c for c in text if c.isprintable() or c.isspace() or c in JOINERS)
    words = (word.strip(JOINERS) for word in seen.split())
    line, step = " ".join(filter(None, words)), NORMALISED_AT_ONCE
    parts = (line[begin : begin + step] for begin in range(0, len(line), step))
    return "".join(unicodedata.normalize("NFC", part) for part in parts)


def read_reason(text: str) -> str:
    """Read the reason of an act, which may be blank; raise InvalidError."""
    refuse(reason_problems(text))
    return one_line(text)


def reason_problems(text: str) -> list[Problem]:
    if len(one_line(text)) <= LONGEST_REASON:
        return []
    message = say("A reason has at most 200 letters.")
    return [Problem("too-long", "reason", message)]


LONGEST_NAME = 40


def read_name(text: str, others: Sequence[str], path: str) -> str:
    """Read a player's name, which none of the others has; raise InvalidError."""
    name = one_line(text)
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidError.of("bad-name", path, say("A name has from 1 to 40 letters."))
    if name.casefold() in (other.casefold() for other in others):
        message = say("There is more than one %(name)s: names are unique.", name=name)
        raise InvalidError.of("duplicate-name", path, message)
    return name
