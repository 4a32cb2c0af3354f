"""Hand points of Tressette and its kin: aces, thirds of a point, the last trick (rules.md D5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from scorer.errors import Problem
from scorer.rules.game import Step, Table
from scorer.rules.plain_game import side_step
from scorer.rules.questions import Ask, missing
from scorer.rules.seats import PerSide, Seat, Side
from scorer.texts import added, figures, say

ACES, THIRDS, HAND = 4, 20, 11
#: How the tricks are played without a trump, and what counts where fractions are dropped.
SUIT_IS_FOLLOWED = say(
    "The player after the dealer leads. The suit that is led must be followed; the strongest card "
    "of it takes the trick, and who takes it leads to the next. Nothing is trump."
)
WHAT_COUNTS = say(
    "Aces and the last trick count a point each, threes, twos and court cards a third; fractions "
    "are dropped."
)
COUNTED = {"aces": say("Aces"), "thirds": say("Threes, twos and court cards")}
#: What is left of a third of a point over whole ones.
FRACTIONS = ("", "⅓", "⅔")


@dataclass(frozen=True, slots=True)
class TakenSheet:
    """What each side took, or the hand points of it.

    ``thirds`` counts the threes, twos and court cards.
    """

    aces: Annotated[PerSide[int] | None, Ask(COUNTED["aces"], low=0, high=ACES, total=ACES)] = None
    thirds: Annotated[
        PerSide[int] | None, Ask(COUNTED["thirds"], low=0, high=THIRDS, total=THIRDS)
    ] = None
    last_trick: Annotated[Side | None, Ask(say("Last trick"))] = None
    hand_points: Annotated[
        PerSide[int] | None, Ask(say("Hand points"), low=0, high=HAND, total=HAND)
    ] = None


def hand_points(sheet: TakenSheet) -> tuple[int, ...]:
    """Return the hand points of each side: aces, whole thirds, and the last trick."""
    if sheet.aces is None or sheet.thirds is None:
        return sheet.hand_points or ()
    counts = enumerate(zip(sheet.aces, sheet.thirds, strict=True))
    return tuple(aces + thirds // 3 + (sheet.last_trick == side) for side, (aces, thirds) in counts)


def least_sum(sides: int) -> int:
    """Return the fewest hand points of all sides together: three may drop a whole point."""
    return HAND - 1 if sides == 3 else HAND


def taken_problems(sheet: TakenSheet, *, stopped: bool = False) -> Iterator[Problem]:
    """Find what is missing or contradicts itself; a deal that ``stopped`` may lack cards."""
    parts = {"aces": (sheet.aces, ACES), "thirds": (sheet.thirds, THIRDS)}
    given = [name for name, (values, _) in parts.items() if values is not None]
    if not given and sheet.hand_points is None:
        message = say("The hand points are needed, or what each side took.")
        yield Problem("missing-key", "hand_points", message)
    for name, (values, whole) in parts.items():
        if values is None and given:
            yield Problem("missing-key", name, missing(COUNTED[name]))
        if values is not None and _wrong_sum(values, {whole}, stopped=stopped):
            message = say(
                "%(what)s: %(figures)s make %(sum)s, but the pack has %(whole)s.",
                what=COUNTED[name],
                figures=added(values),
                sum=sum(values),
                whole=whole,
            )
            yield Problem(f"sum-{name}", name, message)
    if given and sheet.last_trick is None and not stopped:
        yield Problem("missing-key", "last_trick", say("Who took the last trick?"))
    yield from _hand_problems(sheet, stopped=stopped)


def _hand_problems(sheet: TakenSheet, *, stopped: bool) -> Iterator[Problem]:
    written = sheet.hand_points
    if written is None:
        return
    if _wrong_sum(written, {least_sum(len(written)), HAND}, stopped=stopped):
        values = {"figures": added(written), "sum": sum(written)}
        message = say("%(figures)s make %(sum)s, but a deal has 11 hand points.", **values)
        if len(written) == 3:
            message = say(
                "%(figures)s make %(sum)s, but a deal among three has 10 or 11 hand points.",
                **values,
            )
        yield Problem("sum-11", "hand_points", message)
    elif hand_points(sheet) != written:
        message = say(
            "The cards that were taken make %(figures)s hand points.",
            figures=figures(hand_points(sheet)),
        )
        yield Problem("hand-points-differ", "hand_points", message)
    elif sheet.last_trick is not None and not written[sheet.last_trick]:
        message = say("The last trick is a hand point, and this side has none.")
        yield Problem("hand-points-differ", "last_trick", message)


def _wrong_sum(values: Sequence[int], right: set[int], *, stopped: bool) -> bool:
    """Whether the sides together have too many or, of a deal played to its end, too few."""
    return sum(values) > max(right) if stopped else sum(values) not in right


def taken_steps(
    sheet: TakenSheet, table: Table[Any], side: int, seats: Sequence[Seat]
) -> Iterator[Step]:
    """Yield the steps of the hand points of a side: of each part, if the cards were counted."""
    if sheet.aces is None or sheet.thirds is None:
        yield side_step("hand", table, seats, say("hand points"), hand_points(sheet)[side])
        return
    aces, thirds = sheet.aces[side], sheet.thirds[side]
    yield side_step("aces", table, seats, say("aces, %(aces)s × 1", aces=aces), aces)
    points, rest = divmod(thirds, 3)
    values = {"thirds": thirds, "sum": f"{points or ''}{FRACTIONS[rest]}" or "0"}
    what = say("threes, twos and court cards, %(thirds)s × ⅓ = %(sum)s", **values)
    if rest:
        what = say(
            "threes, twos and court cards, %(thirds)s × ⅓ = %(sum)s, the fraction is dropped",
            **values,
        )
    yield side_step("thirds", table, seats, what, points)
    if sheet.last_trick == side:
        yield side_step("last-trick", table, seats, say("last trick"), 1)
