"""Any other game: people write down the points of each player or each pair for a deal.

The rules say who leads, the highest or the lowest, whether the figures must cancel, and when it is
over (rules.md D6).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.match import Ends
from scorer.rules.plain_game import Partners, PlainGame, Preset, side_step
from scorer.rules.questions import Ask, Question
from scorer.rules.seats import MOST_SEATS, PerSide, Seat, Seating, Sides
from scorer.texts import Text, as_it_is, say, signed

MOST_POINTS = 99_999


@dataclass(frozen=True, slots=True)
class PointsRules(NamedRules):
    """Who leads, who plays with whom, and when it ends; the first end counts."""

    lowest_leads: Annotated[bool, Ask(say("Few points are good: the lowest leads"))] = False
    zero_sum: Annotated[bool, Ask(say("What some win the others lose: a deal comes to 0"))] = False
    sides: Annotated[Partners, Ask(say("Who plays with whom"))] = Partners.PLAYERS
    target: Annotated[
        int | None, Ask(say("Points to reach"), low=1, high=1_000_000, none=say("No target"))
    ] = None
    deals: Annotated[int | None, Ask(say("Deals"), low=1, high=999, none=say("Open end"))] = None


@dataclass(frozen=True, slots=True)
class PointsSheet:
    """What the scorekeeper writes down for one deal: what each side gets."""

    points: Annotated[
        PerSide[int], Ask(say("Points"), low=-MOST_POINTS, high=MOST_POINTS, counted=True)
    ]


class FreePoints(PlainGame[PointsSheet, PointsRules]):
    """A game that is scored at the table, and only added up here."""

    slug = "points"
    named_by_session = True
    name = say("Free points")
    blurb = say("Any other game: you write down who gets what, and it is added up.")
    about = (
        say(
            "For a game that isn’t here, or a house that counts in its own way: after each deal "
            "everybody’s points are written down, with a minus where somebody loses some."
        ),
        say(
            "The rules of a table say whether many points are good or few, who plays with whom, "
            "whether a deal must come to nothing, and when it is over."
        ),
    )
    sheet_type = PointsSheet
    rules_type = PointsRules
    seats = tuple(range(2, MOST_SEATS + 1))
    described = (
        Preset(
            "highest", say("The highest leads"), say("Every deal adds what is written down."), {}
        ),
        Preset(
            "lowest",
            say("The lowest leads"),
            say("Points are a burden, as in hearts or in rummy."),
            {"lowest_leads": True},
        ),
        Preset(
            "zero-sum",
            say("What some win, others lose"),
            say("The figures of a deal cancel, so that they can be settled in money."),
            {"zero_sum": True},
        ),
        Preset(
            "pairs",
            say("In pairs"),
            say("Partners sit opposite each other, and one figure is written for both."),
            {"sides": Partners.PAIRS},
        ),
    )
    sources = ()

    def name_in(self, rules: Mapping[str, Any]) -> Text:
        presets = [preset.name for preset in self.presets.values()]
        name = rules.get("name")
        return as_it_is(name) if isinstance(name, str) and name not in presets else self.name

    def seating(self, rules: PointsRules) -> Seating:
        pairs = rules.sides is Partners.PAIRS
        return Seating(tuple(range(4, MOST_SEATS + 1, 2)) if pairs else self.seats)

    def sides(
        self, active: Sequence[Seat], rules: PointsRules, sheet: PointsSheet | None = None
    ) -> Sides:
        return rules.sides.sides(active)

    def adds_up(self, rules: PointsRules) -> bool:
        return rules.zero_sum

    def worded(self, question: Question, table: Table[PointsRules]) -> Question:
        if table.rules.zero_sum:
            return question._replace(ask=replace(question.ask, total=0))
        return question

    def problems(self, sheet: PointsSheet, table: Table[PointsRules]) -> list[Problem]:
        total = sum(sheet.points)
        if not table.rules.zero_sum or not total:
            return []
        message = say("The points add up to %(sum)s, not to 0.", sum=signed(total))
        return [Problem("sum-not-zero", "points", message)]

    def steps(self, sheet: PointsSheet, table: Table[PointsRules], sides: Sides) -> Iterator[Step]:
        for side, points in zip(sides, sheet.points, strict=True):
            yield side_step(
                "points",
                table,
                side,
                say("points written down"),
                points,
                burden=table.rules.lowest_leads,
            )

    def side_figures(self, sheet: PointsSheet, table: Table[PointsRules]) -> Sequence[int]:
        return sheet.points

    def ends(self, rules: PointsRules) -> Ends:
        return Ends(rules.target, rules.deals, lowest=rules.lowest_leads)

    def headline(self, sheet: PointsSheet, table: Table[PointsRules]) -> Text:
        return self.summary(sheet, table)

    def words(self, rules: PointsRules) -> Iterator[Text]:
        if rules.lowest_leads:
            yield say("Few points are good: the lowest leads.")
        else:
            yield say("The highest leads.")
        if rules.sides is Partners.PAIRS:
            yield say("Partners sit opposite; what is written down for a pair is paid to both.")
        if rules.zero_sum:
            yield say("The points of a deal come to 0 together.")
        yield from self.ends(rules).words()


GAME = FreePoints()
