"""The sheet of a deal of Scala Quaranta, and the options of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from scorer.rules.choices import Choice
from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask
from scorer.texts import say

JOKER, JOKERS, TEN, HELD = 25, 4, 10, 13
HIGH_ACE, LOW_ACE, ACES = 11, 1, 8
REST = 8 * (sum(range(2, TEN + 1)) + 3 * TEN) + JOKERS * JOKER


class Out(Choice):
    """Who is out: whoever reaches the limit, or only who goes over it."""

    AT = "at", say("At the limit")
    OVER = "over", say("Over the limit")


class BuyIn(Choice):
    """Where whoever is out may come back in, if at all."""

    OFF = "off", say("Nobody")
    HIGHEST = "highest", say("With as many points as the highest")
    HIGHEST_PLUS_ONE = "highest-plus-one", say("With one point more than the highest")


@dataclass(frozen=True, slots=True)
class ScalaRules:
    """The limit, what cards count, and whether one may buy in again; the fee is in cents."""

    slug: Annotated[str, Ask(say("Slug"))]
    name: Annotated[str, Ask(say("Name"))]
    limit: Annotated[int, Ask(say("Limit"), low=1, high=100_000)] = 101
    out: Annotated[Out, Ask(say("Out"))] = Out.AT
    closed_in_hand_times: Annotated[int, Ask(say("Closing in hand counts"), low=1, high=10)] = 1
    ace: Annotated[int, Ask(say("Ace in hand"), low=LOW_ACE, high=HIGH_ACE)] = HIGH_ACE
    buy_in: Annotated[BuyIn, Ask(say("Comes back in"))] = BuyIn.OFF
    gate: Annotated[
        int | None, Ask(say("Buying in until"), low=0, high=100_000, none=say("Always"))
    ] = None
    fee: Annotated[
        int | None, Ask(say("Fee in cents"), low=0, high=1_000_000, none=say("None"))
    ] = None

    @property
    def least(self) -> int:
        """What one card counts at least."""
        return min(self.ace, 2)

    @property
    def most(self) -> int:
        """What a hand counts at most: jokers, and then aces or tens."""
        left = HELD - JOKERS
        if self.ace < TEN:
            return JOKERS * JOKER + left * TEN
        return JOKERS * JOKER + ACES * self.ace + (left - ACES) * TEN

    @property
    def pack(self) -> int:
        """What all 108 cards count."""
        return REST + ACES * self.ace

    @property
    def least_out(self) -> int:
        """The least balance that is too much."""
        return self.limit if self.out is Out.AT else self.limit + 1

    def is_out(self, balance: int) -> bool:
        """Whether a balance is too much."""
        return balance >= self.least_out


@dataclass(frozen=True, slots=True)
class ScalaSheet:
    """What the scorekeeper writes down for one deal; ``buy_in`` come back in after it."""

    closed: Annotated[Seat, Ask(say("Closed"))]
    hands: Annotated[Mapping[Seat, int], Ask(say("Cards left in hand"), low=0)]
    closed_in_hand: Annotated[bool, Ask(say("Closed in hand"))] = False
    buy_in: Annotated[tuple[Seat, ...], Ask(say("Back in"))] = ()

    def times(self, rules: ScalaRules) -> int:
        """How many times the hands count."""
        return rules.closed_in_hand_times if self.closed_in_hand else 1
