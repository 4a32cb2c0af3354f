"""Burraco for two, three and four: cards melded count, cards left in hand cost.

Seven cards or more in one run or set are a burraco: clean, semi-clean or dirty. It is played to a
target, or for a number of deals with victory points (rules.md D3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

from scorer.errors import Problem
from scorer.rules.bands import FOUR_DEALS, THREE_DEALS, VictoryPoints
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.match import Ends, Progress, Tally, side_totals
from scorer.rules.options import Source
from scorer.rules.plain_game import (
    BONUS,
    Bonus,
    BonusName,
    PlainGame,
    Preset,
    bonus_problems,
    bonus_words,
    fives_problems,
    laid_down_steps,
    side_step,
    signed_if_less,
)
from scorer.rules.questions import Ask, Choice, Reading
from scorer.rules.seats import PerSide, Seat, Seating, Side, Sides, sides_of
from scorer.texts import Text, as_it_is, deal_count, listed, say, signed

PACK, MOST_BURRACHI = 1080, 15
CLEAN, SEMI_CLEAN, DIRTY, CLOSED, NO_POT = 200, 150, 100, 100, -100
HARDLY = 2000
#: The least that the cards of a burraco count: seven fives, or fives with a two among them.
LEAST = {"clean": 35, "semi_clean": 55, "dirty": 50}


class CloseNeeds(Choice):
    """Which burraco a side must have to go out."""

    ANY = "any", say("Any burraco")
    CLEAN = "clean", say("A clean burraco")


@dataclass(frozen=True, slots=True)
class BurracoRules(NamedRules):
    """What counts, and how long it is played: a number of deals comes before a target."""

    target: Annotated[
        int | None, Ask(say("Points to reach"), low=100, high=10_000, none=say("No target"))
    ] = 2005
    deals: Annotated[
        int | None, Ask(say("Deals"), low=1, high=99, none=say("Until the target"))
    ] = None
    victory_points: Annotated[
        VictoryPoints | None,
        Ask(
            say("Victory points"),
            none=say("Not counted"),
            hint=say("As in tournaments: 20 are shared out by the difference at the end."),
        ),
    ] = None
    semi_clean: Annotated[
        bool,
        Ask(
            say("Semi-clean burraco"),
            hint=say("With seven clean cards or more beside the wild one: 150 points."),
        ),
    ] = False
    close_needs: Annotated[CloseNeeds, Ask(say("Going out needs"))] = CloseNeeds.ANY
    bonus: BonusName = ""
    alone_until: Annotated[
        int | None,
        Ask(
            say("Among three, nobody plays alone from"),
            low=100,
            high=10_000,
            none=say("No limit"),
            unsaid=True,
            hint=say("Points of anybody from which three pots of eleven are laid out."),
        ),
    ] = None
    minutes: Annotated[
        int | None,
        Ask(say("Minutes of a turn"), low=1, high=999, none=say("No clock"), unsaid=True),
    ] = None


@dataclass(frozen=True, slots=True)
class BurracoSheet:
    """What the scorekeeper writes down for one deal.

    Among three, ``alone`` took the first pot and played against the other two, whose figures are
    added. If nobody is named, each played for themselves.
    """

    clean: Annotated[
        PerSide[int], Ask(say("Clean burrachi"), low=0, high=MOST_BURRACHI, counted=True)
    ]
    dirty: Annotated[
        PerSide[int], Ask(say("Dirty burrachi"), low=0, high=MOST_BURRACHI, counted=True)
    ]
    pot_taken: Annotated[PerSide[bool], Ask(say("Pot taken"))]
    melded: Annotated[PerSide[int], Ask(say("Cards melded"), low=0, high=PACK)]
    in_hand: Annotated[PerSide[int], Ask(say("Cards in hand"), low=0, high=PACK, counted=True)]
    semi_clean: Annotated[
        PerSide[int], Ask(say("Semi-clean burrachi"), low=0, high=MOST_BURRACHI, counted=True)
    ] = PerSide()
    closed: Annotated[Side | None, Ask(say("Went out"))] = None
    penalty: Annotated[PerSide[int], Ask(say("Penalty"), low=0, high=10 * PACK, counted=True)] = (
        PerSide()
    )
    alone: Annotated[Seat | None, Ask(say("Played alone"))] = None
    bonus: Bonus = PerSide()


class Pile(NamedTuple):
    """The answers of those who played together: their places on the sheet."""

    sheet: BurracoSheet
    places: tuple[int, ...]

    def total(self, answer: str) -> int:
        values: PerSide[int] = getattr(self.sheet, answer)
        return sum(values.of(place, 0) for place in self.places)

    @property
    def pot_taken(self) -> bool:
        return any(self.sheet.pot_taken[place] for place in self.places)

    @property
    def closed(self) -> bool:
        return self.sheet.closed in self.places

    @property
    def two_against_one(self) -> bool:
        return len(self.places) == 2


def piles(sheet: BurracoSheet, active: Sequence[Seat]) -> list[Pile]:
    """Return what each side has; of three, two may have played against one."""
    return [Pile(sheet, places) for places in together(sheet.alone, active)]


def together(alone: Seat | None, active: Sequence[Seat]) -> tuple[tuple[int, ...], ...]:
    """Return which places on the sheet are one side's."""
    count = len(sides_of(active))
    if alone not in active or len(active) != 3:
        return tuple((place,) for place in range(count))
    single = active.index(alone)
    pair = tuple(place for place in range(count) if place != single)
    return ((single,), pair) if single == 0 else (pair, (single,))


