"""Cards as pages draw them: a rank, the symbols of a suit and a figure, and the spoken name."""

from typing import NamedTuple

from scorer.rules.cards import SUIT_WORDS, Card, Deck, Rank, Suit, card_name, rank_letter
from scorer.texts import Text

FIGURES = {Rank.KING: "figure-K", Rank.QUEEN: "figure-Q", Rank.JACK: "figure-J"}


class CardFace(NamedTuple):
    """What is drawn of a card: its rank, the symbols of its suit and figure, and its name.

    A card that can't be read has no symbol and no name: its code is what was written.
    """

    code: str
    rank: Text | str
    symbol: str = ""
    figure: str = ""
    name: Text | None = None


def card_face(card: Card, deck: Deck) -> CardFace:
    """Draw a card: French decks print the rank, Italian ones draw the figures."""
    return CardFace(
        code=str(card),
        rank=rank_letter(card.rank, deck),
        symbol=suit_symbol(card.suit, deck),
        figure=FIGURES.get(card.rank, "") if deck.italian else "",
        name=card_name(card, deck),
    )


def suit_symbol(suit: Suit, deck: Deck) -> str:
    """Return the name of the symbol of a suit; French suits have symbols of their own."""
    return f"suit-{suit}" if deck.italian else f"suit-f{suit}"


def suit_faces(deck: Deck) -> list[tuple[Text, list[CardFace]]]:
    """Draw a whole deck: each suit by its name, with its cards from strong to weak."""
    words = SUIT_WORDS[deck.italian]
    return [
        (words[suit], [card_face(card, deck) for card in deck.cards if card.suit == suit])
        for suit in deck.suits
    ]
