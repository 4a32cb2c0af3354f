"""Scala Quaranta for two to six: each but the one who closes adds the cards left in hand.

Whoever reaches the limit is out, unless the house lets them buy in again; the last one left wins
(rules.md D4).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Score, Step, Table
from scorer.rules.match import UNDECIDED, Progress, Tally, play_on
from scorer.rules.options import Source
from scorer.rules.plain_game import (
    Bonus,
    BonusName,
    Partners,
    PlainGame,
    Preset,
    bonus_problems,
    bonus_steps,
    bonus_words,
    side_step,
    side_totals,
)
from scorer.rules.seats import PerSide, Seat, Seating, Sides
from scorer.rules.sheet import Ask, Choice, Reading, join
from scorer.texts import Text, often, point_count, say, signed

JOKER, JOKERS, TEN, HELD = 25, 4, 10, 13
HIGH_ACE, LOW_ACE, ACES = 11, 1, 8
REST = 8 * (sum(range(2, TEN + 1)) + 3 * TEN) + JOKERS * JOKER


class Out(Choice):
    """Who is out: a player at the limit, or only above it."""

    AT = "at", say("At the limit")
    OVER = "over", say("Over the limit")


class BuyIn(Choice):
    """At which balance a player who is out may come back in."""

    OFF = "off", say("Nobody")
    HIGHEST = "highest", say("With as many points as the highest")
    HIGHEST_PLUS_ONE = "highest-plus-one", say("With one point more than the highest")


@dataclass(frozen=True, slots=True)
class ScalaRules(NamedRules):
    """The limit, what cards count, and whether one may buy in again; the fee is in cents."""

    limit: Annotated[int, Ask(say("Points at which one is out"), low=1, high=100_000)] = 101
    out: Annotated[Out, Ask(say("Who is out"))] = Out.AT
    closed_in_hand_times: Annotated[
        int, Ask(say("When one closes in one go, the others pay so many times"), low=1, high=10)
    ] = 1
    ace: Annotated[int, Ask(say("What an ace left in hand costs"), low=LOW_ACE, high=HIGH_ACE)] = (
        HIGH_ACE
    )
    buy_in: Annotated[BuyIn, Ask(say("Comes back in"))] = BuyIn.OFF
    gate: Annotated[
        int | None,
        Ask(say("Coming back in, up to so many points"), low=0, high=100_000, none=say("Always")),
    ] = None
    fee: Annotated[
        int | None,
        Ask(say("What coming back in costs, in cents"), low=0, high=1_000_000, none=say("nothing")),
    ] = None
    sides: Annotated[Partners, Ask(say("Who plays with whom"), unsaid=True)] = Partners.PLAYERS
    bonus: BonusName = ""

    @property
    def least(self) -> int:
        return min(self.ace, 2)

    @property
    def most(self) -> int:
        """Return the most that a hand counts: jokers, then aces or tens."""
        left = HELD - JOKERS
        if self.ace < TEN:
            return JOKERS * JOKER + left * TEN
        return JOKERS * JOKER + ACES * self.ace + (left - ACES) * TEN

    @property
    def pack(self) -> int:
        return REST + ACES * self.ace

    @property
    def least_out(self) -> int:
        """The lowest balance at which a player is out."""
        return self.limit if self.out is Out.AT else self.limit + 1

    def is_out(self, balance: int) -> bool:
        return balance >= self.least_out


@dataclass(frozen=True, slots=True)
class ScalaSheet:
    """What the scorekeeper writes down for one deal; ``buy_in`` come back in after it."""

    closed: Annotated[Seat, Ask(say("Closed"))]
    hands: Annotated[Mapping[Seat, int], Ask(say("Cards left in hand"), low=0)]
    closed_in_hand: Annotated[bool, Ask(say("Closed in hand"))] = False
    buy_in: Annotated[tuple[Seat, ...], Ask(say("Back in"))] = ()
    bonus: Bonus = PerSide()

    def times(self, rules: ScalaRules) -> int:
        return rules.closed_in_hand_times if self.closed_in_hand else 1


def still_in(
    order: Sequence[Seat], balances: Mapping[Seat, int], rules: ScalaRules
) -> tuple[Seat, ...]:
    """Return those below the limit, a pair together; if none is, those with the fewest points."""
    sides = rules.sides.sides(order)
    totals = dict(zip(sides, side_totals(balances, sides), strict=True))
    least = min(totals.values())
    inside = {
        seat
        for side, total in totals.items()
        for seat in side
        if total == least or not rules.is_out(total)
    }
    return tuple(seat for seat in order if seat in inside)


def side_of(seat: Seat, among: Sequence[Seat], rules: ScalaRules) -> tuple[Seat, ...]:
    """Return the seats on the side of a seat."""
    return next((side for side in rules.sides.sides(among) if seat in side), (seat,))


def taken_on(sheet: ScalaSheet, table: Table[ScalaRules]) -> list[int]:
    """Return the penalty points of each side: the cards left in its hands, and its bonus."""
    times = sheet.times(table.rules)
    return [
        sum(sheet.hands.get(seat, 0) for seat in side) * times + sheet.bonus.of(place, 0)
        for place, side in enumerate(table.rules.sides.sides(table.active))
    ]


def hand_steps(sheet: ScalaSheet, table: Table[ScalaRules]) -> Iterator[Step]:
    name = table.name(sheet.closed)
    own = side_of(sheet.closed, table.active, table.rules)
    closed = say("%(name)s closed: nothing left in hand to count.", name=name)
    if sheet.closed_in_hand:
        closed = say("%(name)s closed in hand: nothing left to count.", name=name)
    if (times := sheet.times(table.rules)) > 1:
        closed = say(
            "%(name)s closed in hand: nothing left to count, and the others' cards count "
            "%(times)s.",
            name=name,
            times=often(times),
        )
    yield Step("closed", closed, dict.fromkeys(own, 0))
    for seat in table.active:
        side = side_of(seat, table.active, table.rules)
        if seat != sheet.closed and (seat not in own or sheet.hands.get(seat)):
            value, what = sheet.hands.get(seat, 0), say("points for cards left in hand")
            if table.rules.sides is Partners.PAIRS:
                what = say("points for the cards that %(name)s has left", name=table.name(seat))
            if times > 1:
                what = say("%(what)s, %(value)s × %(times)s", what=what, value=value, times=times)
            yield side_step("hand", table, side, what, value * times, burden=True)


def back_in(
    buy_in: Sequence[Seat], amounts: Mapping[Seat, int], table: Table[ScalaRules]
) -> dict[Seat, int]:
    """Return the balance at which each who buys in comes back; unknown for a single deal."""
    if not buy_in or table.balances is None:
        return {}
    coming = with_partners(buy_in, table.here, table.rules)
    return dict.fromkeys(coming, entry(balances_after(amounts, table), table))


def with_partners(
    named: Sequence[Seat], order: Sequence[Seat], rules: ScalaRules
) -> tuple[Seat, ...]:
    """Return those who are named, and whoever comes back in with them."""
    coming = (seat for buyer in named for seat in (buyer, *side_of(buyer, order, rules)))
    return tuple(dict.fromkeys(coming))


def taken_on_by_seat(sheet: ScalaSheet, table: Table[ScalaRules]) -> dict[Seat, int]:
    sides = zip(table.rules.sides.sides(table.active), taken_on(sheet, table), strict=True)
    return {seat: amount for side, amount in sides for seat in side}


def balances_after(amounts: Mapping[Seat, int], table: Table[ScalaRules]) -> dict[Seat, int]:
    return {
        seat: balance + amounts.get(seat, 0) for seat, balance in (table.balances or {}).items()
    }


def entry(after: Mapping[Seat, int], table: Table[ScalaRules]) -> int:
    """Return the balance of whoever comes back: the highest of those still in, or one more."""
    highest = highest_in(after, table)
    return highest + (table.rules.buy_in is BuyIn.HIGHEST_PLUS_ONE)


def highest_in(after: Mapping[Seat, int], table: Table[ScalaRules]) -> int:
    return max(after[seat] for seat in still_in(table.here, after, table.rules))


def back_steps(
    buy_in: Sequence[Seat], amounts: Mapping[Seat, int], table: Table[ScalaRules]
) -> Iterator[Step]:
    after = balances_after(amounts, table)
    for seat, entry in back_in(buy_in, amounts, table).items():
        change = entry - after[seat]
        text = say(
            "%(name)s is out with %(out)s and comes back in with %(balance)s → %(amount)s.",
            name=table.name(seat),
            out=after[seat],
            balance=entry,
            amount=signed(change),
        )
        brief = say(
            "%(name)s: out with %(out)s, back in with %(balance)s",
            name=table.name(seat),
            out=after[seat],
            balance=entry,
        )
        if table.rules.fee:
            brief = say("%(what)s, for %(fee)s", what=brief, fee=fee_text(table.rules))
        yield Step("buy-in", text, {seat: change}, brief)


def fee_text(rules: ScalaRules) -> str:
    """Return what coming back in costs, in units of money."""
    fee = rules.fee or 0
    return f"{fee // 100}.{fee % 100:02}"


TWO_CLOSERS = say("Only one player closes a deal: the others still hold cards.")


def closing_problems(sheet: ScalaSheet, table: Table[ScalaRules]) -> Iterator[Problem]:
    """Find people on the sheet who don't play the deal, and cards left to whoever closed."""
    where = {"closed": sheet.closed, **{f"hands.{table.name(seat)}": seat for seat in sheet.hands}}
    before = table.balances
    for field, seat in where.items():
        if seat not in table.active:
            message = say("%(name)s sits this deal out.", name=table.name(seat))
            if before is not None and seat not in still_in(table.here, before, table.rules):
                message = say("%(name)s is out.", name=table.name(seat))
            yield Problem("sits-out", field, message)
    if sheet.hands.get(sheet.closed):
        message = say("Whoever closes holds no cards.")
        field = f"hands.{table.name(sheet.closed)}"
        yield Problem("closer-has-cards", field, message)


