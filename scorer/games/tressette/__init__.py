"""Tressette for two, three and four: aces and thirds are taken in tricks, the last one counts one.

What is held from the deal may be declared: a napoletana, or three or four aces, twos or threes
(rules.md D5).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.games.tressette.declarations import Declaration, declaration_problems
from scorer.rules.cards import DECKS
from scorer.rules.game import NamedRules, NothingSaid, Score, Step, Table
from scorer.rules.match import Ends, Progress, Tally, side_totals
from scorer.rules.options import Source
from scorer.rules.plain_game import (
    Bonus,
    BonusName,
    PlainGame,
    Preset,
    bonus_problems,
    bonus_words,
    side_step,
    target_words,
)
from scorer.rules.questions import Ask, Choice, Unanswered
from scorer.rules.seats import PerSide, Seat, Side, Sides
from scorer.rules.thirds import (
    ACES,
    HAND,
    SUIT_IS_FOLLOWED,
    THIRDS,
    WHAT_COUNTS,
    TakenSheet,
    hand_points,
    least_sum,
    taken_problems,
    taken_steps,
)
from scorer.texts import Text, as_it_is, often, point_count, say


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
class TressetteSheet(TakenSheet):
    """What the scorekeeper writes down for one deal: what was taken, or the hand points of it.

    ``called_out`` is the side that stopped the deal because it had reached the target; ``cappotto``
    is the side that took every trick.
    """

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


class Tressette(PlainGame[TressetteSheet, TressetteRules]):
    """Tricks without a trump; three, two and ace are the strongest cards."""

    slug = "tressette"
    aliases = ("tresette",)
    name = say("Tressette")
    blurb = say("No trump, suit is followed, the three beats everything: 11 points a deal.")
    about = (
        say(
            "Forty Italian cards, all dealt out to four players, ten each; partners sit opposite. "
            "From strong to weak a suit is three, two, ace, king, knight, jack, seven, six, five, "
            "four."
        ),
        SUIT_IS_FOLLOWED,
        say(
            "Every ace that is taken counts a point, every three, two and figure a third of one, "
            "the last trick a point more. Each side drops what is short of a whole point, so that "
            "two sides have 11 between them."
        ),
        say(
            "Who holds ace, two and three of a suit (a napoletana), or three or four aces, twos or "
            "threes, may declare it: three points, or four for four of a kind. Several count "
            "together."
        ),
        say(
            "Two play with ten cards each and draw one after each trick, for all to see. Three "
            "play each for themselves."
        ),
    )
    pack = DECKS["italian-40"]
    sheet_type = TressetteSheet
    start_type = NothingSaid
    rules_type = TressetteRules
    seats = (2, 3, 4)
    described = (
        Preset("to-21", say("To 21"), say("The usual match, with declarations."), {}),
        Preset(
            "to-31",
            say("To 31"),
            say("A longer match, as declarations shorten it."),
            {"target": 31},
        ),
        Preset(
            "to-41",
            say("To 41"),
            say("As many play it at home, with declarations."),
            {"target": 41},
        ),
        Preset("to-51", say("To 51"), say("A match for one session."), {"target": 51}),
        Preset(
            "silent-21",
            say("To 21, nothing declared"),
            say("Only what is taken counts: 11 points a deal."),
            {"declarations": False},
        ),
        Preset(
            "called-31",
            say("To 31, called out"),
            say("Whoever has reached the target says so, and the deal stops there."),
            {"target": 31, "end": TressetteEnd.IMMEDIATE},
        ),
        Preset(
            "coda-31",
            say("To 31 with the coda"),
            say("A napoletana counts a point more for every card that follows it."),
            {"target": 31, "coda": True},
        ),
    )
    sources = (
        Source("tresette.org", "http://www.tresette.org/index.php?pagina=accusa-nel-tresette"),
        Source(
            "giochistars.it, Tressette", "https://giochistars.it/tressette/calcolo-del-punteggio"
        ),
        Source("The Penguin Book of Card Games", None),
    )

    def irrelevant_questions(self, table: Table[TressetteRules]) -> Mapping[str, bool]:
        return {
            "declarations": not table.rules.declarations,
            "cappotto": table.rules.cappotto is not TressetteCappotto.TRICKS,
            "called_out": table.rules.end is not TressetteEnd.IMMEDIATE,
        }

    def problems(self, sheet: TressetteSheet, table: Table[TressetteRules]) -> Iterator[Problem]:
        yield from taken_problems(sheet, stopped=sheet.called_out is not None)
        yield from _cappotto_problems(sheet, table.rules)
        if sheet.called_out is not None and table.rules.end is not TressetteEnd.IMMEDIATE:
            message = say("By these rules every deal is played to its end.")
            yield Problem("called-out", "called_out", message)
        yield from bonus_problems(sheet.bonus, table.rules.bonus)
        players = len(self.sides(table.active, table.rules)[0])
        yield from declaration_problems(sheet.declarations, players=players, coda=table.rules.coda)

    def warnings(self, sheet: TressetteSheet, table: Table[TressetteRules]) -> list[Problem]:
        rules = table.rules
        declared = [declaration for side in sheet.declarations for declaration in side]
        if declared and not rules.declarations:
            message = say("Declarations aren't counted by these rules.")
            return [Problem("not-counted", "declarations", message)]
        if any(declaration.coda for declaration in declared) and not rules.coda:
            message = say("The coda isn't counted by these rules.")
            return [Problem("not-counted", "declarations", message)]
        return []

    def steps(
        self, sheet: TressetteSheet, table: Table[TressetteRules], sides: Sides
    ) -> Iterator[Step]:
        return self._steps(sheet, table, sides, cappotto(sheet, table.rules))

    def side_figures(self, sheet: TressetteSheet, table: Table[TressetteRules]) -> Sequence[int]:
        """Return the points of each side; of a stored deal those that it was paid."""
        paid = self.score(sheet, table).payouts if table.paid is None else table.paid
        return side_totals(paid, self.sides(table.active, table.rules))

    def former_score(self, sheet: TressetteSheet, table: Table[TressetteRules]) -> Score | None:
        whole = former_cappotto(sheet)
        by_tricks = table.rules.cappotto is TressetteCappotto.TRICKS
        if by_tricks or whole == cappotto(sheet, table.rules):
            return None
        sides = self.sides(table.active, table.rules)
        return Score.of(table.active, [*self._steps(sheet, table, sides, whole)])

    def _steps(
        self, sheet: TressetteSheet, table: Table[TressetteRules], sides: Sides, whole: int | None
    ) -> Iterator[Step]:
        rules = table.rules
        for side, seats in enumerate(sides):
            yield from taken_steps(sheet, table, side, seats)
            if whole == side and rules.cappotto_times > 1:
                once = hand_points(sheet)[side]
                counted = once * rules.cappotto_times
                what = say("cappotto, %(whole)s instead of %(points)s", points=once, whole=counted)
                yield side_step("cappotto", table, seats, what, counted - once)
            declared = 0
            for declaration in sheet.declarations.of(side, ()) if rules.declarations else ():
                points = declaration.points(coda=rules.coda)
                declared += points
                yield side_step("declaration", table, seats, declaration.words, points)
            if declared and rules.cappotto_cancels and whole not in (None, side):
                what = Text(CANCELLED[rules.cappotto].template, {"points": declared})
                yield side_step("cappotto", table, seats, what, -declared)
            if amount := sheet.bonus.of(side, 0):
                yield side_step("bonus", table, seats, as_it_is(rules.bonus), amount)

    def progress(self, tally: Tally, rules: TressetteRules) -> Progress:
        sides, last = self.sides_at(tally, rules), tally.last
        called = last.called_out if isinstance(last, TressetteSheet) else None
        if called is not None and side_totals(tally.balances, sides)[called] >= rules.target:
            why = say(
                "The side that called out did have its %(target)s.",
                target=point_count(rules.target),
            )
            return Progress(finished=True, winners=sides[called], why=why)
        return super().progress(tally, rules)

    def words(self, rules: TressetteRules) -> Iterator[Text]:
        if rules.first_leader is TressetteLeader.FOUR_OF_COINS:
            yield say("In the first deal the player with the four of coins leads.")
        yield WHAT_COUNTS
        if not rules.declarations:
            yield say("Nothing is declared.")
        else:
            yield say(
                "Declared: a napoletana and three of a kind for 3 points, four of a kind for 4."
            )
        if rules.declarations and rules.coda:
            yield say("Every card that follows a napoletana without a gap counts a point more.")
        if rules.cappotto_times > 1:
            values = {"times": often(rules.cappotto_times)}
            yield Text(COUNTS_MORE[rules.cappotto].template, values)
        if rules.declarations and rules.cappotto_cancels:
            yield FOR_NOTHING[rules.cappotto]
        yield from bonus_words(rules.bonus)
        if rules.end is TressetteEnd.IMMEDIATE:
            yield say(
                "Whoever has %(target)s says so: the deal stops and the match is won.",
                target=point_count(rules.target),
            )
        else:
            yield from target_words(rules.target)


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


#: By what a cappotto is: a step of those without points or tricks, and the rules in words.
CANCELLED = {
    TressetteCappotto.POINTS: say(
        "no point taken, so the declarations don't count: these %(points)s points come off"
    ),
    TressetteCappotto.TRICKS: say(
        "no trick taken, so the declarations don't count: these %(points)s points come off"
    ),
}
COUNTS_MORE = {
    TressetteCappotto.POINTS: say(
        "Cappotto: a side that takes all the points counts its hand points %(times)s."
    ),
    TressetteCappotto.TRICKS: say(
        "Cappotto: a side that takes every trick counts its hand points %(times)s."
    ),
}
FOR_NOTHING = {
    TressetteCappotto.POINTS: say("Whoever takes no point at all has declared for nothing."),
    TressetteCappotto.TRICKS: say("Whoever takes no trick at all has declared for nothing."),
}


GAME = Tressette()
