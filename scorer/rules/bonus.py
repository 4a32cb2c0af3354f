"""A bonus that a group adds: the rules name it, and a sheet has its points for each side.

It stands for what a house counts besides the rules of a game, such as the *busso* of Tressette.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Protocol

from scorer.errors import Problem
from scorer.rules.game import Step, Table
from scorer.rules.plain_game import side_step
from scorer.rules.sheet import Ask
from scorer.rules.sides import PerSide, Sides
from scorer.texts import Text, as_it_is, say

LONGEST_NAME = 30
BONUS = "bonus"

#: The option of a rule set, and the answer of a sheet.
BonusName = Annotated[
    str,
    Ask(
        say("A bonus of our own, by its name"),
        none=say("no bonus"),
        longest=LONGEST_NAME,
        unsaid=True,
        hint=say("Such as the ace that takes all: it gets a box of its own in every deal."),
    ),
]
Bonus = Annotated[
    PerSide[int],
    Ask(say("Bonus"), low=-100, high=1000, counted=True, unsaid=True, named_by=BONUS),
]


class BonusRules(Protocol):
    """Rules that may name a bonus; "" means that there is none."""

    @property
    def bonus(self) -> str:
        """What the group calls it."""


def bonus_problems(bonus: PerSide[int], rules: BonusRules) -> Iterator[Problem]:
    """Yield a problem if a sheet has a bonus and the rules have none."""
    if bonus and not rules.bonus:
        yield Problem("bonus-off", BONUS, say("By these rules there is no bonus."))


def bonus_steps(bonus: PerSide[int], table: Table[Any], sides: Sides) -> Iterator[Step]:
    """Yield a step for each side that has a bonus, told by the bonus's name."""
    for seats, amount in zip(sides, bonus, strict=False):
        if amount:
            yield side_step(BONUS, table, seats, as_it_is(table.rules.bonus), amount)


def bonus_words(rules: BonusRules) -> Iterator[Text]:
    if rules.bonus:
        yield say("%(name)s: as much as is written down for each side.", name=rules.bonus)
