"""The entry form of Scopa: the derived one, and the primiera by its cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from scorer.games.scopa.sheet import PRIMIERA
from scorer.rules.cards import DECKS, ITALIAN_SUITS, SUIT_WORDS, Suit, rank_name
from scorer.rules.game import Table
from scorer.texts import say
from scorer.web.deals.sheets.derived import DerivedForm
from scorer.web.deals.sheets.questions import Ease, Offer, Pick

DECK = DECKS["italian-40"]
COUNTED = say("The primiera by cards or points")


class ScopaForm(DerivedForm):
    """The form of Scopa."""

    ease: ClassVar[Mapping[str, Ease]] = {
        "cards": Ease(first=20),
        "coins": Ease(first=5),
        "primiera_winner": Ease(group="primiera"),
        "primiera_cards": Ease(group="primiera", fold=COUNTED),
        "primiera": Ease(first=70, group="primiera", fold=COUNTED),
        "napola": Ease(skip=(1, 2)),
    }

    def listed(self, name: str, side: int) -> list[Any]:
        """Return the best card of each suit; nothing where none was picked."""
        ranks = [self.picked(name, side, suit) or None for suit in ITALIAN_SUITS]
        return ranks if any(ranks) else []

    @classmethod
    def lists(cls, name: str, side: int, table: Table[Any]) -> list[Pick]:
        """Offer the cards of each suit, the best for a primiera first."""
        return [
            Pick(f"{name}-{side}-{suit}", SUIT_WORDS[True][suit], f"suit-{suit}", _offered(suit))
            for suit in ITALIAN_SUITS
        ]

    @classmethod
    def picks(cls, name: str, side: int, answers: tuple[Any, ...]) -> dict[str, str]:
        """Return what the lists send for the cards that were stored."""
        named = zip(ITALIAN_SUITS, answers, strict=True)
        return {f"{name}-{side}-{suit}": str(rank) for suit, rank in named if rank is not None}


def _offered(suit: Suit) -> list[Offer]:
    ranks = (Offer(str(rank), rank_name(rank, DECK), (f"{rank}{suit}",)) for rank in PRIMIERA)
    return [Offer("", say("none")), *ranks]
