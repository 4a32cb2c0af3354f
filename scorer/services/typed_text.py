"""Text that people type on one line: a name, a title, a reason."""

from __future__ import annotations

import unicodedata

from scorer.errors import InvalidError, Problem
from scorer.texts import say

LONGEST_REASON = 200
JOINERS = "\u200c\u200d"  # within Persian words, and within emoji


def one_line(text: str) -> str:
    """Normalise to NFC, drop what is invisible, and put single spaces between words."""
    composed = unicodedata.normalize("NFC", text)
    seen = "".join(c for c in composed if c.isprintable() or c.isspace() or c in JOINERS)
    words = (word.strip(JOINERS) for word in seen.split())
    return " ".join(filter(None, words))


def read_reason(text: str) -> str:
    """Read the reason of an act, which may be blank; raise InvalidError."""
    problems = reason_problems(text)
    if problems:
        raise InvalidError(problems)
    return one_line(text)


def reason_problems(text: str) -> list[Problem]:
    """List what is wrong with a reason."""
    if len(one_line(text)) <= LONGEST_REASON:
        return []
    message = say("A reason has at most 200 letters.")
    return [Problem("too-long", "reason", message)]
