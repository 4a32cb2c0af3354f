"""Terziglio, or Calabresella: one against two, who needs 6 of the 11 points (rules.md D10)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Score, Step, Table
from scorer.rules.options import Source
from scorer.rules.plain_game import PlainGame, Preset, side_step
from scorer.rules.questions import Ask, Choice
from scorer.rules.seats import Seat, Sides, every_seat
from scorer.rules.thirds import HAND
from scorer.texts import Text, often, point_count, say, signed

NEEDED = 6


class TerziglioBid(Choice):
    """What somebody plays alone with: a card that is called, the four of the table, or neither."""

    CHIAMO = "chiamo", say("Chiamo")
    SOLO = "solo", say("Solo")
    SOLISSIMO = "solissimo", say("Solissimo")


class TerziglioPay(Choice):
    """What a deal pays: the same whatever was taken, or for each point above 5 or below 6."""

    UNIT = "unit", say("A unit")
    DIFFERENCE = "difference", say("Each point above 5, or below 6")


@dataclass(frozen=True, slots=True)
class TerziglioRules(NamedRules):
    """What a deal pays, how many times each bid counts, and when it ends."""

    unit: Annotated[int, Ask(say("Unit"), low=1, high=1000)] = 1
    chiamo: Annotated[int, Ask(say("How many times a chiamo counts"), low=1, high=100)] = 1
    solo: Annotated[int, Ask(say("How many times a solo counts"), low=1, high=100)] = 2
    solissimo: Annotated[int, Ask(say("How many times a solissimo counts"), low=1, high=100)] = 3
    pays: Annotated[TerziglioPay, Ask(say("A deal pays"))] = TerziglioPay.UNIT
    cappotto_times: Annotated[int, Ask(say("How many times a cappotto counts"), low=1, high=10)] = 1
    target: Annotated[
        int | None, Ask(say("Points to reach"), low=1, high=100_000, none=say("No target"))
    ] = None

    def times(self, bid: TerziglioBid) -> int:
        factor: int = getattr(self, bid.value)
        return factor


@dataclass(frozen=True, slots=True)
class TerziglioSheet:
    """What the scorekeeper writes down for one deal; the hand points are the soloist's."""

    soloist: Annotated[Seat, Ask(say("Who plays alone"))]
    bid: Annotated[TerziglioBid, Ask(say("Bid"))]
    made: Annotated[bool | None, Ask(say("Made, 6 points or more"))] = None
    hand_points: Annotated[
        int | None, Ask(say("Hand points of who plays alone"), low=0, high=HAND)
    ] = None

    @property
    def is_made(self) -> bool:
        return bool(self.made) if self.hand_points is None else self.hand_points >= NEEDED

    @property
    def cappotto(self) -> bool:
        """Whether one side is known to have taken all the points."""
        return self.hand_points in (0, HAND)


def units(sheet: TerziglioSheet, rules: TerziglioRules) -> int:
    """Return what the bid is multiplied with: the unit, or the points above 5 or below 6."""
    if rules.pays is TerziglioPay.UNIT or sheet.hand_points is None:
        return rules.unit
    return sheet.hand_points - (NEEDED - 1) if sheet.is_made else NEEDED - sheet.hand_points


def paid_by_each(sheet: TerziglioSheet, rules: TerziglioRules) -> int:
    """Return what each of the two pays the soloist, who pays as much if it was missed."""
    times = rules.times(sheet.bid) * (rules.cappotto_times if sheet.cappotto else 1)
    return units(sheet, rules) * times * (1 if sheet.is_made else -1)


