"""The entry form of Scala Quaranta: a line for each player, who closed or what was left in hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from scorer.rules.cards import RANK_WORDS, Rank
from scorer.rules.seats import Seat
from scorer.texts import say
from scorer.web.deals.sheets.derived import DerivedForm
from scorer.web.deals.sheets.questions import Asked, Countable, Ease

PACKS_OF_SUITS, FIGURES, FIGURE = 8, 3, 10
JOKER = Countable(say("Joker"), say("Joker"), 25, 4)


class ScalaForm(DerivedForm):
    """The form of Scala Quaranta."""

    template = "deals/_scala_quaranta.html"
    first = say("Who closed?")
    ease: ClassVar[Mapping[str, Ease]] = {"hands": Ease(cards=True)}
    apart: ClassVar[frozenset[str]] = frozenset({"hands"})

    def question(self, name: str) -> Asked | None:
        """Give a question, if it is asked."""
        return next((one for one in self.asked if one.name == name), None)

    def side_of(self, seat: Seat) -> int:
        """Give the number of the side that somebody is on."""
        return next(number for number, side in enumerate(self.sides) if seat in side)

    def balance(self, seat: Seat) -> int:
        """Give somebody's balance before the deal."""
        return (self.table.balances or {}).get(seat, 0)

    def countable(self) -> list[Countable]:
        """Give all the cards; what an ace counts the house says."""
        ace = Countable("A", RANK_WORDS[Rank.ACE], self.table.rules.ace, PACKS_OF_SUITS)
        figures = Countable(
            say("Court cards"), say("Court cards"), FIGURE, FIGURES * PACKS_OF_SUITS
        )
        pips = [
            Countable(str(worth), RANK_WORDS[Rank(str(worth))], worth, PACKS_OF_SUITS)
            for worth in range(10, 1, -1)
        ]
        return [JOKER, ace, figures, *pips]
