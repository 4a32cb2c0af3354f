"""The sheet of a deal of Burraco, the options of the game, and what can be wrong with a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Annotated

from scorer.errors import Problem
from scorer.games.burraco.victory import VictoryPoints
from scorer.rules.choices import Choice
from scorer.rules.seats import Seat
from scorer.rules.seats import Side
from scorer.rules.sheet import Ask
from scorer.rules.sheet import join
from scorer.rules.sides import PerSide
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.rules.game import Table
    from scorer.rules.sides import Sides

PACK, MOST_BURRACHI = 1080, 15
#: The least that the cards of a burraco count: seven fives, or fives with a two among them.
LEAST_CLEAN, LEAST_SEMI_CLEAN, LEAST_DIRTY = 35, 55, 50


class CloseNeeds(Choice):
    """Which burraco a side must have to close."""

    ANY = "any", say("Any burraco")
    CLEAN = "clean", say("A clean burraco")


@dataclass(frozen=True, slots=True)
class BurracoRules:
    """What counts, and how long it is played: a number of deals comes before a target."""

    slug: Annotated[str, Ask(say("Slug"))]
    name: Annotated[str, Ask(say("Name"))]
    target: Annotated[
        int | None, Ask(say("Target"), low=1, high=100_000, none=say("No target"))
    ] = 2005
    deals: Annotated[
        int | None, Ask(say("Deals"), low=1, high=99, none=say("Until the target"))
    ] = None
    victory_points: Annotated[
        VictoryPoints | None, Ask(say("Victory points"), none=say("Not counted"))
    ] = None
    semi_clean: Annotated[bool, Ask(say("Semi-clean burraco"))] = False
    close_needs: Annotated[CloseNeeds, Ask(say("Closing needs"))] = CloseNeeds.ANY


@dataclass(frozen=True, slots=True)
class BurracoSheet:
    """What the scorekeeper writes down for one deal.

    Among three, ``alone`` took the first pot and played against the other two, who then are one
    side; where nobody is named, each played for themselves.
    """

    clean: Annotated[PerSide[int], Ask(say("Clean burrachi"), low=0, high=MOST_BURRACHI)]
    dirty: Annotated[PerSide[int], Ask(say("Dirty burrachi"), low=0, high=MOST_BURRACHI)]
    pot_taken: Annotated[PerSide[bool], Ask(say("Pot taken"))]
    melded: Annotated[PerSide[int], Ask(say("Cards melded"), low=0, high=PACK)]
    in_hand: Annotated[PerSide[int], Ask(say("Cards in hand"), low=0, high=PACK)]
    semi_clean: Annotated[
        PerSide[int], Ask(say("Semi-clean burrachi"), low=0, high=MOST_BURRACHI)
    ] = PerSide()
    closed: Annotated[Side | None, Ask(say("Closed"))] = None
    penalty: Annotated[PerSide[int], Ask(say("Penalty"), low=0, high=10 * PACK)] = PerSide()
    alone: Annotated[Seat | None, Ask(say("Played alone"))] = None

    def burrachi(self, side: int) -> int:
        """How many burrachi a side has, of any kind."""
        return self.clean[side] + self.semi_clean.of(side, 0) + self.dirty[side]


def sheet_problems(
    sheet: BurracoSheet, table: Table[BurracoRules], sides: Sides, path: str
) -> list[Problem]:
    """Find every fault of a sheet."""
    return [
        *_alone_problems(sheet, table, path),
        *([] if maybe_halved(sheet, sides) else value_problems(sheet, path)),
        *_closing_problems(sheet, table.rules, sides, path),
        *_pack_problems(sheet, path),
    ]


def maybe_halved(sheet: BurracoSheet, sides: Sides) -> bool:
    """Whether three wrote down a value each: two of them may have halved theirs already."""
    return len(sides) == 3 and sheet.alone is None


def value_problems(sheet: BurracoSheet, path: str) -> list[Problem]:
    """Find the values that no cards have, but that half of some may have."""
    few = (p for side in range(len(sheet.melded)) for p in _melded_problems(sheet, side, path))
    return [*_odd_values(sheet, path), *few]


def _alone_problems(
    sheet: BurracoSheet, table: Table[BurracoRules], path: str
) -> Iterator[Problem]:
    if sheet.alone is None:
        return
    if len(table.active) != 3:
        message = say("Only among three somebody plays alone.")
        yield Problem("alone-count", join(path, "alone"), message)
    elif sheet.alone not in table.active:
        message = say("%(name)s sits this deal out.", name=table.name(sheet.alone))
        yield Problem("sits-out", join(path, "alone"), message)


def _odd_values(sheet: BurracoSheet, path: str) -> list[Problem]:
    message = say("All cards count a multiple of 5.")
    values = {"melded": sheet.melded, "in_hand": sheet.in_hand, "penalty": sheet.penalty}
    return [
        Problem("not-multiple-of-5", join(path, f"{name}[{side}]"), message)
        for name, given in values.items()
        for side, value in enumerate(given)
        if value % 5
    ]


def _melded_problems(sheet: BurracoSheet, side: int, path: str) -> Iterator[Problem]:
    least = (
        LEAST_CLEAN * sheet.clean[side]
        + LEAST_SEMI_CLEAN * sheet.semi_clean.of(side, 0)
        + LEAST_DIRTY * sheet.dirty[side]
    )
    if sheet.melded[side] < least:
        message = say("The cards of these burrachi count at least %(least)s.", least=least)
        yield Problem("melded-too-low", join(path, f"melded[{side}]"), message)


def _closing_problems(
    sheet: BurracoSheet, rules: BurracoRules, sides: Sides, path: str
) -> Iterator[Problem]:
    side, field = sheet.closed, join(path, "closed")
    if side is None:
        return
    if not sheet.pot_taken[side]:
        yield Problem("close-without-pot", field, say("Nobody closes without the pot."))
    if not sheet.burrachi(side):
        yield Problem("close-without-burraco", field, say("Nobody closes without a burraco."))
    elif rules.close_needs is CloseNeeds.CLEAN and not sheet.clean[side]:
        message = say("By these rules nobody closes without a clean burraco.")
        yield Problem("close-without-clean", field, message)
    if len(sides[side]) == 1 and sheet.in_hand[side]:
        message = say("Whoever closes holds no cards.")
        yield Problem("closer-has-cards", join(path, f"in_hand[{side}]"), message)


def _pack_problems(sheet: BurracoSheet, path: str) -> Iterator[Problem]:
    together = sum(sheet.melded) + sum(sheet.in_hand)
    if together > PACK:
        message = say("All 108 cards together count %(pack)s; here are %(sum)s.",
                      pack=PACK, sum=together)  # fmt: skip
        yield Problem("sum-1080", join(path, "melded"), message)
