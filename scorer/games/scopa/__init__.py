"""Scopa for two, three, four and six: what each side has in its pile is counted after the deal.

The most cards, the most coins, the settebello, the best primiera and every scopa count a point; a
house may also count the napola and the re bello (rules.md D1).
"""

from collections.abc import Iterator, Mapping, Sequence

from scorer.errors import Problem
from scorer.games.scopa.sheet import (
    WHOLE_NAPOLA,
    Napola,
    ScopaEnd,
    ScopaRules,
    ScopaSheet,
    counted,
    sheet_problems,
    sheet_warnings,
    steps,
)
from scorer.rules.cards import Deck
from scorer.rules.game import Score, Table
from scorer.rules.match import UNDECIDED, Progress, Tally, play_on
from scorer.rules.options import Source
from scorer.rules.piles import DECK, pile_words
from scorer.rules.plain_game import PlainGame, Preset, bonus_words, highest_wins, side_totals
from scorer.rules.seats import Seating, Sides, strictly_most
from scorer.texts import Text, point_count, say

SCOPONE = {"four": True, "left_on_table": True}


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

    problems = staticmethod(sheet_problems)
    warnings = staticmethod(sheet_warnings)
    steps = staticmethod(steps)

    def seating(self, rules: ScopaRules) -> Seating:
        return Seating((4,) if rules.four else self.seats)

    def irrelevant_questions(self, table: Table[ScopaRules]) -> Mapping[str, bool]:
        return {
            "napola": table.rules.napola is Napola.OFF,
            "re_bello": not table.rules.re_bello,
        }

    def side_figures(self, sheet: ScopaSheet, table: Table[ScopaRules]) -> Sequence[int]:
        return [sum(points) for points in zip(*counted(sheet, table.rules).values(), strict=True)]

    def deck(self, rules: ScopaRules) -> Deck:
        return DECK

    def progress(self, tally: Tally, rules: ScopaRules) -> Progress:
        """Return who won: by a whole napola, in the order of counting, or by the highest balance.

        Where the last deal isn't known, or was no deal, the highest wins.
        """
        sides = self.sides_at(tally, rules)
        last = tally.last if isinstance(tally.last, ScopaSheet) else None
        if last is None or len(last.cards) != len(sides):
            return highest_wins(tally, sides, rules.target)
        if rules.napola is Napola.LENGTH and WHOLE_NAPOLA in last.napola:
            return Progress(
                finished=True,
                winners=sides[last.napola.index(WHOLE_NAPOLA)],
                why=say("The whole napola wins the match."),
            )
        totals = side_totals(tally.balances, sides)
        apart = strictly_most(totals) is not None
        if rules.end is ScopaEnd.HIGHEST or (rules.end is ScopaEnd.ORDER_ON_TIE and apart):
            return highest_wins(tally, sides, rules.target)
        return _first_there(totals, counted(last, rules), sides, rules.target)

    def end_text(self, rules: ScopaRules) -> Text:
        return say("To %(target)s", target=point_count(rules.target))

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
        yield say(
            "The match is to %(target)s, checked after each deal.",
            target=point_count(rules.target),
        )
        yield END_WORDS[rules.end]


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
