"""The entry form of Briscola: the derived one, with likely card points and a pile to count."""

from __future__ import annotations

from scorer.rules.cards import DECKS
from scorer.rules.sheet import Question
from scorer.web.deals.sheets.derived import DerivedForm
from scorer.web.deals.sheets.questions import Countable, Ease, counted_ranks

IMPOSSIBLE = (1, 119)
#: What two sides often have, the drawn deal and the cappotto among it; and one of three players.
OF_TWO = Ease(first=61, skip=IMPOSSIBLE, keys=(60, 61, 65, 70, 75, 80, 90, 100, 120), cards=True)
OF_THREE = Ease(first=40, skip=IMPOSSIBLE, keys=(20, 30, 40, 45, 50, 60), cards=True)


class BriscolaForm(DerivedForm):
    """The form of Briscola."""

    def ease_of(self, question: Question) -> Ease:
        """Offer the card points that are likely among so many sides."""
        if question.name != "card_points":
            return Ease()
        return OF_TWO if len(self.sides) == 2 else OF_THREE

    def countable(self) -> list[Countable]:
        """Give the cards that are worth something."""
        return counted_ranks(DECKS["italian-40"])
