"""Pinnacola for two, or for four in pairs: cards laid down count, cards left in hand cost.

Who closes has some points more; what counts twice is counted at the table (rules.md D12).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.options import Source
from scorer.rules.plain_game import (
    Bonus,
    BonusName,
    PlainGame,
    Preset,
    bonus_problems,
    bonus_steps,
    bonus_words,
    fives_problems,
    laid_down_steps,
    side_step,
    too_many_in_hand,
)
from scorer.rules.questions import Ask
from scorer.rules.seats import PerSide, Side, Sides
from scorer.texts import Text, say

#: What two packs count: 2 to 5 five, 6 to king ten, aces fifteen, jokers 25.
PACK = 8 * (4 * 5 + 8 * 10 + 15) + 4 * 25
MOST_MELDED = 10_000


@dataclass(frozen=True, slots=True)
class PinnacolaRules(NamedRules):
    """How long it is played, the first end counts, and what closing is worth."""

    target: Annotated[
        int | None, Ask(say("Points to reach"), low=100, high=100_000, none=say("No target"))
    ] = 1500
    closing: Annotated[int, Ask(say("What closing is worth"), low=0, high=1000)] = 100
    deals: Annotated[int | None, Ask(say("Deals"), low=1, high=999, none=say("Open end"))] = None
    bonus: BonusName = ""


@dataclass(frozen=True, slots=True)
class PinnacolaSheet:
    """What the scorekeeper writes down for one deal; nobody closes if the stock runs out."""

    melded: Annotated[PerSide[int], Ask(say("Cards melded"), low=0, high=MOST_MELDED)]
    in_hand: Annotated[PerSide[int], Ask(say("Cards in hand"), low=0, high=PACK, counted=True)]
    closed: Annotated[Side | None, Ask(say("Closed"))] = None
    penalty: Annotated[PerSide[int], Ask(say("Penalty"), low=0, high=MOST_MELDED, counted=True)] = (
        PerSide()
    )
    bonus: Bonus = PerSide()


class Pinnacola(PlainGame[PinnacolaSheet, PinnacolaRules]):
    """Runs and sets, the pile of discards, and a race to close."""

    slug = "pinnacola"
    name = say("Pinnacola")
    blurb = say("Lay down runs and sets, take from the row of discards, and close first.")
    about = (
        say(
            "Two French packs with four jokers, thirteen cards each. In turn everybody draws a "
            "card, or takes one of those put away with all that lie on it, and puts one away."
        ),
        say(
            "Runs of a suit and sets of a rank are laid down, at least three cards each; partners "
            "add to each other’s. The deal is over when somebody has no card left, or with the "
            "stock."
        ),
        say(
            "2 to 5 count 5, six to king 10, the ace 15, a joker 25. What lies on the table is "
            "added, what is left in hand is taken off, and closing counts besides. Many houses "
            "count long runs without a joker twice: do so before you write it down."
        ),
    )
    sheet_type = PinnacolaSheet
    rules_type = PinnacolaRules
    seats = (2, 4)
    described = (
        Preset("to-1500", say("To 1500"), say("The usual match."), {}),
        Preset("to-1000", say("To 1000"), say("A shorter match."), {"target": 1000}),
        Preset("to-2500", say("To 2500"), say("A longer match."), {"target": 2500}),
        Preset(
            "open",
            say("Open end"),
            say("Deal after deal, as long as you like."),
            {"target": None},
        ),
    )
    sources = (
        Source("valliadi.it, Pinnacola", None),
        Source("peqman.com, Pinnacola", "https://peqman.com/?p=714"),
        Source(
            "chileit.it, Pinnacolo",
            "http://www.chileit.it/chiusura-e-punteggi-del-pinnacolo-1944",
        ),
    )

    def problems(self, sheet: PinnacolaSheet, table: Table[PinnacolaRules]) -> Iterator[Problem]:
        yield from fives_problems(sheet)
        if len(table.active) == 2 and sheet.closed is not None and sheet.in_hand[sheet.closed]:
            field = f"in_hand[{sheet.closed}]"
            yield Problem("closed-in-hand", field, say("Whoever closes holds no cards."))
        if (total := sum(sheet.in_hand)) > PACK:
            yield Problem("sum-1020", "in_hand", too_many_in_hand(total, PACK))
        yield from bonus_problems(sheet.bonus, table.rules.bonus)

    def steps(
        self, sheet: PinnacolaSheet, table: Table[PinnacolaRules], sides: Sides
    ) -> Iterator[Step]:
        for side, seats in enumerate(sides):
            if side == sheet.closed:
                yield side_step("closed", table, seats, say("closed"), table.rules.closing)
            laid_down = sheet.melded[side], sheet.in_hand[side], sheet.penalty.of(side, 0)
            yield from laid_down_steps(table, seats, *laid_down)
        yield from bonus_steps(sheet.bonus, table, sides)

    def words(self, rules: PinnacolaRules) -> Iterator[Text]:
        yield say("Closing counts %(points)s.", points=rules.closing)
        yield say("The cards on the table are added, those in hand and penalties are taken off.")
        yield from bonus_words(rules.bonus)
        yield from self.ends(rules).words()


GAME = Pinnacola()
