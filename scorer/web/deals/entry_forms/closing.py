"""The forms of games that somebody closes: a line for each player, with a button and a hand."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from scorer.games.machiavelli import MachiavelliRules
from scorer.games.ramino import Close, RaminoRules
from scorer.games.scala_quaranta import ScalaRules
from scorer.rules.cards import Rank
from scorer.rules.closing_game import HIGH_ACE, JOKER, JOKERS
from scorer.rules.seats import Seat
from scorer.texts import say
from scorer.web.deals.entry_forms.derived import (
    HEAP,
    Countable,
    DerivedForm,
    FormQuestion,
    InputHints,
)

PACKS_OF_SUITS, FIGURES, FIGURE = 8, 3, 10


class ClosingForm(DerivedForm):
    """Who closed, and what was left in the others' hands."""

    template = "deals/_closing.html"
    first = say("Who closed?")
    counter_goes_on = True
    hints: ClassVar[Mapping[str, InputHints]] = {"hands": InputHints(cards=True)}
    apart: ClassVar[frozenset[str]] = frozenset({"hands"})
    #: Questions below the lines of the players.
    below: ClassVar[Sequence[str]] = ()

    @property
    def out_from(self) -> int | None:
        """The least balance that is out; None where nobody is ever out."""
        least: int | None = getattr(self.table.rules, "least_out", None)
        return least

    @property
    def times(self) -> int:
        """How often the hands count where somebody closed in hand."""
        return 1

    @property
    def ace(self) -> int:
        """What an ace left in hand counts."""
        return HIGH_ACE

    @property
    def closing(self) -> Mapping[str, int]:
        """What whoever closed takes on, by how it was done."""
        return {}

    def terms(self) -> Sequence[Mapping[str, Any]]:
        closing = (
            {"closer": "closed", "worth": worth, "when": ["close", how]}
            for how, worth in self.closing.items()
        )
        hands = {"held": "hands", "ticked": "closed_in_hand", "worth": self.times}
        return [hands, {"closer": "closed", "worth": 0}, *closing]

    def ends(self) -> Mapping[str, Any]:
        return {"out_from": self.out_from}

    def question(self, name: str) -> FormQuestion | None:
        return next((question for question in self.questions if question.name == name), None)

    def side_of(self, seat: Seat) -> int:
        return next(number for number, side in enumerate(self.sides) if seat in side)

    def balance(self, seat: Seat) -> int:
        return (self.table.balances or {}).get(seat, 0)

    def countable(self) -> list[Countable]:
        """List all the cards."""
        joker = Countable(say("Joker"), say("Joker"), JOKER, JOKERS)
        ace = Countable("A", Rank.ACE.words, self.ace, PACKS_OF_SUITS)
        figures = Countable(
            say("Court cards"), say("Court cards"), FIGURE, FIGURES * PACKS_OF_SUITS
        )
        pips = [
            Countable(str(worth), Rank(str(worth)).words, worth, PACKS_OF_SUITS)
            for worth in range(10, 1, -1)
        ]
        return [joker, ace, figures, *pips, HEAP]


class ScalaForm(ClosingForm):
    """Scala Quaranta: the house rules say what an ace counts, and closing in hand."""

    slug = "scala-quaranta"
    below = ("closed_in_hand", "buy_in", "bonus")

    @property
    def rules(self) -> ScalaRules:
        rules: ScalaRules = self.table.rules
        return rules

    @property
    def times(self) -> int:
        return self.rules.closed_in_hand_times

    @property
    def ace(self) -> int:
        return self.rules.ace


class RaminoForm(ClosingForm):
    """Ramino: how it was closed takes points off, or wins the match."""

    slug = "ramino"
    below = ("close", "buy_in")

    @property
    def closing(self) -> Mapping[str, int]:
        rules: RaminoRules = self.table.rules
        return {close.value: -rules.less(close) for close in Close}

    def pays(self) -> dict[str, Any]:
        return {**super().pays(), "wins": {"name": "close", "told": Close.RAMINO.value}}

    @classmethod
    def decides(cls, sheet: Any, rules: Any) -> Mapping[str, Any]:
        return {"wins": True} if sheet.close is Close.RAMINO else {}


class MachiavelliForm(ClosingForm):
    """Machiavelli: nobody is ever out, and perhaps nobody closed."""

    slug = "machiavelli"

    def ends(self) -> Mapping[str, Any]:
        rules: MachiavelliRules = self.table.rules
        return {"target": rules.limit, "deals": rules.deals}
