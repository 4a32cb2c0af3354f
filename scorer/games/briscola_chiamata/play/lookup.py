"""The cards of a deck by number, so that whole deals are looked up instead of worked out.

A deck's cards are numbered suit by suit, from strong to weak. ``UNREAD`` stands for a card that
was written down and can't be read: it is worth nothing and beats nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scorer.rules.cards import DECKS, ITALIAN_SUITS, Card, Suit, card_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorer.rules.cards import Deck
    from scorer.texts import Text

UNREAD = -1


class Numbers(dict[str, int]):
    """The number of a card by what ``str`` writes; any other spelling is read when it is met."""

    def __init__(self, deck: Deck, cards: Sequence[Card]) -> None:
        super().__init__({str(card): number for number, card in enumerate(cards)})
        self._deck = deck

    def __missing__(self, text: object) -> int:
        """Read a card leniently; raise TypeError for what is no text."""
        if not isinstance(text, str):
            raise TypeError(text)
        try:
            return self[str(self._deck.card(text))]
        except ValueError:
            return UNREAD


class Letters(NamedTuple):
    """How the suits are written: the cards that there are then, and the deck that names them."""

    pack: frozenset[int]
    words: Deck


class Lookup:
    """A deck by number; a French one may be written with Italian letters, and has batons too."""

    def __init__(self, deck: Deck) -> None:
        """Number the cards, and work out once what each is worth and which it beats."""
        self.suits = deck.suits if deck.italian else (*deck.suits, Suit.B)
        self.height = len(deck.ranks)
        self.cards = tuple(Card(rank, suit) for suit in self.suits for rank in deck.ranks)
        self.numbers = Numbers(deck, self.cards)
        self.points = (*(deck.card_points[card.rank] for card in self.cards), 0)
        self.letters = self._letters(deck)
        self.italian_letters = self._letters(replace(deck, suits=ITALIAN_SUITS))
        self.packs = (self.letters.pack, self.italian_letters.pack)
        self._strengths = [
            [self._beating(trump, led) for led in range(len(self.cards))]
            for trump in range(len(self.suits))
        ]

    def _letters(self, words: Deck) -> Letters:
        return Letters(frozenset(self.numbers[str(card)] for card in words.cards), words)

    def _beating(self, trump: int, led: int) -> list[int]:
        """How strong each card is in a trick, of the trump suit, of the suit led, or of none."""
        worth = {led // self.height: self.height, trump: 2 * self.height}
        ranked = [
            worth.get(number // self.height, 0) - number % self.height
            for number in range(len(self.cards))
        ]
        return [*(max(0, strength) for strength in ranked), 0]

    def number(self, card: Card) -> int:
        """The number of a card; ``UNREAD`` for one that the deck doesn't have."""
        return self.numbers.get(str(card), UNREAD)

    def suit_of(self, number: int) -> int:
        """The place of a card's suit among the suits."""
        return number // self.height

    def weaker(self, number: int) -> range:
        """The cards of the same suit that are weaker."""
        return range(number + 1, (self.suit_of(number) + 1) * self.height)

    def settle(self, tricks: Iterable[Sequence[int]], trump: int) -> list[tuple[int, int]]:
        """For each whole trick the place of the card that takes it, and what it brings.

        The strongest card of the trump suit wins; without one, the strongest of the suit led.
        """
        by_lead, points, settled = self._strengths[trump], self.points, []
        for cards in tricks:
            strengths, best, strongest, worth = by_lead[cards[0]], -1, UNREAD, 0
            for card in cards:
                worth += points[card]
                strength = strengths[card]
                if strength > best:
                    best, strongest = strength, card
            settled.append((cards.index(strongest), worth))
        return settled

    def name(self, number: int, letters: Letters) -> Text:
        """Say a card in words."""
        return card_name(self.cards[number], letters.words)


LOOKUPS = {slug: Lookup(deck) for slug, deck in DECKS.items()}
