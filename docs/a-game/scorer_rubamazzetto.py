"""Rubamazzetto for two to four: a card takes one of its rank, even the pile that shows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.options import Source
from scorer.rules.plain_game import PlainGame, Preset, side_step
from scorer.rules.questions import Ask
from scorer.rules.seats import PerSide, Seat, Sides, every_seat
from scorer.texts import Text, say

PACK = 40


@dataclass(frozen=True, slots=True)
class RubamazzettoRules(NamedRules):
    """When it ends; the first end counts."""

    target: Annotated[int | None, Ask(say("Cards to reach"), low=1, none=say("No target"))] = None
    deals: Annotated[int | None, Ask(say("Deals"), low=1, none=say("Open end"))] = None


@dataclass(frozen=True, slots=True)
class RubamazzettoSheet:
    """What the scorekeeper writes down for one deal: how many cards each pile has."""

    cards: Annotated[PerSide[int], Ask(say("Cards"), low=0, high=PACK, total=PACK, counted=True)]


class Rubamazzetto(PlainGame[RubamazzettoSheet, RubamazzettoRules]):
    """Each card of one's pile is a point."""

    slug = "rubamazzetto"
    name = say("Rubamazzetto")
    blurb = say("Take a card by one of its rank, and a whole pile by the card that lies on it.")
    about = (say("Forty cards, three in hand and four on the table; the biggest pile is best."),)
    sheet_type = RubamazzettoSheet
    rules_type = RubamazzettoRules
    seats = (2, 3, 4)
    described = (
        Preset("to-100", say("To 100"), say("A hundred cards end it."), {"target": 100}),
        Preset("three-deals", say("Three deals"), say("Most cards wins."), {"deals": 3}),
    )
    sources = (Source("Wikipedia, Rubamazzo", "https://it.wikipedia.org/wiki/Rubamazzo"),)

    def sides(
        self,
        active: Sequence[Seat],
        rules: RubamazzettoRules,
        sheet: RubamazzettoSheet | None = None,
    ) -> Sides:
        return every_seat(active)

    def problems(
        self, sheet: RubamazzettoSheet, table: Table[RubamazzettoRules]
    ) -> Iterator[Problem]:
        if sum(sheet.cards) != PACK:
            yield Problem("sum-not-40", "cards", say("The piles have 40 cards together."))

    def steps(
        self, sheet: RubamazzettoSheet, table: Table[RubamazzettoRules], sides: Sides
    ) -> Iterator[Step]:
        for side, cards in zip(sides, sheet.cards, strict=True):
            yield side_step("cards", table, side, say("cards in the pile"), cards)

    def words(self, rules: RubamazzettoRules) -> Iterator[Text]:
        yield say("Each card of a pile is a point.")
        yield from self.ends(rules).words()


GAME = Rubamazzetto()
