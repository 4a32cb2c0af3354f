"""The rules and the sheet of Burraco (rules.md D)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Table
from scorer.rules.plain_game import Bonus, BonusName, bonus_problems
from scorer.rules.seats import PerSide, Seat, Side, sides_of
from scorer.rules.sheet import Ask, Choice
from scorer.rules.victory import VictoryPoints
from scorer.texts import say

PACK, MOST_BURRACHI = 1080, 15
#: The least that the cards of a burraco count: seven fives, or fives with a two among them.
LEAST_CLEAN, LEAST_SEMI_CLEAN, LEAST_DIRTY = 35, 55, 50


class CloseNeeds(Choice):
    """Which burraco a side must have to go out."""

    ANY = "any", say("Any burraco")
    CLEAN = "clean", say("A clean burraco")


@dataclass(frozen=True, slots=True)
class BurracoRules(NamedRules):
    """What counts, and how long it is played: a number of deals comes before a target."""

    target: Annotated[
        int | None, Ask(say("Points to reach"), low=100, high=10_000, none=say("No target"))
    ] = 2005
    deals: Annotated[
        int | None, Ask(say("Deals"), low=1, high=99, none=say("Until the target"))
    ] = None
    victory_points: Annotated[
        VictoryPoints | None,
        Ask(
            say("Victory points"),
            none=say("Not counted"),
            hint=say("As in tournaments: 20 are shared out by the difference at the end."),
        ),
    ] = None
    semi_clean: Annotated[
        bool,
        Ask(
            say("Semi-clean burraco"),
            hint=say("With seven clean cards or more beside the wild one: 150 points."),
        ),
    ] = False
    close_needs: Annotated[CloseNeeds, Ask(say("Going out needs"))] = CloseNeeds.ANY
    bonus: BonusName = ""
    alone_until: Annotated[
        int | None,
        Ask(
            say("Among three, nobody plays alone from"),
            low=100,
            high=10_000,
            none=say("No limit"),
            unsaid=True,
            hint=say("Points of anybody from which three pots of eleven are laid out."),
        ),
    ] = None
    minutes: Annotated[
        int | None,
        Ask(say("Minutes of a turn"), low=1, high=999, none=say("No clock"), unsaid=True),
    ] = None


@dataclass(frozen=True, slots=True)
class BurracoSheet:
    """What the scorekeeper writes down for one deal.

    Among three, ``alone`` took the first pot and played against the other two, whose figures are
    added. If nobody is named, each played for themselves.
    """

    clean: Annotated[
        PerSide[int], Ask(say("Clean burrachi"), low=0, high=MOST_BURRACHI, counted=True)
    ]
    dirty: Annotated[
        PerSide[int], Ask(say("Dirty burrachi"), low=0, high=MOST_BURRACHI, counted=True)
    ]
    pot_taken: Annotated[PerSide[bool], Ask(say("Pot taken"))]
    melded: Annotated[PerSide[int], Ask(say("Cards melded"), low=0, high=PACK)]
    in_hand: Annotated[PerSide[int], Ask(say("Cards in hand"), low=0, high=PACK, counted=True)]
    semi_clean: Annotated[
        PerSide[int], Ask(say("Semi-clean burrachi"), low=0, high=MOST_BURRACHI, counted=True)
    ] = PerSide()
    closed: Annotated[Side | None, Ask(say("Went out"))] = None
    penalty: Annotated[PerSide[int], Ask(say("Penalty"), low=0, high=10 * PACK, counted=True)] = (
        PerSide()
    )
    alone: Annotated[Seat | None, Ask(say("Played alone"))] = None
    bonus: Bonus = PerSide()


@dataclass(frozen=True, slots=True)
class Pile:
    """The totals of those who played together, and their places on the sheet."""

    places: tuple[int, ...]
    clean: int
    semi_clean: int
    dirty: int
    pot_taken: bool
    closed: bool
    melded: int
    in_hand: int
    penalty: int
    bonus: int

    @property
    def least(self) -> int:
        return (
            LEAST_CLEAN * self.clean + LEAST_SEMI_CLEAN * self.semi_clean + LEAST_DIRTY * self.dirty
        )

    @property
    def two_against_one(self) -> bool:
        return len(self.places) == 2


def piles(sheet: BurracoSheet, active: Sequence[Seat]) -> list[Pile]:
    """Return what each side has; of three, two may have played against one."""

    def total(values: PerSide[int], places: Iterable[int]) -> int:
        return sum(values.of(place, 0) for place in places)

    return [
        Pile(
            places,
            clean=total(sheet.clean, places),
            semi_clean=total(sheet.semi_clean, places),
            dirty=total(sheet.dirty, places),
            pot_taken=any(sheet.pot_taken[place] for place in places),
            closed=sheet.closed in places,
            melded=total(sheet.melded, places),
            in_hand=total(sheet.in_hand, places),
            penalty=total(sheet.penalty, places),
            bonus=total(sheet.bonus, places),
        )
        for places in together(sheet.alone, active)
    ]


def together(alone: Seat | None, active: Sequence[Seat]) -> tuple[tuple[int, ...], ...]:
    """Return which places on the sheet are one side's."""
    count = len(sides_of(active))
    if alone not in active or len(active) != 3:
        return tuple((place,) for place in range(count))
    single = active.index(alone)
    pair = tuple(place for place in range(count) if place != single)
    return ((single,), pair) if single == 0 else (pair, (single,))


