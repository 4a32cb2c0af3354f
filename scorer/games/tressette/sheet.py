"""The sheet of a deal of Tressette, the options of the game, and what can be wrong with a sheet."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.games.tressette.declarations import Declaration, declaration_problems
from scorer.rules.game import NamedRules, Table
from scorer.rules.plain_game import Bonus, BonusName, bonus_problems
from scorer.rules.seats import PerSide, Side, sides_of
from scorer.rules.sheet import Ask, Choice, Unanswered
from scorer.rules.thirds import (
    ACES,
    HAND,
    THIRDS,
    Aces,
    HandPoints,
    LastTrick,
    Thirds,
    hand_points,
    least_sum,
    taken_problems,
)
from scorer.texts import say


class TressetteEnd(Choice):
    """Whether a deal is played to its end, or stops when a side calls itself out."""

    END_OF_DEAL = "end-of-deal", say("After the deal")
    IMMEDIATE = "immediate", say("As soon as a side calls itself out")


class TressetteLeader(Choice):
    """Who leads to the first trick of a deal."""

    NEXT_OF_DEALER = "next-of-dealer", say("The player after the dealer")
    FOUR_OF_COINS = "four-of-coins", say("Who has the four of coins, in the first deal")


class TressetteCappotto(Choice):
    """What a cappotto is: all the points of a deal, or all its tricks, which are seldom counted."""

    POINTS = "points", say("All the points")
    TRICKS = "tricks", say("All the tricks")


@dataclass(frozen=True, slots=True)
class TressetteRules(NamedRules):
    """The rules of a match, and what may be declared."""

    target: Annotated[int, Ask(say("Points to reach"), low=1, high=1000)] = 21
    declarations: Annotated[bool, Ask(say("Combinations are declared (accusa)"))] = True
    end: Annotated[TressetteEnd, Ask(say("End of the match"))] = TressetteEnd.END_OF_DEAL
    coda: Annotated[
        bool,
        Ask(
            say("Napoletana with coda"),
            hint=say("A point for each card that follows ace, two and three."),
        ),
    ] = False
    cappotto: Annotated[TressetteCappotto, Ask(say("Cappotto by"), unsaid=True)] = (
        TressetteCappotto.POINTS
    )
    cappotto_times: Annotated[
        int, Ask(say("How many times a cappotto counts"), low=1, high=10, unsaid=True)
    ] = 1
    cappotto_cancels: Annotated[
        bool, Ask(say("Cappotto cancels what the losers declared"), unsaid=True)
    ] = False
    first_leader: Annotated[TressetteLeader, Ask(say("First to lead"), unsaid=True)] = (
        TressetteLeader.NEXT_OF_DEALER
    )
    bonus: BonusName = ""


@dataclass(frozen=True, slots=True)
class TressetteSheet:
    """What the scorekeeper writes down for one deal: what was taken, or the hand points of it.

    ``called_out`` is the side that stopped the deal because it had reached the target; ``cappotto``
    is the side that took every trick.
    """

    aces: Aces = None
    thirds: Thirds = None
    last_trick: LastTrick = None
    hand_points: HandPoints = None
    cappotto: Annotated[Side | Unanswered | None, Ask(say("Every trick"))] = Unanswered.UNANSWERED
    declarations: Annotated[PerSide[tuple[Declaration, ...]], Ask(say("Declarations"))] = PerSide()
    called_out: Annotated[Side | None, Ask(say("Called out"))] = None
    bonus: Bonus = PerSide()


def took_all_points(sheet: TressetteSheet) -> int | None:
    """Return which side has all the hand points of a deal, however they were written down."""
    points = hand_points(sheet)
    most = max(points, default=0)
    whole = most == sum(points) and most >= least_sum(len(points))
    return points.index(most) if whole else None


def cappotto(sheet: TressetteSheet, rules: TressetteRules) -> int | None:
    """Return the side of the cappotto: it took all the points, or as was written all the tricks."""
    side = took_all_points(sheet)
    by_tricks = rules.cappotto is TressetteCappotto.TRICKS
    return None if by_tricks and sheet.cappotto != side else side


def former_cappotto(sheet: TressetteSheet) -> int | None:
    """Return the side of the cappotto by 0.3: with 11 hand points, or all the counted cards."""
    last = sheet.last_trick
    if sheet.aces is None or sheet.thirds is None:
        points = hand_points(sheet)
        return points.index(HAND) if HAND in points else None
    if last is not None and (sheet.aces[last], sheet.thirds[last]) == (ACES, THIRDS):
        return last
    return None


def sheet_problems(sheet: TressetteSheet, table: Table[TressetteRules]) -> Iterator[Problem]:
    """Find every fault of a sheet."""
    yield from taken_problems(sheet, stopped=sheet.called_out is not None)
    yield from _cappotto_problems(sheet, table.rules)
    if sheet.called_out is not None and table.rules.end is not TressetteEnd.IMMEDIATE:
        message = say("By these rules every deal is played to its end.")
        yield Problem("called-out", "called_out", message)
    yield from bonus_problems(sheet.bonus, table.rules.bonus)
    players = len(sides_of(table.active)[0])
    yield from declaration_problems(sheet.declarations, players=players, coda=table.rules.coda)


def sheet_warnings(sheet: TressetteSheet, table: Table[TressetteRules]) -> list[Problem]:
    rules = table.rules
    declared = [declaration for side in sheet.declarations for declaration in side]
    if declared and not rules.declarations:
        message = say("Declarations aren't counted by these rules.")
        return [Problem("not-counted", "declarations", message)]
    if any(declaration.coda for declaration in declared) and not rules.coda:
        message = say("The coda isn't counted by these rules.")
        return [Problem("not-counted", "declarations", message)]
    return []


def _cappotto_problems(sheet: TressetteSheet, rules: TressetteRules) -> Iterator[Problem]:
    """Find a cappotto that isn't said where it counts, or of which others took a part."""
    side = sheet.cappotto
    if isinstance(side, Unanswered):
        if rules.cappotto is TressetteCappotto.TRICKS and took_all_points(sheet) is not None:
            message = say("One side has all the hand points: did it also take every trick?")
            yield Problem("missing-key", "cappotto", message)
        return
    counts = [values for values in (sheet.aces, sheet.thirds, sheet.hand_points) if values]
    others = any(value for values in counts for other, value in enumerate(values) if other != side)
    if side is not None and (others or sheet.last_trick not in (None, side)):
        message = say("Somebody else took points or the last trick, so not every trick is theirs.")
        yield Problem("cappotto-points", "cappotto", message)