def _turn(
    slug: str, name: Text, deals: int, minutes: int, table: VictoryPoints | None = None
) -> Preset:
    """Return the rules of a turn of an official tournament; for two deals no table was found."""
    blurb = say("A turn of a tournament by the clock; the difference becomes victory points.")
    if table is None:
        blurb = say("A turn of a tournament by the clock; no source gives victory points for it.")
    turn = {"target": None, "deals": deals, "minutes": minutes, "victory_points": table}
    return Preset(slug, name, blurb, {**turn, "semi_clean": True})


class Burraco(PlainGame[BurracoSheet, BurracoRules]):
    """Runs and sets of seven, a pot to be taken, and a race to go out."""

    slug = "burraco"
    name = say("Burraco")
    blurb = say("Lay down runs and sets, make burrachi of seven, take the pot and go out.")
    about = (
        say(
            "Two French packs with four jokers: eleven cards each, and two pots of eleven that lie "
            "apart. In turn one draws a card, or takes all that were put away, and puts one away."
        ),
        say(
            "Runs of a suit and sets of a rank are laid down, at least three cards each, with one "
            "wild card at most: a joker or a two. Partners lay down and add together."
        ),
        say(
            "Seven cards make a burraco: clean without a wild, dirty with one. Some houses know "
            "the semi-clean in between, whose wild only stands beside seven clean cards or more."
        ),
        say(
            "Whoever runs out of cards takes a pot for the side. With the pot and a burraco a "
            "side may go out, by putting away its last card; the deal ends there, or when the "
            "stock is used up."
        ),
        say(
            "Clean counts 200, dirty 100, going out 100, and a pot that wasn't taken costs 100. "
            "The cards on the table are added, those left in hand are taken off: joker 30, two 20, "
            "ace 15, eight to king 10, three to seven 5."
        ),
        say(
            "Four play in two pairs, two each for themselves. Among three, whoever takes the first "
            "pot plays that deal alone; the other two are a side, and each has half of its points, "
            "rounded up."
        ),
    )
    balances_count = True
    proposed: ClassVar[Mapping[int, str]] = {3: "to-1505"}
    slip = (
        (say("Base"), frozenset({"clean", "semi-clean", "dirty", "closed", "pot", "bonus"})),
        (say("Cards"), frozenset({"melded", "in-hand", "penalty"})),
    )
    sheet_type = BurracoSheet
    rules_type = BurracoRules
    seats = (2, 3, 4)
    described = (
        Preset("to-2005", say("To 2005"), say("The usual match of a session."), {}),
        Preset("to-1505", say("To 1505"), say("A match somewhat shorter."), {"target": 1505}),
        Preset("to-1005", say("To 1005"), say("A shorter match."), {"target": 1005}),
        Preset("to-505", say("To 505"), say("Two or three deals."), {"target": 505}),
        Preset(
            "semi-clean",
            say("To 2005 with the semi-clean burraco"),
            say("Seven cards without a wild and one besides count between clean and dirty."),
            {"semi_clean": True},
        ),
        Preset(
            "international",
            say("International"),
            say("Only a side with a clean burraco may go out."),
            {"close_needs": CloseNeeds.CLEAN},
        ),
        Preset(
            "three-deals",
            say("Three deals"),
            say("As in tournaments: the difference becomes victory points."),
            {"target": None, "deals": 3, "victory_points": THREE_DEALS, "semi_clean": True},
        ),
        Preset(
            "four-deals",
            say("Four deals"),
            say("As in tournaments: the difference becomes victory points."),
            {"target": None, "deals": 4, "victory_points": FOUR_DEALS, "semi_clean": True},
        ),
        _turn("two-deals", say("Two deals in 25 minutes"), 2, 25),
        _turn("five-by-two", say("Five turns of two deals"), 2, 25),
        _turn("four-by-three", say("Four turns of three deals"), 3, 40, THREE_DEALS),
        _turn("three-by-four", say("Three turns of four deals"), 4, 45, FOUR_DEALS),
    )
    sources = (
        Source("eburraco.com", "https://eburraco.com"),
        Source(
            "puntiburraco.it, victory points",
            "https://www.puntiburraco.it/partite_e_punti_vittoria_burraco_nei_tornei.html",
        ),
        Source("FIBUR, article 5: turns and minutes", None),
        Source("specchiolla.it, turns by the clock", None),
        Source(
            "biska.com, Burraco for three", "http://www.biska.com/il-burraco-in-tre-giocatori.html"
        ),
    )

    def seating(self, rules: BurracoRules) -> Seating:
        return Seating((2, 4) if rules.victory_points else self.seats)

    def irrelevant_questions(self, table: Table[BurracoRules]) -> Mapping[str, bool]:
        return {
            "semi_clean": not table.rules.semi_clean,
            "alone": len(table.active) != 3 or alone_is_over(table),
        }

    def check_rules(self, rules: BurracoRules, reading: Reading, path: str) -> None:
        if rules.deals is None and rules.victory_points is not None:
            reading.fault("missing-key", f"{path}.deals", say("How many deals are played?"))
        elif rules.deals is None and rules.target is None:
            reading.fault("missing-key", f"{path}.target", say("Which balance ends the session?"))

    def sides(
        self, active: Sequence[Seat], rules: BurracoRules, sheet: BurracoSheet | None = None
    ) -> Sides:
        """Return two pairs, or each alone; of three, one may have played against the other two."""
        if sheet is None or sheet.alone is None:
            return sides_of(active)
        alone = sides_of(active)
        return tuple(
            tuple(seat for place in places for seat in alone[place])
            for places in together(sheet.alone, active)
        )

    def problems(self, sheet: BurracoSheet, table: Table[BurracoRules]) -> Iterator[Problem]:
        if sheet.alone is not None and len(table.active) != 3:
            yield Problem("alone-count", "alone", say("Only among three somebody plays alone."))
        elif sitting_out := table.sitting_out({"alone": sheet.alone}):
            yield from sitting_out
        elif sheet.alone is not None and alone_is_over(table):
            message = say(
                "Somebody has %(points)s points: from there on nobody plays alone against two.",
                points=table.rules.alone_until,
            )
            yield Problem("alone-over", "alone", message)
        if not _maybe_halved(sheet, table):
            yield from _value_problems(sheet, table)
        for pile in piles(sheet, table.active):
            yield from _closing_problems(pile, table)
        total = sum(sheet.melded) + sum(sheet.in_hand)
        if total > PACK:
            message = say(
                "All 108 cards together count %(pack)s; melded and in hand here are %(sum)s.",
                pack=PACK,
                sum=total,
            )
            yield Problem("sum-1080", "melded", message)
        yield from bonus_problems(sheet.bonus, table.rules.bonus)

    def warnings(self, sheet: BurracoSheet, table: Table[BurracoRules]) -> list[Problem]:
        """Find half values among three, and points that are unlikely together."""
        warnings = list(_value_problems(sheet, table) if _maybe_halved(sheet, table) else ())
        if any(sheet.semi_clean) and not table.rules.semi_clean:
            message = say("By these rules a semi-clean burraco counts no more than a dirty one.")
            warnings.append(Problem("not-counted", "semi_clean", message))
        points = zip(piles(sheet, table.active), self.side_figures(sheet, table), strict=True)
        message = say("So many points in one deal are hardly possible.")
        return warnings + [
            Problem("points-odd", f"melded[{pile.places[0]}]", message)
            for pile, amount in points
            if abs(amount) > HARDLY
        ]

    def steps(
        self, sheet: BurracoSheet, table: Table[BurracoRules], sides: Sides
    ) -> Iterator[Step]:
        for pile, seats in zip(piles(sheet, table.active), sides, strict=True):
            own = list(_steps(pile, table, seats))
            yield from own
            if pile.two_against_one:
                yield _half(own, table, seats)

    def ends(self, rules: BurracoRules) -> Ends:
        return Ends(rules.target if rules.deals is None else None, rules.deals)

    def progress(self, tally: Tally, rules: BurracoRules) -> Progress:
        """Return who won: by victory points, where two sides share them, or the highest."""
        table, sides = rules.victory_points, self.sides_at(tally, rules)
        if table is None or len(sides) != 2 or tally.played < (rules.deals or 0):
            return super().progress(tally, rules)
        return _with_victory_points(table, side_totals(tally.balances, sides), sides)

    def turn_minutes(self, rules: BurracoRules) -> int | None:
        return rules.minutes

    def words(self, rules: BurracoRules) -> Iterator[Text]:
        if rules.semi_clean:
            yield say("A clean burraco counts 200, a semi-clean 150, a dirty one 100.")
        else:
            yield say("A clean burraco counts 200, any other 100.")
        yield say("Going out counts 100, a pot that wasn't taken costs 100.")
        if rules.close_needs is CloseNeeds.CLEAN:
            yield say("Only a side with a clean burraco may go out.")
        yield say("The cards on the table are added, those in hand and penalties are taken off.")
        if rules.alone_until is not None:
            yield say(
                "Among three, once somebody has %(points)s points nobody plays alone against two.",
                points=rules.alone_until,
            )
        yield from bonus_words(rules.bonus)
        yield _end_words(rules)
        if rules.minutes is not None:
            yield say("Minutes of a turn, by the clock: %(minutes)s.", minutes=rules.minutes)
        if (table := rules.victory_points) is not None:
            rows = [
                say(
                    "up to %(limit)s: %(won)s–%(lost)s",
                    limit=limit,
                    won=won,
                    lost=table.whole - won,
                )
                for limit, won in table.rows
            ]
            rows.append(say("above that: %(whole)s–0", whole=table.whole))
            yield say("Victory points by the difference: %(table)s.", table=listed(rows, "; "))


