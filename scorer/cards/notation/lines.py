"""A line of a text, read from left to right; words and names in quotation marks, written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from scorer.cards.call import PASS
from scorer.errors import MOST_PROBLEMS, Problem
from scorer.games.briscola_chiamata.bids import Bid
from scorer.rules.cards import SPELLING, Deck
from scorer.texts import Text, about, say

T = TypeVar("T")

END = r"(?=[\s,:;>]|$)"
GAP = re.compile(r"[\s,;]*")
WORD = re.compile(rf'"(?:[^"\\]|\\.)*"|[^\s,:;>]+{END}|\S', re.DOTALL)
CARD = re.compile(rf"(?:{SPELLING.pattern}){END}", re.IGNORECASE)
NUMBER = re.compile(rf"[0-9]{{1,6}}{END}", re.ASCII)
TAKEN_BY = re.compile(r"\s*[>=]")
AFTER_TWO = re.compile(rf"[^\s,:;>@\"]*\s*@\s*[0-9]{{1,6}}{END}", re.ASCII)
PASSING = {PASS, "passo", "passa", "-"}
PLAIN_NAME = re.compile(r"[^\W_][\w.'’-]*")
# No text opens behind a backslash: then one that never closes is looked for once a line, not at
# every escaped quotation mark again.
COMMENT = re.compile(r'(?<!\\)"(?:[^"\\]|\\.)*"|(?:^|\s)#.*', re.DOTALL)


class DealText(NamedTuple):
    """The lines of a deal, each with its number in the text; it starts in the line ``start``."""

    lines: tuple[tuple[int, str], ...]
    start: int = 1


def comment_of(line: str) -> str:
    """Return the comment of a line, if it has one.

    >>> comment_of("1. 7B 2D  # the lead comes first")
    'the lead comes first'
    """
    comments = (matched[0] for matched in COMMENT.finditer(line) if matched[0][0] != '"')
    return next(comments, "").strip().removeprefix("#").strip()


class ScannedLine:
    """One line of a text with a read position; unreadable words become problems and are skipped."""

    def __init__(self, text: str, number: int, problems: list[Problem]) -> None:
        self.text = COMMENT.sub(lambda matched: matched[0] if matched[0][0] == '"' else "", text)
        self.number, self.at, self._problems = number, 0, problems

    @property
    def place(self) -> str:
        """The read position: line and column, from 1."""
        return f"{self.number}:{self.at + 1}"

    @property
    def more(self) -> bool:
        """Skip gaps; whether text is left to read. False once there are ``MOST_PROBLEMS``."""
        self.match(GAP)
        return self.at < len(self.text) and len(self._problems) < MOST_PROBLEMS

    def fault(self, code: str, message: Text, place: str = "") -> None:
        """Add a problem, here or at an earlier place, unless there are many already."""
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(in_line(code, message, place or self.place))

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match a pattern at the read position, and advance; None if it doesn't match."""
        matched = pattern.match(self.text, self.at)
        if matched:
            self.at = matched.end()
        return matched

    def word(self) -> str:
        """Read the next word, or a text in quotation marks."""
        matched = self.match(WORD)
        word = matched[0] if matched else ""
        return unquoted(word) if word.startswith('"') else word

    def name(self, names: Sequence[str]) -> str | None:
        """Read one of these names, the longest that matches."""
        self.match(GAP)
        place = self.place
        if not self.text.startswith('"', self.at):
            known = self.phrase({name: name for name in names})
            if known is not None:
                return known
        word = self.word()
        if word in names:
            return word
        message = about(word, say("Nobody called %(name)s plays here.", name=word))
        self.fault("unknown-name", message, place)
        return None

    def card(self, deck: Deck) -> str | None:
        """Read a card of the deck, in any spelling."""
        self.match(GAP)
        place, matched = self.place, self.match(CARD)
        word = matched[0] if matched else self.word()
        try:
            return str(deck.card(word))
        except ValueError:
            message = say("There is no card %(card)s in this deck.", card=word)
            self.fault("card-not-in-deck", about(word, message), place)
            return None

    def cards(self, deck: Deck) -> list[str | None]:
        """Read cards to the end of the line, or to who took them."""
        cards = []
        while self.more and not TAKEN_BY.match(self.text, self.at):
            cards.append(self.card(deck))
        return cards

    def bid(self, deck: Deck) -> str | int | None:
        """Read a bid or a pass: ``K``, ``75``, ``2@75``, ``@7`` for points like a rank's."""
        self.match(GAP)
        place, matched = self.place, self.match(AFTER_TWO)
        word = "".join(matched[0].split()) if matched else self.word()
        if word.lower() in PASSING:
            return PASS
        try:
            points_alone = matched is not None and word.startswith("@")
            bid = Bid(None, int(word[1:])) if points_alone else Bid.parse(word, deck)
        except ValueError:
            message = say("%(bid)s is not a bid of this game.", bid=word)
            self.fault("bad-bid", about(word, message), place)
            return None
        return bid.write_wire()

    def figure(self) -> int | None:
        self.match(GAP)
        matched = self.match(NUMBER)
        return int(matched[0]) if matched else None

    def phrase(self, phrases: Mapping[str, T]) -> T | None:
        """Read one of some phrases, and return its meaning; None for another."""
        spellings = sorted(phrases, key=len, reverse=True)
        either = "|".join(f"({re.escape(spelling)})" for spelling in spellings)
        for flags in (re.NOFLAG, re.IGNORECASE):
            matched = self.match(re.compile(f"(?:{either}){END}", flags))
            if matched and matched.lastindex:
                return phrases[spellings[matched.lastindex - 1]]
        return None

    def nothing_more(self) -> None:
        if self.more:
            place, word = self.place, self.word()
            self.fault("unknown-word", say("%(word)s is not understood.", word=word), place)


def in_line(code: str, message: Text, place: str) -> Problem:
    """Return a problem of a text with its place, the line and the column."""
    line = place.partition(":")[0]
    return Problem(code, place, say("Line %(line)s: %(message)s", line=line, message=message))


def unquoted(word: str) -> str:
    """Decode a text in quotation marks; anything else stays as it is."""
    try:
        return str(json.loads(word, strict=False))
    except ValueError:
        return word


def quoted(name: str) -> str:
    """Return a name, in quotation marks unless it is one plain word.

    >>> print(quoted("Ada"), quoted("Ada B."))
    Ada "Ada B."
    """
    return name if PLAIN_NAME.fullmatch(name) else as_json(name)


def as_json(value: object) -> str:
    """Return JSON in one line; invisible characters are escaped by number."""
    written = json.dumps(value, ensure_ascii=False)
    return written if written.isprintable() else json.dumps(value)