class Terziglio(PlainGame[TerziglioSheet, TerziglioRules]):
    """Tressette for three, one against two."""

    slug = "terziglio"
    name = say("Terziglio")
    blurb = say("Tressette for three: one alone against two, who needs 6 of the 11 points.")
    about = (
        say(
            "Forty Italian cards: twelve each for three players, and four lie on the table. From "
            "strong to weak a suit is three, two, ace, king, knight, jack, seven, six, five, four. "
            "Suit is followed, and nothing is trump."
        ),
        say(
            "Who wants to play alone says chiamo, and asks for a card that somebody has to give "
            "away for another; or solo, without that. Both take up the four cards and lay four "
            "away. Solissimo is with the twelve cards alone. The highest bid plays."
        ),
        say(
            "Every ace that is taken counts a point, every three, two and figure a third of one, "
            "the last trick a point more, and with it come the four cards: 11 points a deal. Who "
            "plays alone needs 6, and wins from each of the two, or pays each."
        ),
    )
    sheet_type = TerziglioSheet
    rules_type = TerziglioRules
    seats = (3,)
    described = (
        Preset(
            "classic", say("Classic"), say("A unit from each; solo double, solissimo triple."), {}
        ),
        Preset(
            "difference",
            say("By the points"),
            say("Each point above 5 is paid, or each below 6."),
            {"pays": TerziglioPay.DIFFERENCE},
        ),
        Preset("to-21", say("To 21"), say("The first with 21 points wins."), {"target": 21}),
    )
    sources = (
        Source("Treccani, terziglio", "https://www.treccani.it/vocabolario/terziglio/"),
        Source("en.wikipedia, Calabresella", "https://en.wikipedia.org/wiki/Calabresella"),
    )

    def sides(
        self, active: Sequence[Seat], rules: TerziglioRules, sheet: TerziglioSheet | None = None
    ) -> Sides:
        """Return one against two; before the sheet says who, each alone."""
        if sheet is None:
            return every_seat(active)
        return (sheet.soloist,), tuple(seat for seat in active if seat != sheet.soloist)

    def adds_up(self, rules: TerziglioRules) -> bool:
        return True

    def irrelevant_questions(self, table: Table[TerziglioRules]) -> Mapping[str, bool]:
        return {"made": table.rules.pays is TerziglioPay.DIFFERENCE}

    def problems(self, sheet: TerziglioSheet, table: Table[TerziglioRules]) -> Iterator[Problem]:
        yield from table.sitting_out({"soloist": sheet.soloist})
        if sheet.hand_points is None and table.rules.pays is TerziglioPay.DIFFERENCE:
            message = say("By these rules the hand points are needed.")
            yield Problem("needs-points", "hand_points", message)
        elif sheet.hand_points is None and sheet.made is None:
            message = say("Was it made, or how many hand points were taken?")
            yield Problem("missing-key", "hand_points", message)
        elif sheet.made not in (None, sheet.is_made):
            yield Problem("made-points", "made", say("The hand points say otherwise."))

    def steps(
        self, sheet: TerziglioSheet, table: Table[TerziglioRules], sides: Sides
    ) -> Iterator[Step]:
        rules, each = table.rules, paid_by_each(sheet, table.rules)
        yield Step("result", _result(sheet, table.name(sheet.soloist)), {})
        if rules.pays is TerziglioPay.DIFFERENCE:
            points = point_count(units(sheet, rules))
            yield Step("difference", say("The difference is %(points)s.", points=points), {})
        if (times := rules.times(sheet.bid)) > 1:
            yield Step("bid", _counts(sheet.bid.words, times), {})
        if sheet.cappotto and rules.cappotto_times > 1:
            yield Step("cappotto", _counts(say("Cappotto"), rules.cappotto_times), {})
        yield side_step(
            "soloist", table, sides[0], say("2 × %(each)s", each=signed(each)), 2 * each
        )
        yield side_step("others", table, sides[1], say("each"), -each)

    def score(self, sheet: TerziglioSheet, table: Table[TerziglioRules]) -> Score:
        sides = self.sides(table.active, table.rules, sheet)
        steps = [*self.steps(sheet, table, sides)]
        return Score.of(table.active, steps, made=sheet.is_made)

    def headline(self, sheet: TerziglioSheet, table: Table[TerziglioRules]) -> Text:
        return _result(sheet, table.name(sheet.soloist))

    def words(self, rules: TerziglioRules) -> Iterator[Text]:
        yield say("Whoever plays alone needs 6 of the 11 points, and wins from each or pays each.")
        if rules.pays is TerziglioPay.UNIT:
            yield say("A deal pays %(unit)s.", unit=point_count(rules.unit))
        else:
            yield say("A deal pays each point above 5 if it is made, or each below 6 if not.")
        for bid in TerziglioBid:
            if (times := rules.times(bid)) > 1:
                yield _counts(bid.words, times)
        if rules.cappotto_times > 1:
            yield _counts(say("All 11 points of one side, a cappotto,"), rules.cappotto_times)
        yield from self.ends(rules).words()


def _counts(what: Text, times: int) -> Text:
    return say("%(what)s counts %(times)s.", what=what, times=often(times))


def _result(sheet: TerziglioSheet, name: str) -> Text:
    what = say("%(name)s, %(bid)s", name=name, bid=sheet.bid.words)
    if sheet.hand_points is not None:
        taken = sheet.hand_points
        what = say("%(what)s, took %(points)s of 11", what=what, points=taken)
    if sheet.is_made:
        return say("%(what)s: made.", what=what)
    return say("%(what)s: missed.", what=what)


GAME = Terziglio()