def alone_is_over(table: Table[BurracoRules]) -> bool:
    """Whether somebody has so many points that nobody may play alone against two any more."""
    until, balances = table.rules.alone_until, table.balances
    if until is None or balances is None:
        return False
    return max(balances[seat] for seat in table.active) >= until


def _maybe_halved(sheet: BurracoSheet, table: Table[BurracoRules]) -> bool:
    """Whether three played without anybody named: two may have written down half values."""
    return len(table.active) == 3 and sheet.alone is None


def _value_problems(sheet: BurracoSheet, table: Table[BurracoRules]) -> Iterator[Problem]:
    """Find values that no cards have, though half of some cards may."""
    yield from fives_problems(sheet)
    for pile in piles(sheet, table.active):
        least = sum(each * pile.total(kind) for kind, each in LEAST.items())
        if pile.total("melded") < least:
            message = say("The cards of these burrachi count at least %(least)s.", least=least)
            yield Problem("melded-too-low", f"melded[{pile.places[0]}]", message)


def _closing_problems(pile: Pile, table: Table[BurracoRules]) -> Iterator[Problem]:
    if not pile.closed:
        return
    if not pile.pot_taken:
        yield Problem("close-without-pot", "closed", say("Nobody goes out without the pot."))
    if not any(map(pile.total, LEAST)):
        yield Problem("close-without-burraco", "closed", say("Nobody goes out without a burraco."))
    elif table.rules.close_needs is CloseNeeds.CLEAN and not pile.total("clean"):
        message = say("By these rules nobody goes out without a clean burraco.")
        yield Problem("close-without-clean", "closed", message)
    if len(table.active) < 4 and not pile.two_against_one and pile.total("in_hand"):
        message = say("Whoever goes out holds no cards.")
        yield Problem("closer-has-cards", f"in_hand[{pile.places[0]}]", message)


