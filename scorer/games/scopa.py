"""Scopa for two, three, four and six: what each side has in its pile is counted after the deal.

The most cards, the most coins, the settebello, the best primiera and every scopa count a point; a
house may also count the napola and the re bello (rules.md D1).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.match import UNDECIDED, Progress, Tally, play_on, side_totals
from scorer.rules.options import Source
from scorer.rules.piles import (
    DECK,
    MissingSuit,
    MissingSuitRule,
    PileSheet,
    one_for,
    pile_points,
    pile_problems,
    pile_steps,
    pile_warnings,
    pile_words,
)
from scorer.rules.plain_game import Bonus, BonusName, PlainGame, Preset, bonus_problems, bonus_words
from scorer.rules.questions import Ask, Choice
from scorer.rules.seats import PerSide, Seating, Side, Sides, strictly_most
from scorer.texts import Text, as_it_is, card_count, point_count, say

WHOLE_NAPOLA, TO_THE_SEVEN = 10, 7
SCOPONE = {"four": True, "left_on_table": True}


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


class Scopa(PlainGame[ScopaSheet, ScopaRules]):
    """Cards are taken from the table by cards of the same worth."""

    slug = "scopa"
    name = say("Scopa")
    blurb = say("Take from the table what your card is worth, and sweep it clean if you can.")
    about = (
        say(
            "Four cards lie open on the table and everybody holds three. A card takes one of its "
            "own worth, or several that add up to it; one that takes nothing stays there. Jack, "
            "knight and king are worth 8, 9 and 10."
        ),
        say(
            "When a card of the same worth lies there, that one must be taken and not a sum. "
            "Whoever takes everything that lies on the table makes a scopa and puts that card "
            "crosswise in the pile; the last card of the deal makes none."
        ),
        say(
            "When all hands are empty three more are dealt, until the pack is finished. What lies "
            "there in the end goes to whoever took last."
        ),
        say(
            "Then the piles are counted. The most cards, the most coins, the settebello (the "
            "seven of coins) and the best primiera are worth a point each, and so is every scopa; "
            "where two are level, nobody has the point."
        ),
        say(
            "The primiera is the best card of each suit, added up: seven 21, six 18, ace 16, five "
            "15, four 14, three 13, two 12, and each figure 10."
        ),
        say("Four play in two pairs and six in two threes, with one pile a side."),
    )
    pack = DECK
    sheet_type = ScopaSheet
    rules_type = ScopaRules
    seats = (2, 3, 4, 6)
    described = (
        Preset("to-11", say("To 11"), say("The usual match, with nothing extra."), {}),
        Preset("to-16", say("To 16"), say("A longer match."), {"target": 16}),
        Preset("to-21", say("To 21"), say("A long match, mostly in pairs."), {"target": 21}),
        Preset(
            "with-napola",
            say("To 21 with the napola"),
            say("Ace, two and three of coins and the run from there count a point a card."),
            {"target": 21, "napola": Napola.LENGTH},
        ),
        Preset(
            "with-re-bello",
            say("To 11 with the re bello"),
            say("The king of coins is as good as the seven."),
            {"re_bello": True},
        ),
        Preset(
            "in-order",
            say("To 11, counted in order"),
            say(
                "Level at the target, the points of the last deal are counted one by one: whoever "
                "gets there first wins."
            ),
            {"end": ScopaEnd.ORDER_ON_TIE},
        ),
        Preset(
            "scopone",
            say("Scopone"),
            say("All forty cards are dealt to four, in pairs, to 21."),
            {"target": 21, **SCOPONE},
        ),
        Preset(
            "scopone-16",
            say("Scopone to 16"),
            say("All forty cards are dealt to four, in pairs."),
            {"target": 16, **SCOPONE},
        ),
        Preset(
            "scopone-11",
            say("Scopone to 11"),
            say("A short match of four, in pairs."),
            {"target": 11, **SCOPONE},
        ),
        Preset(
            "assi",
            say("Scopa d’assi"),
            say("An ace takes all that lies on the table; to 31, with the napola."),
            {"target": 31, "napola": Napola.LENGTH, "left_on_table": True},
        ),
        Preset(
            "quindici",
            say("Scopa a quindici"),
            say("A card takes what makes fifteen together with it."),
            {"left_on_table": True},
        ),
    )
    sources = (
        Source("digitalmoka.com, Scopa", "https://digitalmoka.com/game/regole-della-scopa"),
        Source("github.com/timendum/carte, Scopa", "https://github.com/timendum/carte"),
        Source("The Penguin Book of Card Games", None),
        Source("genovagioca.it, Scopone", None),
        Source("giocopocomagioco.com, Scopa a quindici", None),
        Source("jmpcav, Scopa d’asso", "http://xoomer.virgilio.it/jmpcav/carte/spunti.htm"),
    )

    def seating(self, rules: ScopaRules) -> Seating:
        return Seating((4,) if rules.four else self.seats)

    def irrelevant_questions(self, table: Table[ScopaRules]) -> Mapping[str, bool]:
        return {
            "napola": table.rules.napola is Napola.OFF,
            "re_bello": not table.rules.re_bello,
        }

    def problems(self, sheet: ScopaSheet, table: Table[ScopaRules]) -> Iterator[Problem]:
        yield from pile_problems(sheet, table.rules, some_left=table.rules.left_on_table)
        for side in sheet.sides:
            yield from _coin_problems(sheet, side)
        yield from _napola_problems(sheet, table.rules)
        yield from bonus_problems(sheet.bonus, table.rules.bonus)

    def warnings(self, sheet: ScopaSheet, table: Table[ScopaRules]) -> list[Problem]:
        """Find what isn't counted here, and what the piles can't be."""
        warnings, rules = [*pile_warnings(sheet)], table.rules
        if any(sheet.napola) and rules.napola is Napola.OFF:
            message = say("The napola isn't counted by these rules.")
            warnings.append(Problem("not-counted", "napola", message))
        if sheet.re_bello is not None and not rules.re_bello:
            message = say("The re bello isn't counted by these rules.")
            warnings.append(Problem("not-counted", "re_bello", message))
        return warnings

    def steps(self, sheet: ScopaSheet, table: Table[ScopaRules], sides: Sides) -> Iterator[Step]:
        def said(rule: str, side: int) -> Text:
            if rule == "napola":
                three = table.rules.napola is Napola.THREE
                words = NAPOLA_OF_THREE if three else NAPOLA_OF_LENGTH
                return Text(words.template, {"count": sheet.napola[side]})
            return as_it_is(table.rules.bonus) if rule == "bonus" else say("re bello")

        return pile_steps(sheet, table, sides, counted(sheet, table.rules), said)

    def side_figures(self, sheet: ScopaSheet, table: Table[ScopaRules]) -> Sequence[int]:
        return [sum(points) for points in zip(*counted(sheet, table.rules).values(), strict=True)]

    def progress(self, tally: Tally, rules: ScopaRules) -> Progress:
        """Return who won: by a whole napola, in the order of counting, or by the highest balance.

        Where the last deal isn't known, or was no deal, the highest wins.
        """
        sides = self.sides_at(tally, rules)
        last = tally.last if isinstance(tally.last, ScopaSheet) else None
        if last is None or len(last.cards) != len(sides):
            return super().progress(tally, rules)
        if rules.napola is Napola.LENGTH and WHOLE_NAPOLA in last.napola:
            return Progress(
                finished=True,
                winners=sides[last.napola.index(WHOLE_NAPOLA)],
                why=say("The whole napola wins the match."),
            )
        totals = side_totals(tally.balances, sides)
        apart = strictly_most(totals) is not None
        if rules.end is ScopaEnd.HIGHEST or (rules.end is ScopaEnd.ORDER_ON_TIE and apart):
            return super().progress(tally, rules)
        return _first_there(totals, counted(last, rules), sides, rules.target)

    def words(self, rules: ScopaRules) -> Iterator[Text]:
        yield from pile_words(rules)
        if rules.napola is Napola.LENGTH:
            yield say(
                "Napola: ace, two and three of coins and what follows count a point a card; "
                "all ten win the match."
            )
        if rules.napola is Napola.THREE:
            yield say("Napola: ace, two and three of coins count three points.")
        if rules.re_bello:
            yield say("Re bello: the king of coins counts a point.")
        yield from bonus_words(rules.bonus)
        target = point_count(rules.target)
        yield say("The match is to %(target)s, checked after each deal.", target=target)
        yield END_WORDS[rules.end]


NAPOLA_OF_LENGTH = say("napola of %(count)s cards")
NAPOLA_OF_THREE = say("napola of %(count)s cards, which counts 3 by these rules")


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


def _first_there(
    totals: Sequence[int], points: dict[str, list[int]], sides: Sides, target: int
) -> Progress:
    """Count the last deal again point by point: the first at the target has won."""
    running = [
        total - sum(own)
        for total, own in zip(totals, zip(*points.values(), strict=True), strict=True)
    ]
    for counting in points.values():
        running = [total + amount for total, amount in zip(running, counting, strict=True)]
        best = strictly_most(running)
        if best is not None and running[best] >= target:
            why = say(
                "With the points of the last deal counted in this order: cards, coins, "
                "settebello, primiera, scope, the winning side reached %(target)s first.",
                target=target,
            )
            return Progress(finished=True, winners=sides[best], why=why)
    return play_on(max(totals)) if max(totals) >= target else UNDECIDED


END_WORDS = {
    ScopaEnd.HIGHEST: say("If several get there the highest wins, and level they play on."),
    ScopaEnd.ORDER_ON_TIE: say(
        "If several get there the highest wins. Level, the points of the last deal are counted in "
        "this order: cards, coins, settebello, primiera, scope; who gets there first wins."
    ),
    ScopaEnd.ORDER_ALWAYS: say(
        "If several get there, the points of the last deal are counted in this order: cards, "
        "coins, settebello, primiera, scope; who gets there first wins, even with fewer in the end."
    ),
}


GAME = Scopa()
