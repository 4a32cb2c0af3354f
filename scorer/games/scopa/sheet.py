"""The sheet of a deal of Scopa: the options, what is counted, what no cards allow (rules.md D1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.piles import (
    MissingSuit,
    MissingSuitRule,
    PileSheet,
    one_for,
    pile_points,
    pile_problems,
    pile_steps,
    pile_warnings,
)
from scorer.rules.plain_game import Bonus, BonusName, bonus_problems
from scorer.rules.seats import PerSide, Side, Sides
from scorer.rules.sheet import Ask, Choice
from scorer.texts import Text, as_it_is, card_count, say

WHOLE_NAPOLA, TO_THE_SEVEN = 10, 7


class Napola(Choice):
    """The worth of a napola: ace, two and three of coins and the run from there."""

    OFF = "off", say("Is not counted")
    LENGTH = "length", say("As many points as cards")
    THREE = "three", say("Three points")


class ScopaEnd(Choice):
    """Who wins when several reach the target: the highest, or the first in the counting."""

    HIGHEST = "highest", say("The highest wins")
    ORDER_ON_TIE = "order-on-tie", say("The highest; level, the order of counting")
    ORDER_ALWAYS = "order-always", say("The order of counting")


@dataclass(frozen=True, slots=True)
class ScopaRules(NamedRules):
    """What is counted, and the end."""

    target: Annotated[int, Ask(say("Points to reach"), low=1, high=1000)] = 11
    napola: Annotated[
        Napola, Ask(say("Napola"), hint=say("Ace, two and three of coins, and the run from there."))
    ] = Napola.OFF
    re_bello: Annotated[
        bool, Ask(say("Re bello"), hint=say("The king of coins is worth a point."))
    ] = False
    end: Annotated[
        ScopaEnd,
        Ask(
            say("When several reach the target"),
            hint=say("The order of counting: cards, coins, settebello, primiera, scope."),
        ),
    ] = ScopaEnd.HIGHEST
    missing_suit: MissingSuitRule = MissingSuit.OUT
    bonus: BonusName = ""
    four: Annotated[bool, Ask(say("Only for four, in pairs"), unsaid=True)] = False
    left_on_table: Annotated[
        bool,
        Ask(
            say("Fewer than 40 cards may be counted"),
            unsaid=True,
            hint=say("What nobody took, or somebody forgot to count, is only pointed out."),
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class ScopaSheet(PileSheet):
    """A deal: the piles, and what a house counts besides."""

    napola: Annotated[PerSide[int], Ask(say("Napola"), low=0, high=WHOLE_NAPOLA, counted=True)] = (
        PerSide()
    )
    re_bello: Annotated[Side | None, Ask(say("Re bello"))] = None
    bonus: Bonus = PerSide()


def counted(sheet: ScopaSheet, rules: ScopaRules) -> dict[str, list[int]]:
    """Count the points of each side, in the order in which they are counted at the table."""
    most = {Napola.OFF: 0, Napola.THREE: 3, Napola.LENGTH: WHOLE_NAPOLA}[rules.napola]
    return {
        **pile_points(sheet, rules),
        "napola": [min(sheet.napola.of(side, 0), most) for side in sheet.sides],
        "re-bello": one_for(sheet, sheet.re_bello if rules.re_bello else None),
        "bonus": [sheet.bonus.of(side, 0) for side in sheet.sides],
    }


def steps(sheet: ScopaSheet, table: Table[ScopaRules], sides: Sides) -> Iterator[Step]:
    def said(rule: str, side: int) -> Text:
        if rule == "napola":
            three = table.rules.napola is Napola.THREE
            words = NAPOLA_OF_THREE if three else NAPOLA_OF_LENGTH
            return Text(words.template, {"count": sheet.napola[side]})
        return as_it_is(table.rules.bonus) if rule == "bonus" else say("re bello")

    return pile_steps(sheet, table, sides, counted(sheet, table.rules), said)


NAPOLA_OF_LENGTH = say("napola of %(count)s cards")
NAPOLA_OF_THREE = say("napola of %(count)s cards, which counts 3 by these rules")


def sheet_problems(sheet: ScopaSheet, table: Table[ScopaRules]) -> Iterator[Problem]:
    yield from pile_problems(sheet, table.rules, some_left=table.rules.left_on_table)
    for side in sheet.sides:
        yield from _coin_problems(sheet, side)
    yield from _napola_problems(sheet, table.rules)
    yield from bonus_problems(sheet.bonus, table.rules.bonus)


def _coin_problems(sheet: ScopaSheet, side: int) -> Iterator[Problem]:
    coins = sheet.coins[side]
    run = sheet.napola.of(side, 0)
    settebello = sheet.settebello == side and run < TO_THE_SEVEN
    re_bello = sheet.re_bello == side and run < WHOLE_NAPOLA
    if coins < run + settebello + re_bello:
        code, field = "re-bello-coins", "re_bello"
        if run:
            code, field = "napola-coins", f"napola[{side}]"
        elif settebello:
            code, field = "settebello-coins", "settebello"
        message = say(
            "Napola, settebello and re bello need at least %(least)s of coins, not %(coins)s.",
            least=card_count(run + settebello + re_bello),
            coins=coins,
        )
        yield Problem(code, field, message)


def _napola_problems(sheet: ScopaSheet, rules: ScopaRules) -> Iterator[Problem]:
    runs = [(side, run) for side, run in enumerate(sheet.napola) if run]
    if len(runs) > 1:
        message = say("Only one side can have ace, two and three of coins.")
        yield Problem("napola-sides", "napola", message)
    for side, run in runs:
        field = f"napola[{side}]"
        if run < 3:
            yield Problem("napola-length", field, say("A napola has at least ace, two and three."))
        elif rules.napola is Napola.LENGTH and _goes_on(sheet, side, run):
            message = say("By what else is written down, the napola is longer.")
            yield Problem("napola-length", field, message)
        if run >= TO_THE_SEVEN and sheet.settebello != side:
            message = say("A napola of %(length)s has the settebello in it.", length=run)
            yield Problem("napola-settebello", field, message)
        if run == WHOLE_NAPOLA and sheet.re_bello not in (None, side):
            message = say("A napola of %(length)s has the re bello in it.", length=run)
            yield Problem("napola-re-bello", field, message)


def _goes_on(sheet: ScopaSheet, side: int, run: int) -> bool:
    """Whether the side has the card that comes after its run."""
    with_the_seven = run == TO_THE_SEVEN - 1 and sheet.settebello == side
    with_the_king = run == WHOLE_NAPOLA - 1 and sheet.re_bello == side
    return with_the_seven or with_the_king or run < sheet.coins[side] == WHOLE_NAPOLA


def sheet_warnings(sheet: ScopaSheet, table: Table[ScopaRules]) -> list[Problem]:
    """Find what isn't counted here, and what the piles can't be."""
    warnings, rules = [*pile_warnings(sheet)], table.rules
    if any(sheet.napola) and rules.napola is Napola.OFF:
        message = say("The napola isn't counted by these rules.")
        warnings.append(Problem("not-counted", "napola", message))
    if sheet.re_bello is not None and not rules.re_bello:
        message = say("The re bello isn't counted by these rules.")
        warnings.append(Problem("not-counted", "re_bello", message))
    return warnings