def hand_problems(sheet: ScalaSheet, table: Table[ScalaRules]) -> Iterator[Problem]:
    rules, others = table.rules, [seat for seat in table.active if seat != sheet.closed]
    partners = side_of(sheet.closed, table.active, rules)
    for seat in others:
        field, value = f"hands.{table.name(seat)}", sheet.hands.get(seat)
        if seat in partners and not value:
            continue
        if value is None:
            message = say("What are the cards worth that %(name)s holds?", name=table.name(seat))
            yield Problem("missing-key", field, message)
        elif value == 0:
            yield Problem("two-closers", field, TWO_CLOSERS)
        elif value < rules.least:
            message = say("Cards left in hand count at least %(least)s.", least=rules.least)
            yield Problem("hand-too-low", field, message)
        elif value > rules.most:
            message = say("Thirteen cards count at most %(most)s.", most=rules.most)
            yield Problem("hand-too-high", field, message)
    if sum(sheet.hands.values()) > rules.pack:
        message = say(
            "The hands add up to %(sum)s, but all the cards together count %(pack)s.",
            sum=sum(sheet.hands.values()),
            pack=rules.pack,
        )
        yield Problem("sum-hands", "hands", message)


def buy_in_problems(
    buy_in: Sequence[Seat], amounts: Mapping[Seat, int], table: Table[ScalaRules]
) -> Iterator[Problem]:
    for number, seat in enumerate(buy_in):
        if seat in buy_in[:number]:
            message = say(
                "There is more than one %(name)s: names are unique.", name=table.name(seat)
            )
            yield Problem("duplicate-name", f"buy_in[{number}]", message)
    if buy_in and table.balances is not None:
        yield from _entry_problems(buy_in, balances_after(amounts, table), table)


