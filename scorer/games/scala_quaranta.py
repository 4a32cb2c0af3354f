"""Scala Quaranta for two to six: each but the one who closes adds the cards left in hand.

Whoever reaches the limit is out, unless the house lets them buy in again; the last one left wins
(rules.md D4).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.closing_game import (
    HIGH_ACE,
    LOW_ACE,
    BuyIn,
    EliminatingGame,
    HandValues,
    Out,
    OutRules,
    ReturningSheet,
    out_words,
    thirteen,
)
from scorer.rules.game import Step, Table
from scorer.rules.options import Source
from scorer.rules.plain_game import (
    Bonus,
    BonusName,
    Partners,
    Preset,
    bonus_problems,
    bonus_steps,
    bonus_words,
)
from scorer.rules.questions import Ask, Reading
from scorer.rules.seats import PerSide, Seat, Seating, Sides
from scorer.texts import Text, often, say


@dataclass(frozen=True, slots=True)
class ScalaRules(OutRules):
    """The limit, what cards count, and whether one may buy in again."""

    limit: Annotated[int, Ask(say("Points at which one is out"), low=1, high=100_000)] = 101
    closed_in_hand_times: Annotated[
        int, Ask(say("When one closes in one go, the others pay so many times"), low=1, high=10)
    ] = 1
    ace: Annotated[int, Ask(say("What an ace left in hand costs"), low=LOW_ACE, high=HIGH_ACE)] = (
        HIGH_ACE
    )
    sides: Annotated[Partners, Ask(say("Who plays with whom"), unsaid=True)] = Partners.PLAYERS
    bonus: BonusName = ""


@dataclass(frozen=True, slots=True)
class ScalaSheet(ReturningSheet):
    """What the scorekeeper writes down for one deal."""

    closed_in_hand: Annotated[bool, Ask(say("Closed in hand"))] = False
    bonus: Bonus = PerSide()


class ScalaQuaranta(EliminatingGame[ScalaSheet, ScalaRules]):
    """The game of melds: sequences and sets, the first for forty points."""

    slug = "scala-quaranta"
    name = say("Scala Quaranta")
    blurb = say("Forty points to lay down, and whoever reaches the limit is out.")
    about = (
        say(
            "Two French packs with four jokers, thirteen cards each. In turn everybody draws a "
            "card and puts one away; sequences of a suit and sets of a rank are laid down, at "
            "least three cards each."
        ),
        say(
            "The first time, what is laid down at once has to be worth forty points: 2 to 10 their "
            "own, court cards 10, the ace 11, or 1 before a two. After that one may also add to "
            "what lies there and draw from the cards put away."
        ),
        say(
            "Whoever has put away the last card has closed the deal. The others get points for "
            "what they still hold: court cards 10, a joker 25, an ace what the house says."
        ),
        say(
            "Few points are good here: whoever reaches the limit is out and deals no more, and "
            "the last one left has won."
        ),
    )
    sheet_type = ScalaSheet
    rules_type = ScalaRules
    seats = (2, 3, 4, 5, 6)
    described = (
        Preset("to-101", say("To 101"), say("At 101 one is out; the last one left wins."), {}),
        Preset("to-201", say("To 201"), say("A longer session for more people."), {"limit": 201}),
        Preset("over-101", say("Over 101"), say("At 101 one is still in."), {"out": Out.OVER}),
        Preset(
            "double-in-hand",
            say("To 101, in hand counts double"),
            say("Who lays down everything in one turn doubles what the others hold."),
            {"closed_in_hand_times": 2},
        ),
        Preset(
            "buy-in",
            say("To 101 with buying in"),
            say(
                "Whoever is out may come back where the last of the others stands, while nobody is "
                "above 79."
            ),
            {"buy_in": BuyIn.HIGHEST, "gate": 79},
        ),
        Preset(
            "in-pairs",
            say("To 101 in pairs"),
            say("Four play, two against two: partners are out together."),
            {"sides": Partners.PAIRS},
        ),
        Preset(
            "pairs-251",
            say("To 251 in pairs"),
            say("A long session of four: partners are out together."),
            {"limit": 251, "sides": Partners.PAIRS},
        ),
    )
    sources = (
        Source(
            "catsatcards.com, Scala Quaranta", "https://catsatcards.com/Games/Scala_Quaranta.htm"
        ),
        Source("spazioinwind.libero.it", "https://spazioinwind.libero.it/carte/scala%2040.htm"),
        Source("cavamanara.com, in pairs to 251", None),
        Source("ramino.it", "http://www.ramino.it/regole-ramino.cfm"),
    )

    def check_rules(self, rules: ScalaRules, reading: Reading, path: str) -> None:
        if rules.ace not in (LOW_ACE, HIGH_ACE):
            message = say("One of these is needed: %(all)s.", all=f"{HIGH_ACE}, {LOW_ACE}")
            reading.fault("unknown-choice", f"{path}.ace", message)

    def irrelevant_questions(self, table: Table[ScalaRules]) -> Mapping[str, bool]:
        return {
            **super().irrelevant_questions(table),
            "closed_in_hand": table.rules.closed_in_hand_times == 1,
        }

    def seating(self, rules: ScalaRules) -> Seating:
        return Seating((4,) if rules.sides is Partners.PAIRS else self.seats)

    def sides(
        self, active: Sequence[Seat], rules: ScalaRules, sheet: ScalaSheet | None = None
    ) -> Sides:
        return rules.sides.sides(active)

    def hand_values(self, rules: ScalaRules) -> HandValues:
        return thirteen(rules.ace)

    def times(self, sheet: ScalaSheet, rules: ScalaRules) -> int:
        return rules.closed_in_hand_times if sheet.closed_in_hand else 1

    def problems(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> list[Problem]:
        wrong = [*bonus_problems(sheet.bonus, table.rules.bonus)]
        return [*super().problems(sheet, table), *wrong]

    def closing_step(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> Step:
        step, name = super().closing_step(sheet, table), table.name(sheet.closed)
        if not sheet.closed_in_hand:
            return step
        text = say("%(name)s closed in hand: nothing left to count.", name=name)
        if (times := self.times(sheet, table.rules)) > 1:
            text = say(
                "%(name)s closed in hand: nothing left to count, and the others' cards count "
                "%(times)s.",
                name=name,
                times=often(times),
            )
        return step._replace(text=text)

    def hand_steps(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> Iterator[Step]:
        yield from super().hand_steps(sheet, table)
        yield from bonus_steps(sheet.bonus, table, self.sides(table.active, table.rules))

    def headline(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> Text:
        if not sheet.closed_in_hand:
            return super().headline(sheet, table)
        values = {"name": table.name(sheet.closed), "what": self.summary(sheet, table)}
        return say("%(name)s closed in hand: %(what)s", **values)

    def words(self, rules: ScalaRules) -> Iterator[Text]:
        yield say(
            "In hand a joker counts 25, an ace %(ace)s, a figure 10, the others their own.",
            ace=rules.ace,
        )
        if rules.sides is Partners.PAIRS:
            yield say(
                "Partners sit opposite: each gets points for what both of them hold, and they are "
                "out and come back in together."
            )
        if rules.closed_in_hand_times > 1:
            yield say(
                "When somebody closes in hand, what the others hold counts %(times)s.",
                times=often(rules.closed_in_hand_times),
            )
        yield from out_words(rules)
        yield from bonus_words(rules.bonus)
        yield say("The last one left wins.")


GAME = ScalaQuaranta()