def _steps(pile: Pile, table: Table[BurracoRules], seats: Sequence[Seat]) -> Iterator[Step]:
    between = (SEMI_CLEAN, "semi-clean") if table.rules.semi_clean else (DIRTY, "as-dirty")
    burrachi = (
        ("clean", "clean", CLEAN, "clean"),
        ("semi-clean", "semi_clean", *between),
        ("dirty", "dirty", DIRTY, "dirty"),
    )
    for rule, answer, each, kind in burrachi:
        if count := pile.total(answer):
            words = BURRACHI[kind][count > 1]
            what = Text(words.template, {"count": count, "each": each})
            yield side_step(rule, table, seats, what, count * each)
    if pile.closed:
        yield side_step("closed", table, seats, say("went out"), CLOSED)
    if not pile.pot_taken:
        yield side_step("pot", table, seats, say("pot not taken"), NO_POT)
    yield from laid_down_steps(table, seats, *map(pile.total, ("melded", "in_hand", "penalty")))
    if bonus := pile.total("bonus"):
        yield side_step(BONUS, table, seats, as_it_is(table.rules.bonus), bonus)


#: Each kind of burraco in a step, for one and for more.
BURRACHI = {
    "clean": (say("1 clean burraco × %(each)s"), say("%(count)s clean burrachi × %(each)s")),
    "semi-clean": (
        say("1 semi-clean burraco × %(each)s"),
        say("%(count)s semi-clean burrachi × %(each)s"),
    ),
    "as-dirty": (
        say("1 semi-clean burraco, counted as dirty, × %(each)s"),
        say("%(count)s semi-clean burrachi, counted as dirty, × %(each)s"),
    ),
    "dirty": (say("1 dirty burraco × %(each)s"), say("%(count)s dirty burrachi × %(each)s")),
}


