"""Maraffone, or Beccaccino: Tressette with a trump, for four in pairs.

Whoever names the trump may declare the cricca, its ace, two and three (rules.md D8).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.cards import DECKS
from scorer.rules.game import NamedRules, NothingSaid, Step, Table
from scorer.rules.match import UNDECIDED, Progress, Tally, side_totals
from scorer.rules.options import Source
from scorer.rules.plain_game import (
    Bonus,
    BonusName,
    PlainGame,
    Preset,
    bonus_problems,
    bonus_steps,
    bonus_words,
    side_step,
    target_words,
)
from scorer.rules.questions import Ask, Choice
from scorer.rules.seats import PerSide, Side, Sides, strictly_most
from scorer.rules.thirds import WHAT_COUNTS, TakenSheet, taken_problems, taken_steps
from scorer.texts import Text, point_count, say

GAMES_NEEDED = 2


class MaraffoneMatch(Choice):
    """Whether a match is one game to the target, or the first to win two."""

    ONE = "one", say("One game")
    BEST_OF_3 = "best-of-3", say("Best of three games")


@dataclass(frozen=True, slots=True)
class MaraffoneRules(NamedRules):
    """The target of a game, how many are a match, and what the cricca counts."""

    target: Annotated[int, Ask(say("Points to reach"), low=1, high=1000)] = 41
    cricca: Annotated[int, Ask(say("What the cricca counts"), low=0, high=10)] = 3
    match: Annotated[MaraffoneMatch, Ask(say("The match"))] = MaraffoneMatch.ONE
    bonus: BonusName = ""


@dataclass(frozen=True, slots=True)
class MaraffoneSheet(TakenSheet):
    """What the scorekeeper writes down for one deal; ``cricca`` is the side that declared it."""

    cricca: Annotated[Side | None, Ask(say("Cricca"))] = None
    bonus: Bonus = PerSide()


class Maraffone(PlainGame[MaraffoneSheet, MaraffoneRules]):
    """The Tressette of Romagna, with a trump."""

    slug = "maraffone"
    name = say("Maraffone")
    blurb = say("Tressette with a trump, in pairs: the cricca is three points more.")
    about = (
        say(
            "Forty Italian cards, ten each, for four; partners sit opposite. From strong to weak a "
            "suit is three, two, ace, king, knight, jack, seven, six, five, four."
        ),
        say(
            "In the first deal whoever has the four of coins names the trump and leads, then the "
            "players one after the other. Suit is followed; who can’t may trump. The highest trump "
            "takes the trick, or the strongest card of the suit that was led."
        ),
        say(
            "Every ace that is taken counts a point, every three, two and figure a third of one, "
            "the last trick a point more. Each side drops what is short of a whole point, so that "
            "a deal has 11."
        ),
        say(
            "Whoever names the trump and holds its ace, two and three says so before leading: that "
            "is the cricca, or maraffa."
        ),
    )
    pack = DECKS["italian-40"]
    sheet_type = MaraffoneSheet
    start_type = NothingSaid
    rules_type = MaraffoneRules
    seats = (4,)
    described = (
        Preset("to-41", say("To 41"), say("The usual match, with the cricca."), {}),
        Preset("to-31", say("To 31"), say("The short match."), {"target": 31}),
        Preset(
            "no-cricca",
            say("To 41, without the cricca"),
            say("Only what is taken counts: 11 points a deal."),
            {"cricca": 0},
        ),
    )
    sources = (
        Source(
            "it.teknopedia, Marafone Beccacino",
            "https://it.teknopedia.teknokrat.ac.id/wiki/Marafone_Beccacino",
        ),
        Source("gamerules.com", "https://gamerules.com/rules/maraffone/"),
        Source("github.com/maku85/the-card-club", "https://github.com/maku85/the-card-club"),
    )

    def irrelevant_questions(self, table: Table[MaraffoneRules]) -> Mapping[str, bool]:
        return {"cricca": not table.rules.cricca}

    def problems(self, sheet: MaraffoneSheet, table: Table[MaraffoneRules]) -> Iterator[Problem]:
        yield from taken_problems(sheet)
        yield from bonus_problems(sheet.bonus, table.rules.bonus)

    def warnings(self, sheet: MaraffoneSheet, table: Table[MaraffoneRules]) -> list[Problem]:
        if sheet.cricca is None or table.rules.cricca:
            return []
        message = say("The cricca isn't counted by these rules.")
        return [Problem("cricca-not-counted", "cricca", message)]

    def steps(
        self, sheet: MaraffoneSheet, table: Table[MaraffoneRules], sides: Sides
    ) -> Iterator[Step]:
        for side, seats in enumerate(sides):
            yield from taken_steps(sheet, table, side, seats)
            if sheet.cricca == side and table.rules.cricca:
                what = say("cricca, ace, two and three of trumps")
                yield side_step("cricca", table, seats, what, table.rules.cricca)
        yield from bonus_steps(sheet.bonus, table, sides)

    def progress(self, tally: Tally, rules: MaraffoneRules) -> Progress:
        if rules.match is MaraffoneMatch.ONE:
            return super().progress(tally, rules)
        sides = self.sides_at(tally, rules)
        won = games_won(tally, sides, rules.target)
        if max(won) < GAMES_NEEDED:
            return UNDECIDED
        why = say("Two games of three are won.")
        return Progress(finished=True, winners=sides[won.index(max(won))], why=why)

    def end_text(self, rules: MaraffoneRules) -> Text:
        if rules.match is MaraffoneMatch.ONE:
            return super().end_text(rules)
        return say("Best of three to %(target)s", target=point_count(rules.target))

    def words(self, rules: MaraffoneRules) -> Iterator[Text]:
        yield WHAT_COUNTS
        if rules.cricca:
            yield say("The cricca counts %(cricca)s.", cricca=point_count(rules.cricca))
        else:
            yield say("The cricca counts nothing.")
        yield from bonus_words(rules.bonus)
        yield from target_words(rules.target)
        if rules.match is MaraffoneMatch.BEST_OF_3:
            yield say("Of three such games whoever wins two wins; each begins at nothing.")


def games_won(tally: Tally, sides: Sides, target: int) -> list[int]:
    """Return how many games each side has won, one after another."""
    won, begun = [0] * len(sides), [0] * len(sides)
    for balances in (*tally.before, tally.balances):
        totals = side_totals(balances, sides)
        points = [total - start for total, start in zip(totals, begun, strict=True)]
        best = strictly_most(points)
        if best is not None and points[best] >= target:
            won[best] += 1
            begun = [*totals]
    return won


GAME = Maraffone()
