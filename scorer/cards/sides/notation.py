"""A deal whose sides are known as text, read leniently and written (docs/notation.md).

A text read for an existing deal has that deal's rules and people; its own lines about them are only
checked for unknown names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from scorer.cards.card_lines import (
    CardLines,
    DealReader,
    DealText,
    cards_text,
    hand_lines,
    table_lines,
    trick_lines,
)
from scorer.cards.trick_game import CardPile
from scorer.rules.sheet import Reading
from scorer.texts import Text, say

if TYPE_CHECKING:
    from scorer.cards.sides.deal import SidesDeal

D = TypeVar("D", bound="SidesDeal")

HEADINGS = {
    "game": "game",
    "gioco": "game",
    "turned up": "turned_up",
    "girata": "turned_up",
    "stock": "stock",
    "mazzo": "stock",
}


class _SidesReader(DealReader):
    """Read the table if it is unknown, then the card turned up, the stock and the cards."""

    headings = HEADINGS

    def __init__(self, text: str | DealText, kind: type[SidesDeal]) -> None:
        self.game, self._kind = kind.game, kind
        super().__init__(text)

    def counts(self, rules: Any) -> Sequence[int]:
        return [count for count in super().counts(rules) if count in self._kind.counts]

    def body(self, deal: SidesDeal) -> dict[str, Any]:
        parts = CardLines(deal.table.seats, deal.letters.deck, self.places)
        if (line := self.lines.get("game")) and line.more:
            place, word = line.place, line.word()
            if word != self.game.slug:
                message = say("This text is of another game: %(game)s.", game=word)
                line.fault("other-deal", message, place)
        if line := self.lines.get("turned_up"):
            self.places["turned_up"] = line.place
            parts.body["turned_up"] = line.card(parts.deck)
            line.nothing_more()
        if line := self.lines.get("stock"):
            self.places["stock"] = line.place
            parts.body["stock"] = parts.cards(line)
            line.nothing_more()
        self.read_cards(parts)
        return parts.body


def parse(kind: type[SidesDeal], text: DealText) -> SidesDeal:
    """Read a text by itself; raise InvalidError with every problem, each with line and column."""
    reader = _SidesReader(text, kind)
    here = reader.table()
    deal = kind.begun(*here)
    reading = Reading(deal.table.seats, deal.letters.deck)
    read = kind.read(reader.body(deal), *here, reading)
    if read is None:
        reader.refuse(reading.problems)
    return read


def parse_beside(deal: D, text: str | DealText, sheet: Any) -> D:
    """Read a text of a deal; raise InvalidError with every problem, each with line and column."""
    reader = _SidesReader(text, type(deal))
    reader.known(deal.table.seats, deal.dealer)
    body = reader.body(deal)
    reading = Reading(deal.table.seats, deal.letters.deck)
    known = {} if deal.turned_up is None else {"turned_up": str(deal.deck.cards[deal.turned_up])}
    read = deal.with_play({**known, **body}, sheet, reading)
    if read is None:
        reader.refuse(reading.problems)
    return read


def text_lines(deal: SidesDeal) -> Iterator[Text]:
    yield from table_lines(deal, deal.game)
    if deal.turned_up is not None:
        yield say("turned up:%(card)s", card=cards_text(deal, CardPile((deal.turned_up,))))
    yield from hand_lines(deal)
    if deal.stock is not None:
        yield say("stock:%(cards)s", cards=cards_text(deal, deal.stock))
    yield from trick_lines(deal)
