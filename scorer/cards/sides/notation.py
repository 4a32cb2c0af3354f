"""A deal whose sides are known as text, read leniently and written (docs/notation.md).

A text is read beside its deal: the rules and the people are those of the deal, and lines that say
them again are only looked at for names of nobody there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from scorer.cards.card_lines import (
    HAND,
    TRICK,
    CardLines,
    cards_text,
    check_length,
    placed,
    quoted,
    trick_words,
)
from scorer.cards.line_scanner import ScannedLine
from scorer.cards.trick_record import CardPile
from scorer.errors import InvalidError
from scorer.rules.seats import all_seats
from scorer.rules.sheet import Reading
from scorer.texts import listed, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.cards.sides.deal import SidesDeal
    from scorer.errors import Problem
    from scorer.texts import Text

D = TypeVar("D", bound="SidesDeal")

HEADING = re.compile(
    r"\s*(game|gioco|rules|regole|seats|players|posti|giocatori|dealer|mazziere|out|fuori|"
    r"turned up|girata|stock|mazzo)\s*:",
    re.IGNORECASE,
)
NAMES = {"seats", "players", "posti", "giocatori", "dealer", "mazziere", "out", "fuori"}
PARTS = {"turned up": "turned_up", "girata": "turned_up", "stock": "stock", "mazzo": "stock"}
GAME = {"game", "gioco"}


class _Lines(CardLines):
    """Reads each line by its heading; one without any is a trick."""

    slug = ""

    def line(self, line: ScannedLine) -> None:
        """Read a line of the text."""
        heading = line.match(HEADING)
        if heading:
            self._headed(heading[1].lower(), line)
        elif line.match(HAND):
            self.hand(line)
        elif line.more:
            number = line.match(TRICK)
            self.trick(int(number[1]) if number else None, line)

    def _headed(self, heading: str, line: ScannedLine) -> None:
        if heading in PARTS:
            self._part(PARTS[heading], line)
        elif heading in NAMES:
            while line.more:
                line.name(self.names)
        elif heading in GAME and line.more:
            place, word = line.place, line.word()
            if word != self.slug:
                message = say("This text is of another game: %(game)s.", game=word)
                line.fault("other-deal", message, place)

    def _part(self, key: str, line: ScannedLine) -> None:
        if key in self.places:
            line.fault("said-twice", say("This was said before."))
        self.places[key] = line.place
        self.body[key] = line.card(self.deck) if key == "turned_up" else self.cards(line)
        line.nothing_more()


def parse_beside(text: str, deal: D, sheet: Any) -> D:
    """Read a text of a deal; raise InvalidError with every problem, each with line and column."""
    check_length(text)
    problems: list[Problem] = []
    names = deal.table.seats
    lines = _Lines(names, deal.letters.deck, {})
    lines.slug = deal.slug
    for number, line in enumerate(text.split("\n"), start=1):
        lines.line(ScannedLine(line, number, problems))
    reading = Reading(names, deal.letters.deck)
    known = {} if deal.turned_up is None else {"turned_up": str(deal.deck.cards[deal.turned_up])}
    read = None if problems else deal.with_play({**known, **lines.body}, sheet, reading)
    if read is None:
        raise InvalidError([*problems, *(placed(one, lines.places) for one in reading.problems)])
    return read


def text_lines(deal: SidesDeal) -> Iterator[Text]:
    """Write a deal line by line; translated, the lines are read as well."""
    table, names = deal.table, [quoted(name) for name in deal.table.seats]
    around = table.order or all_seats(len(table.seats))
    out = [names[seat] for seat in around if seat not in table.active]
    yield say("game: %(game)s", game=deal.slug)
    yield say("seats: %(names)s", names=", ".join(names[seat] for seat in around))
    if deal.dealer is not None:
        yield say("dealer: %(name)s", name=names[deal.dealer])
    if out:
        yield say("out: %(names)s", names=", ".join(out))
    if deal.turned_up is not None:
        yield say("turned up:%(card)s", card=cards_text(deal, CardPile((deal.turned_up,))))
    for seat, hand in sorted(deal.hands.items()):
        yield say("hand %(name)s:%(cards)s", name=names[seat], cards=cards_text(deal, hand))
    if deal.stock is not None:
        yield say("stock:%(cards)s", cards=cards_text(deal, deal.stock))
    for number, trick in enumerate(deal.tricks, start=1):
        yield listed((f"{number}.", *trick_words(deal, trick, names)), "")