def _half(own: Sequence[Step], table: Table[BurracoRules], seats: Sequence[Seat]) -> Step:
    """Give each of two who played against one half of their points, rounded up."""
    total = sum(step.amounts[seats[0]] for step in own)
    half = -(-total // 2)
    values = {
        "side": table.names(seats),
        "total": signed_if_less(total),
        "half": signed_if_less(half),
        "amount": signed(half - total),
    }
    text = say(
        "%(side)s are two against one, so each of them scores half: %(half)s instead of %(total)s "
        "→ %(amount)s.",
        **values,
    )
    if total % 2:
        text = say(
            "%(side)s are two against one, so each of them scores half, rounded up: %(half)s "
            "instead of %(total)s → %(amount)s.",
            **values,
        )
    return Step("half", text, dict.fromkeys(seats, half - total))


def _with_victory_points(table: VictoryPoints, totals: Sequence[int], sides: Sides) -> Progress:
    """Share the victory points out; a match that is drawn by them is won by both sides."""
    difference = abs(totals[0] - totals[1])
    ahead, behind = table.shares(difference)
    shares = (ahead, behind) if totals[0] >= totals[1] else (behind, ahead)
    points = {seat: share for side, share in zip(sides, shares, strict=True) for seat in side}
    winners = tuple(seat for seat, share in points.items() if share == max(shares))
    why = say(
        "A difference of %(difference)s makes it %(ahead)s–%(behind)s in victory points.",
        difference=difference,
        ahead=ahead,
        behind=behind,
    )
    return Progress(finished=True, winners=winners, victory_points=points, why=why)


def _end_words(rules: BurracoRules) -> Text:
    if rules.deals is None:
        return say(
            "The match is to %(target)s; if several get there the highest wins, and level "
            "there is another deal.",
            target=rules.target,
        )
    if rules.victory_points is None:
        return say(
            "After %(deals)s the highest wins; level, there is another deal.",
            deals=deal_count(rules.deals),
        )
    return say("The match is over after %(deals)s.", deals=deal_count(rules.deals))


GAME = Burraco()
