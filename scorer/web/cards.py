"""Cards as pages draw them: a rank, a suit's drawing, and the name that is said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorer.rules.cards import SUIT_WORDS, Rank, card_name
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.rules.cards import Card, Deck, Suit
    from scorer.texts import Text

ON_CHIPS = {Rank.KING: say("K"), Rank.QUEEN: say("Q"), Rank.JACK: say("J")}
FIGURES = {Rank.KING: "figure-K", Rank.QUEEN: "figure-Q", Rank.JACK: "figure-J"}


class CardView(NamedTuple):
    """A card: its code, what stands on it, the drawings of its suit and its figure, its name."""

    code: str
    rank: Text | str
    symbol: str
    figure: str
    name: Text


class SuitView(NamedTuple):
    """A suit of the grid: its name, and its cards from strong to weak."""

    name: Text
    cards: list[CardView]


def card_view(card: Card, deck: Deck) -> CardView:
    """Draw a card of a deck: French ones say J, Q, K as printed, Italian figures are drawn."""
    rank: Text | str = str(card.rank)
    figure = ""
    if deck.italian:
        rank, figure = ON_CHIPS.get(card.rank, rank), FIGURES.get(card.rank, "")
    return CardView(str(card), rank, suit_symbol(card.suit, deck), figure, card_name(card, deck))


def suit_symbol(suit: Suit, deck: Deck) -> str:
    """Name the drawing of a suit; the French ones have drawings of their own."""
    return f"suit-{suit}" if deck.italian else f"suit-f{suit}"


def suit_views(deck: Deck) -> list[SuitView]:
    """Draw a whole deck, suit by suit."""
    words = SUIT_WORDS[deck.italian]
    return [
        SuitView(words[suit], [card_view(card, deck) for card in deck.cards if card.suit == suit])
        for suit in deck.suits
    ]
