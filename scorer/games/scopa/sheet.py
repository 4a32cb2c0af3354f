"""The sheet of a deal of Scopa, and the options of the game (rules.md D1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from scorer.rules.cards import Rank
from scorer.rules.choices import Choice
from scorer.rules.seats import Side
from scorer.rules.sheet import Ask, Unanswered
from scorer.rules.sides import PerSide
from scorer.texts import say

CARDS, COINS, SUITS = 40, 10, 4
WHOLE_NAPOLA, TO_THE_SEVEN = 10, 7
MOST_PRIMIERA = 84


class Napola(Choice):
    """What ace, two and three of coins and the run from there count."""

    OFF = "off", say("Is not counted")
    LENGTH = "length", say("As many points as cards")
    THREE = "three", say("Three points")


class End(Choice):
    """Who wins when several are there: the highest, or whoever gets there first in the counting."""

    HIGHEST = "highest", say("The highest wins")
    ORDER_ON_TIE = "order-on-tie", say("The highest; level, the order of counting")
    ORDER_ALWAYS = "order-always", say("The order of counting")


class MissingSuit(Choice):
    """What becomes of a primiera without a card of every suit."""

    OUT = "out", say("Can’t win it")
    ZERO = "zero", say("Counts nothing for the suit")


@dataclass(frozen=True, slots=True)
class ScopaRules:
    """What is counted, and how long it is played."""

    slug: Annotated[str, Ask(say("Slug"))]
    name: Annotated[str, Ask(say("Name"))]
    target: Annotated[int, Ask(say("Target"), low=1, high=1000)] = 11
    napola: Annotated[Napola, Ask(say("Napola"))] = Napola.OFF
    re_bello: Annotated[bool, Ask(say("Re bello"))] = False
    end: Annotated[End, Ask(say("Several at the target"))] = End.HIGHEST
    missing_suit: Annotated[MissingSuit, Ask(say("Primiera without a suit"))] = MissingSuit.OUT


@dataclass(frozen=True, slots=True)
class ScopaSheet:
    """What the scorekeeper writes down for one deal.

    The primiera comes as its points, as the best card of each suit, or as who has the best.
    """

    cards: Annotated[PerSide[int], Ask(say("Cards"), low=0, high=CARDS, total=CARDS)]
    coins: Annotated[PerSide[int], Ask(say("Coins"), low=0, high=COINS, total=COINS)]
    settebello: Annotated[Side, Ask(say("Settebello"))]
    primiera: Annotated[
        PerSide[int | None] | None, Ask(say("Primiera"), low=0, high=MOST_PRIMIERA)
    ] = None
    primiera_cards: Annotated[
        PerSide[tuple[Rank | None, ...]] | None, Ask(say("Best card of each suit"))
    ] = None
    primiera_winner: Annotated[Side | Unanswered | None, Ask(say("Best primiera"))] = (
        Unanswered.UNANSWERED
    )
    sweeps: Annotated[PerSide[int], Ask(say("Scope"), low=0, high=CARDS // 2, counted=True)] = (
        PerSide()
    )
    napola: Annotated[PerSide[int], Ask(say("Napola"), low=0, high=WHOLE_NAPOLA, counted=True)] = (
        PerSide()
    )
    re_bello: Annotated[Side | None, Ask(say("Re bello"))] = None

    @property
    def sides(self) -> range:
        """The numbers of the sides."""
        return range(len(self.cards))
