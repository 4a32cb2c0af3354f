"""An agreed result: what the table, or a referee, decides that a deal pays, and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from scorer.errors import Problem
from scorer.rules.game import Game, Score, Step, Table
from scorer.rules.questions import PLAIN, Ask, Reading, join, placed, read
from scorer.rules.seats import Seat
from scorer.texts import Text, say, signed
from scorer.typed_text import REASON, one_line

#: The most that a deal pays or takes.
MOST = 99_999
AGREED = "agreed"
BUY_IN = "buy-in"


class Reason(str):
    """Why it was decided so, on one line."""

    __slots__ = ()

    @classmethod
    def read_wire(cls, value: object, reading: Reading, path: str) -> str:
        line = one_line(value) if isinstance(value, str) else ""
        if not isinstance(value, str):
            reading.fault("wrong-type", path, PLAIN[str])
        elif not line:
            reading.fault("no-reason", path, say("Say in a few words why."))
        reading.problems += REASON.problems(line, path)
        return line


@dataclass(frozen=True, slots=True)
class AgreedSheet:
    """What each who plays is paid; ``buy_in`` come back in after the deal."""

    payouts: Annotated[Mapping[Seat, int], Ask(say("Points"), low=-MOST, high=MOST)]
    reason: Annotated[Reason, Ask(say("Reason"))]
    buy_in: Annotated[tuple[Seat, ...], Ask(say("Back in"), unsaid=True)] = ()


def read_agreed(
    game: Game[Any, Any], data: object, table: Table[Any], path: str
) -> tuple[AgreedSheet | None, list[Problem]]:
    """Return the agreed result that was read, with a figure for each who plays, and the problems.

    Who is not named gets what a partner gets, or 0.
    """
    reading = Reading(table.seats)
    given = {"reason": "", **data} if isinstance(data, dict) else data
    sheet = read(AgreedSheet, given, reading, path)
    if sheet is None:
        return None, reading.problems
    named, everybody = sheet.payouts, {**sheet.payouts}
    for side in game.sides(table.active, table.rules):
        figure = next((named[seat] for seat in side if seat in named), 0)
        everybody |= {seat: named.get(seat, figure) for seat in side}
    sheet = replace(sheet, payouts=everybody)
    problems = placed(agreed_problems(game, sheet, table), path)
    return (None if problems else sheet), problems


def agreed_problems(
    game: Game[Any, Any], sheet: AgreedSheet, table: Table[Any]
) -> Iterator[Problem]:
    out = table.sitting_out({join("payouts", table.name(seat)): seat for seat in sheet.payouts})
    yield from out
    for side in game.sides(table.active, table.rules):
        if len({sheet.payouts[seat] for seat in side}) > 1:
            message = say("%(names)s get the same.", names=table.names(side))
            yield Problem("sides-differ", "payouts", message)
    total = sum(sheet.payouts.values())
    if total and not out and game.cancels(table.rules):
        message = say("The points add up to %(sum)s, not to 0.", sum=signed(total))
        yield Problem("sum-not-zero", "payouts", message)
    if not out:
        yield from game.buy_in_problems(sheet.buy_in, sheet.payouts, table)


def agreed_score(game: Game[Any, Any], sheet: AgreedSheet, table: Table[Any]) -> Score:
    """Return what an agreed result pays, also to those who come back in with it."""
    steps = [
        Step(AGREED, agreed_text(sheet), sheet.payouts),
        *game.buy_in_steps(sheet.buy_in, sheet.payouts, table),
    ]
    return Score.of(table.active, steps)


def agreed_text(sheet: AgreedSheet) -> Text:
    return say("Agreed: %(reason)s", reason=sheet.reason)
