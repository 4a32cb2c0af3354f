"""What a deal of Scopa counts: the primiera, and every point in the order in which it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.scopa.sheet import MissingSuit, Napola
from scorer.rules.cards import Rank
from scorer.rules.game import Step
from scorer.rules.plain_game import level_step, side_step
from scorer.rules.sheet import Unanswered
from scorer.rules.sides import strictly_most
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorer.games.scopa.sheet import ScopaRules, ScopaSheet
    from scorer.rules.game import Table
    from scorer.rules.sides import Sides
    from scorer.texts import Text

FIGURE = 10
PRIMIERA = {
    Rank.SEVEN: 21,
    Rank.SIX: 18,
    Rank.ACE: 16,
    Rank.FIVE: 15,
    Rank.FOUR: 14,
    Rank.THREE: 13,
    Rank.TWO: 12,
    Rank.KING: FIGURE,
    Rank.QUEEN: FIGURE,
    Rank.JACK: FIGURE,
}


def primiera_of(sheet: ScopaSheet, rules: ScopaRules) -> list[int | None] | None:
    """Give the primiera of each side, None for one that can't compete; None when nobody counted."""
    if sheet.primiera_cards is not None:
        return [worth(cards, rules) for cards in sheet.primiera_cards]
    if sheet.primiera is None:
        return None
    if rules.missing_suit is MissingSuit.ZERO:
        return list(sheet.primiera)
    return [value or None for value in sheet.primiera]


def worth(cards: Sequence[Rank | None], rules: ScopaRules) -> int | None:
    """Give the primiera of the best cards of each suit."""
    if None in cards and rules.missing_suit is MissingSuit.OUT:
        return None
    return sum(PRIMIERA[rank] for rank in cards if rank is not None)


def primiera_winner(sheet: ScopaSheet, rules: ScopaRules) -> int | None:
    """Say which side has the best primiera, by its points or as it was written down."""
    points = primiera_of(sheet, rules)
    if points is not None:
        return strictly_most(points)
    return None if isinstance(sheet.primiera_winner, Unanswered) else sheet.primiera_winner


def counted(sheet: ScopaSheet, rules: ScopaRules) -> dict[str, list[int]]:
    """Count the points of each side, in the order in which they are counted at the table."""

    def one_for(side: int | None) -> list[int]:
        return [int(number == side) for number in sheet.sides]

    return {
        "cards": one_for(strictly_most(sheet.cards)),
        "coins": one_for(strictly_most(sheet.coins)),
        "settebello": one_for(sheet.settebello),
        "primiera": one_for(primiera_winner(sheet, rules)),
        "sweeps": [sheet.sweeps.of(side, 0) for side in sheet.sides],
        "napola": [_napola(sheet.napola.of(side, 0), rules) for side in sheet.sides],
        "re-bello": one_for(sheet.re_bello if rules.re_bello else None),
    }


def _napola(length: int, rules: ScopaRules) -> int:
    if rules.napola is Napola.OFF or not length:
        return 0
    return length if rules.napola is Napola.LENGTH else 3


def steps(sheet: ScopaSheet, table: Table[ScopaRules], sides: Sides) -> Iterator[Step]:
    """Give the steps of a score: who is given each point, and where nobody is."""
    for rule, points in counted(sheet, table.rules).items():
        if not any(points):
            yield from _nobody(rule, sheet, table.rules)
        for side, amount in enumerate(points):
            if amount:
                what = _said(rule, sheet, table.rules, side)
                yield side_step(rule, table, sides[side], what, amount)


def _nobody(rule: str, sheet: ScopaSheet, rules: ScopaRules) -> Iterator[Step]:
    primiere = primiera_of(sheet, rules)
    if rule == "cards":
        yield level_step(rule, say("Cards"), sheet.cards)
    elif rule == "coins":
        yield level_step(rule, say("Coins"), sheet.coins)
    elif rule == "primiera" and primiere is not None:
        yield level_step(rule, say("Primiera"), primiere)
    elif rule == "primiera":
        yield Step(rule, say("Primiera: nobody scores."), {})


def _said(rule: str, sheet: ScopaSheet, rules: ScopaRules, side: int) -> Text:
    primiere = primiera_of(sheet, rules)
    match rule:
        case "cards":
            return say("most cards, %(count)s", count=sheet.cards[side])
        case "coins":
            return say("most coins, %(count)s", count=sheet.coins[side])
        case "primiera" if primiere is not None:
            return say("best primiera, %(count)s", count=primiere[side])
        case "sweeps":
            return say("scope: %(count)s", count=sheet.sweeps[side])
        case "napola":
            return say("napola of %(count)s", count=sheet.napola[side])
        case _:
            return NAMES[rule]


NAMES = {
    "settebello": say("settebello"),
    "primiera": say("best primiera"),
    "re-bello": say("re bello"),
}