def _entry_problems(
    buy_in: Sequence[Seat], after: Mapping[Seat, int], table: Table[ScalaRules]
) -> Iterator[Problem]:
    rules = table.rules
    inside = still_in(table.here, after, rules)
    for number, seat in enumerate(buy_in):
        if seat in inside or not rules.is_out(after[seat]):
            message = say("%(name)s is not out.", name=table.name(seat))
            yield Problem("buy-in-not-out", f"buy_in[{number}]", message)
    highest = highest_in(after, table)
    if rules.gate is not None and highest > rules.gate:
        message = say(
            "Nobody comes back in once somebody is above %(gate)s: %(highest)s is the highest.",
            gate=rules.gate,
            highest=highest,
        )
        yield Problem("buy-in-gate", "buy_in", message)
    elif rules.is_out(entry(after, table)):
        message = say("Whoever comes back in with that many points is out again at once.")
        yield Problem("buy-in-limit", "buy_in", message)


class ScalaQuaranta(PlainGame[ScalaSheet, ScalaRules]):
    """The game of melds: sequences and sets, the first for forty points."""

    slug = "scala-quaranta"
    eliminates = balances_count = sheet_names_winner = True
    mistakes = (say("Somebody else closed"), say("Wrong points"))
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

    still_in = staticmethod(still_in)
    side_figures = staticmethod(taken_on)

    def check_rules(self, rules: ScalaRules, reading: Reading, path: str) -> None:
        if rules.ace not in (LOW_ACE, HIGH_ACE):
            message = say("One of these is needed: %(all)s.", all=f"{HIGH_ACE}, {LOW_ACE}")
            reading.fault("unknown-choice", f"{path}.ace", message)

    def irrelevant_questions(self, table: Table[ScalaRules]) -> Mapping[str, bool]:
        return {
            "closed_in_hand": table.rules.closed_in_hand_times == 1,
            "buy_in": table.rules.buy_in is BuyIn.OFF,
        }

    def seating(self, rules: ScalaRules) -> Seating:
        return Seating((4,) if rules.sides is Partners.PAIRS else self.seats)

    def sides(
        self, active: Sequence[Seat], rules: ScalaRules, sheet: ScalaSheet | None = None
    ) -> Sides:
        return rules.sides.sides(active)

    def leads_lowest(self, rules: ScalaRules) -> bool:
        return True

    def back_in(
        self, sheet: ScalaSheet, table: Table[ScalaRules], payouts: Mapping[Seat, int]
    ) -> Mapping[Seat, int]:
        hands = taken_on_by_seat(sheet, table)
        coming = with_partners(sheet.buy_in, table.here, table.rules)
        return {seat: payouts.get(seat, 0) - hands.get(seat, 0) for seat in coming}

    def buy_in_allowed(self, rules: ScalaRules) -> bool:
        return rules.buy_in is not BuyIn.OFF

    def buy_in_problems(
        self, buy_in: Sequence[Seat], amounts: Mapping[Seat, int], table: Table[ScalaRules]
    ) -> Iterable[Problem]:
        if not self.buy_in_allowed(table.rules):
            return super().buy_in_problems(buy_in, amounts, table)
        return buy_in_problems(buy_in, amounts, table)

    buy_in_steps = staticmethod(back_steps)

    def buy_in_fee(self, rules: ScalaRules) -> int:
        return (rules.fee or 0) if self.buy_in_allowed(rules) else 0

    def read_sheet(
        self, data: object, table: Table[ScalaRules], path: str = "sheet"
    ) -> tuple[ScalaSheet | None, list[Problem]]:
        """Read one deal's answers; a list of several who closed is a fault of its own."""
        closed = data.get("closed") if isinstance(data, dict) else None
        if isinstance(closed, list) and len(closed) > 1:
            return None, [Problem("two-closers", join(path, "closed"), TWO_CLOSERS)]
        return super().read_sheet(data, table, path)

    def problems(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> list[Problem]:
        problems = [
            *closing_problems(sheet, table),
            *hand_problems(sheet, table),
            *bonus_problems(sheet.bonus, table.rules.bonus),
        ]
        if problems or not sheet.buy_in:
            return problems
        amounts = taken_on_by_seat(sheet, table)
        return list(self.buy_in_problems(sheet.buy_in, amounts, table))

    def warnings(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> list[Problem]:
        """Warn that for a single deal the balance of somebody who comes back is unknown."""
        if not sheet.buy_in or table.balances is not None:
            return []
        message = say(
            "The points with which somebody comes back in depend on the whole session, "
            "not on one deal."
        )
        return [Problem("buy-in-unknown", "buy_in", message)]

    def steps(self, sheet: ScalaSheet, table: Table[ScalaRules], sides: Sides) -> Iterator[Step]:
        yield from hand_steps(sheet, table)
        yield from bonus_steps(sheet.bonus, table, sides)
        yield from back_steps(sheet.buy_in, taken_on_by_seat(sheet, table), table)

    def score(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> Score:
        """Return what a deal pays, also to those who come back in with it."""
        steps = [*self.steps(sheet, table, self.sides(table.active, table.rules))]
        coming = (seat for step in steps for seat in step.amounts if seat not in table.active)
        return Score.of((*table.active, *coming), steps)

    def won(
        self, sheet: ScalaSheet | None, table: Table[ScalaRules], paid: Mapping[Seat, int]
    ) -> tuple[Seat, ...]:
        """Return who closed, and the partner; the fewest points do not tell, as some come back."""
        if sheet is None:
            return super().won(sheet, table, paid)
        return side_of(sheet.closed, table.active, table.rules)

    def headline(self, sheet: ScalaSheet, table: Table[ScalaRules]) -> Text:
        values = {"name": table.name(sheet.closed), "what": self.summary(sheet, table)}
        if sheet.closed_in_hand:
            return say("%(name)s closed in hand: %(what)s", **values)
        return say("%(name)s closed: %(what)s", **values)

    def progress(self, tally: Tally, rules: ScalaRules) -> Progress:
        left, sides = still_in(tally.here, tally.balances, rules), self.sides_at(tally, rules)
        winners = [side for side in sides if set(side) <= set(left)]
        best = min(side_totals(tally.balances, sides))
        if len(winners) > 1:
            return play_on(best) if rules.is_out(best) else UNDECIDED
        why = say("Everybody else is out.")
        if rules.is_out(best):
            why = say("Everybody is out: whoever has the fewest points wins.")
        return Progress(finished=True, winners=winners[0], why=why)

    def end_text(self, rules: ScalaRules) -> Text:
        if rules.out is Out.AT:
            return say("Out at %(limit)s", limit=rules.limit)
        return say("Out over %(limit)s", limit=rules.limit)

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
        if rules.out is Out.AT:
            yield say("Whoever reaches %(limit)s is out.", limit=point_count(rules.limit))
        else:
            yield say("Whoever has more than %(limit)s is out.", limit=point_count(rules.limit))
        if rules.buy_in is BuyIn.HIGHEST:
            yield say(
                "Whoever is out may come back in with as many points as the highest of the others."
            )
        elif rules.buy_in is not BuyIn.OFF:
            yield say(
                "Whoever is out may come back in with one point more than the highest of the "
                "others."
            )
        if rules.buy_in is not BuyIn.OFF and rules.gate is not None:
            yield say("Nobody comes back in once somebody else is above %(gate)s.", gate=rules.gate)
        if rules.buy_in is not BuyIn.OFF and rules.fee:
            yield say("Coming back in costs %(fee)s, for the pot.", fee=fee_text(rules))
        yield from bonus_words(rules.bonus)
        yield say("The last one left wins.")


GAME = ScalaQuaranta()
