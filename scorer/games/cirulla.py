"""Cirulla for two, three, or four in pairs: Scopa with runs of coins and declared hands.

The points of Scopa, the piccola, the grande, and hands that are shown; all ten coins may win the
match (rules.md D11).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.match import Progress, Tally
from scorer.rules.options import Source
from scorer.rules.piles import (
    COINS,
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
from scorer.rules.plain_game import PlainGame, Preset
from scorer.rules.questions import Ask, Choice
from scorer.rules.seats import PerSide, Side, Sides
from scorer.texts import Text, card_count, say

LEAST_PICCOLA, MOST_PICCOLA = 3, 6
GRANDE, GRANDE_CARDS, WHOLE = 5, 3, 30
MOST_DECLARED = 60
#: What hands that are shown add up to: 3 and 10, as often as one likes.
DECLARED = {3 * nines + 10 * threes for nines in range(21) for threes in range(7)}


class Cappotto(Choice):
    """What all ten coins of a deal are worth."""

    WINS = "wins", say("Wins the match")
    THIRTY = "thirty", say("Thirty points")
    OFF = "off", say("Nothing besides")


@dataclass(frozen=True, slots=True)
class CirullaRules(NamedRules):
    """The target, and what all ten coins are worth."""

    target: Annotated[int, Ask(say("Points to reach"), low=1, high=1000)] = 51
    cappotto: Annotated[
        Cappotto, Ask(say("Cappotto"), hint=say("One side takes all ten cards of coins."))
    ] = Cappotto.WINS
    missing_suit: MissingSuitRule = MissingSuit.OUT


@dataclass(frozen=True, slots=True)
class CirullaSheet(PileSheet):
    """A deal: the piles, the runs of coins, and the hands that were shown."""

    piccola: Annotated[PerSide[int], Ask(say("Piccola"), low=0, high=COINS, counted=True)] = (
        PerSide()
    )
    grande: Annotated[Side | None, Ask(say("Grande"))] = None
    declared: Annotated[
        PerSide[int], Ask(say("Hands shown"), low=0, high=MOST_DECLARED, counted=True)
    ] = PerSide()

    @property
    def whole(self) -> int | None:
        """The side that has all the coins."""
        return self.coins.index(COINS) if COINS in self.coins else None


class Cirulla(PlainGame[CirullaSheet, CirullaRules]):
    """Scopa as it is played in Liguria."""

    slug = "cirulla"
    name = say("Cirulla")
    blurb = say("Scopa of Liguria: fifteens, aces that sweep, runs of coins and shown hands.")
    about = (
        say(
            "Three cards each and four on the table, as in Scopa. A card takes one of its own "
            "worth or a sum, or what makes fifteen together with it; an ace takes everything, "
            "unless an ace lies there."
        ),
        say(
            "If the four cards that are laid out make fifteen, the dealer takes them for a scopa; "
            "if they make thirty, for two."
        ),
        say(
            "Who gets three cards of nine together at most shows them for 3 points, three of a "
            "kind for 10. The seven of cups may stand for any card then."
        ),
        say(
            "Then the piles are counted: cards, coins, settebello, primiera and every scopa as in "
            "Scopa. Ace, two and three of coins are the piccola, 3 points, and 1 more for each "
            "that follows up to the six; jack, knight and king of coins are the grande, 5."
        ),
        say("Four play in two pairs, with one pile a side."),
    )
    pack = DECK
    sheet_type = CirullaSheet
    rules_type = CirullaRules
    seats = (2, 3, 4)
    described = (
        Preset("to-51", say("To 51"), say("The usual match; all ten coins win it."), {}),
        Preset("to-101", say("To 101"), say("A long match."), {"target": 101}),
        Preset(
            "tournament-81",
            say("Tournament, to 81"),
            say("As in Genoa: all ten coins count thirty points."),
            {"target": 81, "cappotto": Cappotto.THIRTY},
        ),
    )
    sources = (
        Source(
            "regoledelgioco.com, Cirulla",
            "https://www.regoledelgioco.com/giochi-di-carte/cirulla/",
        ),
        Source("github.com/GioeleGhidara/cirulla", "https://github.com/GioeleGhidara/cirulla"),
        Source(
            "CivRulla, a tournament to 81",
            "http://blogalessandria-fuoriporta.blogspot.com/2010/11/"
            "aperte-le-iscrizioni-al-torneo-di.html",
        ),
    )

    def problems(self, sheet: CirullaSheet, table: Table[CirullaRules]) -> Iterator[Problem]:
        yield from pile_problems(sheet, table.rules)
        if sum(map(bool, sheet.piccola)) > 1:
            message = say("Only one side can have ace, two and three of coins.")
            yield Problem("both-piccole", "piccola", message)
        for side in sheet.sides:
            yield from _own_problems(sheet, side)

    def warnings(self, sheet: CirullaSheet, table: Table[CirullaRules]) -> list[Problem]:
        return [*pile_warnings(sheet)]

    def counted(self, sheet: CirullaSheet, rules: CirullaRules) -> dict[str, list[int]]:
        """Count the points of each side, in the order in which they are told."""
        whole = sheet.whole if rules.cappotto is Cappotto.THIRTY else None
        return {
            **pile_points(sheet, rules),
            "piccola": [sheet.piccola.of(side, 0) for side in sheet.sides],
            "grande": [GRANDE * one for one in one_for(sheet, sheet.grande)],
            "declared": [sheet.declared.of(side, 0) for side in sheet.sides],
            "cappotto": [WHOLE * one for one in one_for(sheet, whole)],
        }

    def steps(
        self, sheet: CirullaSheet, table: Table[CirullaRules], sides: Sides
    ) -> Iterator[Step]:
        counted = self.counted(sheet, table.rules)
        yield from pile_steps(sheet, table, sides, counted, lambda rule, _side: WORDS[rule])
        if sheet.whole is not None and table.rules.cappotto is Cappotto.WINS:
            names = table.names(sides[sheet.whole])
            yield Step("cappotto", say("%(side)s: cappotto wins the match.", side=names), {})

    def progress(self, tally: Tally, rules: CirullaRules) -> Progress:
        """Return who won: by all ten coins, or by the highest balance."""
        sides, last = self.sides_at(tally, rules), tally.last
        wins = rules.cappotto is Cappotto.WINS and isinstance(last, CirullaSheet)
        if wins and last.whole is not None and len(last.coins) == len(sides):
            why = say("Cappotto wins the match.")
            return Progress(finished=True, winners=sides[last.whole], why=why)
        return super().progress(tally, rules)

    def words(self, rules: CirullaRules) -> Iterator[Text]:
        yield from pile_words(rules)
        yield say("Piccola: 3 to 6 points; grande: 5. Hands that are shown: 3 and 10.")
        if rules.cappotto is Cappotto.WINS:
            yield say("Cappotto: all ten cards of coins win the match.")
        if rules.cappotto is Cappotto.THIRTY:
            yield say("Cappotto: all ten cards of coins count 30 points besides.")
        yield from self.ends(rules).words()


WORDS = {
    "piccola": say("piccola"),
    "grande": say("grande"),
    "declared": say("hands shown"),
    "cappotto": say("cappotto, all ten coins"),
}


def _own_problems(sheet: CirullaSheet, side: int) -> Iterator[Problem]:
    """Find runs of coins and shown hands that a side can't have."""
    piccola, declared = sheet.piccola.of(side, 0), sheet.declared.of(side, 0)
    if piccola and not LEAST_PICCOLA <= piccola <= MOST_PICCOLA:
        message = say("A piccola counts from 3 to 6 points, or there is none.")
        yield Problem("piccola-value", f"piccola[{side}]", message)
    if declared not in DECLARED:
        message = say("Hands that are shown count 3 or 10 points each.")
        yield Problem("declared-value", f"declared[{side}]", message)
    grande = GRANDE_CARDS * (sheet.grande == side)
    least = piccola + grande + (sheet.settebello == side)
    if sheet.coins[side] < least:
        code, field = "settebello-coins", "settebello"
        if piccola:
            code, field = "piccola-without-coins", f"piccola[{side}]"
        elif grande:
            code, field = "grande-without-coins", "grande"
        message = say(
            "Piccola, settebello and grande need at least %(least)s of coins, not %(coins)s.",
            least=card_count(least),
            coins=sheet.coins[side],
        )
        yield Problem(code, field, message)


GAME = Cirulla()
