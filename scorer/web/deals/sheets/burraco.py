"""The entry form of Burraco: the derived one, with cards to count and the pot of whoever closed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from scorer.texts import as_it_is, say
from scorer.web.deals.sheets.derived import DerivedForm
from scorer.web.deals.sheets.questions import Countable, Ease

#: Two packs with four jokers, by what the cards count.
CARDS = [
    Countable(say("Joker"), say("Joker"), 30, 4),
    Countable("2", say("Two"), 20, 8),
    Countable("A", say("Ace"), 15, 8),
    Countable(as_it_is("8 – K"), say("from eight to king"), 10, 48),
    Countable(as_it_is("3 – 7"), say("from three to seven"), 5, 40),
]


class BurracoForm(DerivedForm):
    """The form of Burraco."""

    order = ("alone", "clean", "semi_clean", "dirty", "closed", "pot_taken")
    ease: ClassVar[Mapping[str, Ease]] = {
        "melded": Ease(step=5, cards=True),
        "in_hand": Ease(step=5, cards=True),
        "closed": Ease(implied="pot_taken"),
        "penalty": Ease(step=5, fold=say("Penalties")),
    }

    def countable(self) -> list[Countable]:
        """Give all the cards."""
        return CARDS
