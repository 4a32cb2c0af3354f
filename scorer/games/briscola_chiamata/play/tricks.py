"""Who wins a trick (rules.md C1): any card may be played, the strongest briscola takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer.rules.cards import Card
    from scorer.rules.cards import Deck
    from scorer.rules.cards import Suit


def winning_place(cards: Sequence[Card], trump: Suit, deck: Deck) -> int:
    """Give the place, counted from the lead, of the card that takes a trick.

    The strongest card of the trump suit wins; without one, the strongest of the suit that was led.
    """
    led = cards[0].suit
    worth = {trump: 2} if led is trump else {trump: 2, led: 1}
    return max(
        range(len(cards)),
        key=lambda place: (worth.get(cards[place].suit, 0), -deck.strength[cards[place].rank]),
    )


def points_of(cards: Sequence[Card], deck: Deck) -> int:
    """What these cards are worth together."""
    return sum(deck.card_points[card.rank] for card in cards)
