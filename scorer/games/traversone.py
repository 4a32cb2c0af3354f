"""Traversone, or Tressette a perdere: whoever takes points takes them on (rules.md D9)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.cards import DECKS
from scorer.rules.closing_game import last_in_wins
from scorer.rules.game import NamedRules, NothingSaid, Step, Table
from scorer.rules.match import Ends, Progress, Tally
from scorer.rules.options import Source
from scorer.rules.plain_game import PlainGame, Preset, side_step
from scorer.rules.questions import Ask, Choice, missing
from scorer.rules.seats import Seat, Seating, Sides, every_seat
from scorer.rules.thirds import ACES, COUNTED, HAND, SUIT_IS_FOLLOWED, THIRDS
from scorer.texts import Text, added, point_count, say

#: What a whole deal has, by the question.
WHOLE = {"hand_points": HAND, "aces": ACES, "thirds": THIRDS}


class TraversoneEnd(Choice):
    """What happens to somebody who reaches the target."""

    LOSER = "loser", say("It is over, and the lowest wins")
    OUT = "out", say("That player is out, the last one in wins")


@dataclass(frozen=True, slots=True)
class TraversoneRules(NamedRules):
    """How many points are too many, and whether taking all of them is a cappotto."""

    target: Annotated[int, Ask(say("Points that are too many"), low=1, high=1000)] = 41
    end: Annotated[TraversoneEnd, Ask(say("When somebody reaches them"))] = TraversoneEnd.LOSER
    cappotto: Annotated[
        bool, Ask(say("Cappotto: all 11 points are taken on by everybody else"))
    ] = True


Counts = Mapping[Seat, int] | None


@dataclass(frozen=True, slots=True)
class TraversoneSheet:
    """What the scorekeeper writes down for one deal: what each took, or its hand points.

    ``thirds`` counts the threes, twos and court cards; whoever is left out took nothing.
    """

    aces: Annotated[Counts, Ask(COUNTED["aces"], low=0, high=ACES, total=ACES, counted=True)] = None
    thirds: Annotated[
        Counts, Ask(COUNTED["thirds"], low=0, high=THIRDS, total=THIRDS, counted=True)
    ] = None
    last_trick: Annotated[Seat | None, Ask(say("Last trick"))] = None
    hand_points: Annotated[
        Counts, Ask(say("Hand points"), low=0, high=HAND, total=HAND, counted=True)
    ] = None

    @property
    def counted(self) -> bool:
        """Whether the cards were counted, or some of them."""
        return self.aces is not None or self.thirds is not None


def taken(sheet: TraversoneSheet, active: Sequence[Seat]) -> list[tuple[Seat, Text, int]]:
    """List what each took: the hand points as they were written, or 11 of them by the cards.

    Whoever takes the last trick has its point, and all the thirds that the others drop.
    """
    if sheet.hand_points is not None:
        return [(seat, say("hand points"), sheet.hand_points.get(seat, 0)) for seat in active]
    aces, thirds, what = sheet.aces or {}, sheet.thirds or {}, say("aces, and three thirds a point")
    piles = [(seat, what, aces.get(seat, 0) + thirds.get(seat, 0) // 3) for seat in active]
    rest, last = HAND - sum(points for *_, points in piles), sheet.last_trick or Seat(0)
    return [*piles, (last, say("the last trick, and what the others drop"), rest)]


def hand_points(sheet: TraversoneSheet, active: Sequence[Seat]) -> dict[Seat, int]:
    points = dict.fromkeys(active, 0)
    for seat, _, amount in taken(sheet, active):
        points[seat] += amount
    return points


def cappotto(sheet: TraversoneSheet, table: Table[TraversoneRules]) -> Seat | None:
    """Return who has taken everything, if that counts."""
    points = hand_points(sheet, table.active) if table.rules.cappotto else {}
    return next((seat for seat, amount in points.items() if amount == HAND), None)


class Traversone(PlainGame[TraversoneSheet, TraversoneRules]):
    """Tressette the other way round."""

    slug = "traversone"
    eliminates = balances_count = True
    name = say("Traversone")
    blurb = say("Tressette the other way round: whoever takes the fewest points wins.")
    about = (
        say(
            "Three to eight play, each for themselves, with forty Italian cards: three without a "
            "four, six without the fours, seven without the fours and a five. From strong to weak "
            "a suit is three, two, ace, king, knight, jack, seven, six, five, four."
        ),
        SUIT_IS_FOLLOWED,
        say(
            "Nobody wants points: every ace that is taken is one, every three, two and figure a "
            "third of one, the last trick one more. Fractions that the others drop fall to whoever "
            "takes the last trick, so that a deal has 11."
        ),
        say("Whoever takes all 11 has made a cappotto: all the others take them on instead."),
    )
    pack = DECKS["italian-40"]
    sheet_type = TraversoneSheet
    start_type = NothingSaid
    rules_type = TraversoneRules
    seats = (3, 4, 5, 6, 7, 8)
    described = (
        Preset("to-41", say("To 41"), say("Once somebody has 41 the lowest wins."), {}),
        Preset("to-21", say("To 21"), say("A short match."), {"target": 21}),
        Preset("to-31", say("To 31"), say("A match of middle length."), {"target": 31}),
        Preset(
            "out-at-41",
            say("Out at 41"),
            say("Whoever has 41 is out, and the last one left wins."),
            {"end": TraversoneEnd.OUT},
        ),
    )
    sources = (
        Source("oasisitalia.it, Traversone", "http://www.oasisitalia.it/traversone"),
        Source("digitalmoka.com", "https://digitalmoka.com/game/regole-del-traversone"),
        Source("biska.com", "http://www.biska.com/"),
    )

    def seating(self, rules: TraversoneRules) -> Seating:
        """Return the numbers of players; where others are out two play the last deals."""
        out = rules.end is TraversoneEnd.OUT
        return Seating((2, *self.seats) if out else self.seats, fewest=min(self.seats))

    def sides(
        self, active: Sequence[Seat], rules: TraversoneRules, sheet: TraversoneSheet | None = None
    ) -> Sides:
        return every_seat(active)

    def still_in(
        self, order: tuple[Seat, ...], balances: Mapping[Seat, int], rules: TraversoneRules
    ) -> tuple[Seat, ...]:
        """Return those below the target, and if nobody is, those with the fewest points."""
        if rules.end is TraversoneEnd.LOSER:
            return order
        least = min(balances[seat] for seat in order)
        return tuple(seat for seat in order if balances[seat] < max(rules.target, least + 1))

    def problems(self, sheet: TraversoneSheet, table: Table[TraversoneRules]) -> Iterator[Problem]:
        for name, whole in WHOLE.items():
            values: Mapping[Seat, int] | None = getattr(sheet, name)
            if values is not None:
                yield from _count_problems(name, values, whole, table)
            elif name != "hand_points" and sheet.counted:
                yield Problem("missing-key", name, missing(COUNTED[name]))
        if not sheet.counted and sheet.hand_points is None:
            message = say("The hand points are needed, or what each took.")
            yield Problem("missing-key", "hand_points", message)
        if sheet.counted and sheet.last_trick is None:
            yield Problem("missing-key", "last_trick", say("Who took the last trick?"))
        if sheet.last_trick is not None and sheet.last_trick not in table.active:
            yield _out(sheet.last_trick, "last_trick", table)
        elif _contradicts(sheet, table.active):
            message = say("The cards that were taken, or the last trick, make other hand points.")
            yield Problem("hand-points-differ", "hand_points", message)

    def steps(
        self, sheet: TraversoneSheet, table: Table[TraversoneRules], sides: Sides
    ) -> Iterator[Step]:
        maker = cappotto(sheet, table)
        if maker is not None:
            text = say(
                "Cappotto of %(name)s: each of the others takes on 11.", name=table.name(maker)
            )
            others = (seat for seat in table.active if seat != maker)
            yield Step("cappotto", text, dict.fromkeys(others, HAND))
            return
        for seat, what, amount in taken(sheet, table.active):
            yield side_step("hand", table, (seat,), what, amount, burden=True)

    def headline(self, sheet: TraversoneSheet, table: Table[TraversoneRules]) -> Text:
        maker, what = cappotto(sheet, table), self.summary(sheet, table)
        if maker is None:
            return what
        return say("%(name)s made a cappotto: %(what)s", name=table.name(maker), what=what)

    def ends(self, rules: TraversoneRules) -> Ends:
        return Ends(rules.target, lowest=True, shared=True)

    def progress(self, tally: Tally, rules: TraversoneRules) -> Progress:
        """Return who won: the last one in, or the lowest of all once somebody has too many."""
        if rules.end is TraversoneEnd.LOSER:
            return super().progress(tally, rules)
        left = self.still_in(tally.here, tally.balances, rules)
        return last_in_wins(tally, self.sides_at(tally, rules), left, rules.target)

    def end_text(self, rules: TraversoneRules) -> Text:
        if rules.end is TraversoneEnd.OUT:
            return say("Out at %(limit)s", limit=rules.target)
        return super().end_text(rules)

    def words(self, rules: TraversoneRules) -> Iterator[Text]:
        yield say(
            "Aces and the last trick are a point each, threes, twos and court cards a third; "
            "whoever takes the last trick also has the fractions that the others drop."
        )
        if rules.cappotto:
            yield say("Cappotto: whoever takes all 11 points has none, and the others 11 each.")
        else:
            yield say("Whoever takes all 11 points takes them on.")
        target = point_count(rules.target)
        if rules.end is TraversoneEnd.OUT:
            yield say("Whoever reaches %(limit)s is out.", limit=target)
            yield say("The last one left wins.")
        else:
            yield say("It is over once somebody has %(target)s.", target=target)
            yield say("The lowest wins then; who is level shares it.")


def _out(seat: Seat, field: str, table: Table[TraversoneRules]) -> Problem:
    return Problem("player-out", field, say("%(name)s is out.", name=table.name(seat)))


def _count_problems(
    name: str, values: Mapping[Seat, int], whole: int, table: Table[TraversoneRules]
) -> Iterator[Problem]:
    """Find who does not play, and figures that are not those of a whole deal."""
    for seat in values:
        if seat not in table.active:
            yield _out(seat, f"{name}.{table.name(seat)}", table)
    if (total := sum(values.values())) != whole:
        made = {"figures": added(values.values()), "sum": total, "whole": whole}
        message = say("%(figures)s = %(sum)s, but it is %(whole)s in a deal.", **made)
        yield Problem(f"sum-not-{whole}", name, message)


def _contradicts(sheet: TraversoneSheet, active: Sequence[Seat]) -> bool:
    """Whether hand points are not those of the counted cards, or lack that of the last trick."""
    if sheet.hand_points is None or sheet.last_trick is None:
        return False
    if sheet.aces is not None and sheet.thirds is not None:
        by_cards = replace(sheet, hand_points=None)
        return hand_points(by_cards, active) != hand_points(sheet, active)
    return not sheet.hand_points.get(sheet.last_trick)


GAME = Traversone()