def sheet_problems(sheet: BurracoSheet, table: Table[BurracoRules]) -> Iterator[Problem]:
    if sheet.alone is not None and len(table.active) != 3:
        yield Problem("alone-count", "alone", say("Only among three somebody plays alone."))
    elif sheet.alone is not None and sheet.alone not in table.active:
        message = say("%(name)s sits this deal out.", name=table.name(sheet.alone))
        yield Problem("sits-out", "alone", message)
    elif sheet.alone is not None and alone_is_over(table):
        message = say(
            "Somebody has %(points)s points: from there on nobody plays alone against two.",
            points=table.rules.alone_until,
        )
        yield Problem("alone-over", "alone", message)
    if not maybe_halved(sheet, table):
        yield from value_problems(sheet, table)
    for pile in piles(sheet, table.active):
        yield from _closing_problems(pile, table)
    total = sum(sheet.melded) + sum(sheet.in_hand)
    if total > PACK:
        message = say(
            "All 108 cards together count %(pack)s; melded and in hand here are %(sum)s.",
            pack=PACK,
            sum=total,
        )
        yield Problem("sum-1080", "melded", message)
    yield from bonus_problems(sheet.bonus, table.rules.bonus)


def alone_is_over(table: Table[BurracoRules]) -> bool:
    """Whether somebody has so many points that nobody may play alone against two any more."""
    until, balances = table.rules.alone_until, table.balances
    if until is None or balances is None:
        return False
    return max(balances[seat] for seat in table.active) >= until


def maybe_halved(sheet: BurracoSheet, table: Table[BurracoRules]) -> bool:
    """Whether three played without anybody named: two may have written down half values."""
    return len(table.active) == 3 and sheet.alone is None


def value_problems(sheet: BurracoSheet, table: Table[BurracoRules]) -> Iterator[Problem]:
    """Find values that no cards have, though half of some cards may."""
    values = {"melded": sheet.melded, "in_hand": sheet.in_hand, "penalty": sheet.penalty}
    for name, given in values.items():
        for side, value in enumerate(given):
            if value % 5:
                message = say("All cards count a multiple of 5.")
                yield Problem("not-multiple-of-5", f"{name}[{side}]", message)
    for pile in piles(sheet, table.active):
        if pile.melded < pile.least:
            message = say("The cards of these burrachi count at least %(least)s.", least=pile.least)
            yield Problem("melded-too-low", f"melded[{pile.places[0]}]", message)


def _closing_problems(pile: Pile, table: Table[BurracoRules]) -> Iterator[Problem]:
    if not pile.closed:
        return
    if not pile.pot_taken:
        yield Problem("close-without-pot", "closed", say("Nobody goes out without the pot."))
    if not pile.clean + pile.semi_clean + pile.dirty:
        yield Problem("close-without-burraco", "closed", say("Nobody goes out without a burraco."))
    elif table.rules.close_needs is CloseNeeds.CLEAN and not pile.clean:
        message = say("By these rules nobody goes out without a clean burraco.")
        yield Problem("close-without-clean", "closed", message)
    if len(table.active) < 4 and not pile.two_against_one and pile.in_hand:
        message = say("Whoever goes out holds no cards.")
        yield Problem("closer-has-cards", f"in_hand[{pile.places[0]}]", message)
