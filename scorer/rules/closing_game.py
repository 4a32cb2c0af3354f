"""Games in which one player closes a deal and the others take on the cards left in hand.

Two French packs with jokers are played with, and few points are good. In some whoever reaches a
limit is out, may buy in again, and the last one left wins (rules.md D4).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypeVar

from scorer.errors import Problem
from scorer.rules.game import NamedRules, R, Score, Step, Table
from scorer.rules.match import UNDECIDED, Progress, Tally, play_on, side_totals
from scorer.rules.plain_game import PlainGame, side_step, too_many_in_hand
from scorer.rules.questions import Ask, Choice, join
from scorer.rules.seats import Seat, Sides, every_seat
from scorer.texts import Text, point_count, say, signed

JOKER, JOKERS, TEN, HELD = 25, 4, 10, 13
HIGH_ACE, LOW_ACE, ACES = 11, 1, 8
REST = 8 * (sum(range(2, TEN + 1)) + 3 * TEN) + JOKERS * JOKER
TWO_CLOSERS = say("Only one player closes a deal: the others still hold cards.")


class HandValues(NamedTuple):
    """What cards left in hand may count: the least and the most of a player, and all together."""

    least: int
    most: int
    pack: int


def thirteen(ace: int = HIGH_ACE) -> HandValues:
    """Return what thirteen cards may count: at most all jokers, then aces or tens.

    >>> thirteen(), thirteen(LOW_ACE)
    (HandValues(least=2, most=198, pack=860), HandValues(least=1, most=190, pack=780))
    """
    left = HELD - JOKERS
    aces = ACES if ace > TEN else 0
    most = JOKERS * JOKER + aces * ace + (left - aces) * TEN
    return HandValues(min(ace, 2), most, REST + ACES * ace)


@dataclass(frozen=True, slots=True)
class ClosedSheet:
    """What the scorekeeper writes down for one deal: who closed, and the others' hands."""

    closed: Annotated[Seat | None, Ask(say("Closed"))]
    hands: Annotated[Mapping[Seat, int], Ask(say("Cards left in hand"), low=0)]


Closed = TypeVar("Closed", bound=ClosedSheet)


class ClosingGame(PlainGame[Closed, R]):
    """What such games share; each says what hands may count, and what closing is worth."""

    sheet_names_winner = True
    mistakes = (say("Somebody else closed"), say("Wrong points"))

    def hand_values(self, rules: R) -> HandValues:
        return thirteen()

    def times(self, sheet: Closed, rules: R) -> int:
        """Return how often the cards left in hand count."""
        return 1

    def closing_step(self, sheet: Closed, table: Table[R]) -> Step:
        if sheet.closed is None:
            return Step("closed", say("Nobody closed: everybody counts what is left in hand."), {})
        name = table.name(sheet.closed)
        text = say("%(name)s closed: nothing left in hand to count.", name=name)
        return Step("closed", text, dict.fromkeys(self.side_of(sheet.closed, table), 0))

    def sides(self, active: Sequence[Seat], rules: R, sheet: Closed | None = None) -> Sides:
        return every_seat(active)

    def side_of(self, seat: Seat | None, table: Table[R]) -> tuple[Seat, ...]:
        """Return the seats on the side of a seat that plays; only itself if it does not."""
        sides = self.sides(table.active, table.rules)
        alone = () if seat is None else (seat,)
        return next((side for side in sides if seat in side), alone)

    def leads_lowest(self, rules: R) -> bool:
        return True

    def read_sheet(
        self, data: object, table: Table[R], path: str = "sheet"
    ) -> tuple[Closed | None, list[Problem]]:
        """Read one deal's answers; a list of several who closed is a fault of its own."""
        closed = data.get("closed") if isinstance(data, dict) else None
        if isinstance(closed, list) and len(closed) > 1:
            return None, [Problem("two-closers", join(path, "closed"), TWO_CLOSERS)]
        return super().read_sheet(data, table, path)

    def problems(self, sheet: Closed, table: Table[R]) -> list[Problem]:
        return [*self._closing_problems(sheet, table), *self._hand_problems(sheet, table)]

    def _closing_problems(self, sheet: Closed, table: Table[R]) -> Iterator[Problem]:
        """Find people on the sheet who don't play the deal, and cards left to whoever closed."""
        where = {f"hands.{table.name(seat)}": seat for seat in sheet.hands}
        if sheet.closed is not None:
            where = {"closed": sheet.closed, **where}
        inside: Sequence[Seat] = table.here
        if table.balances is not None:
            inside = self.still_in(table.here, table.balances, table.rules)
        for field, seat in where.items():
            if seat not in table.active:
                message = say("%(name)s sits this deal out.", name=table.name(seat))
                if seat not in inside:
                    message = say("%(name)s is out.", name=table.name(seat))
                yield Problem("sits-out", field, message)
        if sheet.closed is not None and sheet.hands.get(sheet.closed):
            message = say("Whoever closes holds no cards.")
            field = f"hands.{table.name(sheet.closed)}"
            yield Problem("closer-has-cards", field, message)

    def _hand_problems(self, sheet: Closed, table: Table[R]) -> Iterator[Problem]:
        values, partners = self.hand_values(table.rules), self.side_of(sheet.closed, table)
        for seat in table.active:
            value, name = sheet.hands.get(seat), table.name(seat)
            if seat != sheet.closed and (value or seat not in partners):
                problem = _hand_problem(value, name, values)
                yield from [problem] if problem else []
        if (total := sum(sheet.hands.values())) > values.pack:
            yield Problem("sum-hands", "hands", too_many_in_hand(total, values.pack))

    def steps(self, sheet: Closed, table: Table[R], sides: Sides) -> Iterable[Step]:
        return self.hand_steps(sheet, table)

    def hand_steps(self, sheet: Closed, table: Table[R]) -> Iterator[Step]:
        """Yield what is taken on, for closing and for each hand."""
        yield self.closing_step(sheet, table)
        times, own = self.times(sheet, table.rules), self.side_of(sheet.closed, table)
        for seat in table.active:
            value, side = sheet.hands.get(seat, 0), self.side_of(seat, table)
            if seat == sheet.closed or (seat in own and not value):
                continue
            what = say("points for cards left in hand")
            if len(side) > 1:
                what = say("points for the cards that %(name)s has left", name=table.name(seat))
            if times > 1:
                what = say("%(what)s, %(value)s × %(times)s", what=what, value=value, times=times)
            yield side_step("hand", table, side, what, value * times, burden=True)

    def taken_on(self, sheet: Closed, table: Table[R]) -> dict[Seat, int]:
        """Return what each takes on for the deal itself."""
        return Score.of(table.active, [*self.hand_steps(sheet, table)]).payouts

    def side_figures(self, sheet: Closed, table: Table[R]) -> Sequence[int]:
        amounts = self.taken_on(sheet, table)
        return [amounts[side[0]] for side in self.sides(table.active, table.rules)]

    def won(
        self, sheet: Closed | None, table: Table[R], paid: Mapping[Seat, int]
    ) -> tuple[Seat, ...]:
        """Return who closed, and the partner, whatever was counted."""
        if sheet is None:
            return super().won(sheet, table, paid)
        return self.side_of(sheet.closed, table)

    def headline(self, sheet: Closed, table: Table[R]) -> Text:
        what = self.summary(sheet, table)
        if sheet.closed is None:
            return say("Nobody closed: %(what)s", what=what)
        return say("%(name)s closed: %(what)s", name=table.name(sheet.closed), what=what)


def _hand_problem(value: int | None, name: str, values: HandValues) -> Problem | None:
    """Return the problem of a hand that no cards make, or that nobody has counted."""
    field = f"hands.{name}"
    if value is None:
        message = say("What are the cards worth that %(name)s holds?", name=name)
        return Problem("missing-key", field, message)
    if value == 0:
        return Problem("two-closers", field, TWO_CLOSERS)
    if value < values.least:
        message = say("Cards left in hand count at least %(least)s.", least=values.least)
        return Problem("hand-too-low", field, message)
    if value <= values.most:
        return None
    message = say("Thirteen cards count at most %(most)s.", most=values.most)
    if values.most == values.pack:
        message = say("All the cards together count %(pack)s.", pack=values.pack)
    return Problem("hand-too-high", field, message)


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
class OutRules(NamedRules):
    """The limit, and whether one may buy in again; the fee is in cents."""

    limit: Annotated[int, Ask(say("Points at which one is out"), low=1, high=100_000)]
    out: Annotated[Out, Ask(say("Who is out"))] = Out.AT
    buy_in: Annotated[BuyIn, Ask(say("Comes back in"))] = BuyIn.OFF
    gate: Annotated[
        int | None,
        Ask(say("Coming back in, up to so many points"), low=0, high=100_000, none=say("Always")),
    ] = None
    fee: Annotated[
        int | None,
        Ask(say("What coming back in costs, in cents"), low=0, high=1_000_000, none=say("nothing")),
    ] = None

    @property
    def least_out(self) -> int:
        """The lowest balance at which a player is out."""
        return self.limit if self.out is Out.AT else self.limit + 1

    def is_out(self, balance: int) -> bool:
        return balance >= self.least_out

    @property
    def fee_text(self) -> str:
        """What coming back in costs, in units of money."""
        fee = self.fee or 0
        return f"{fee // 100}.{fee % 100:02}"


@dataclass(frozen=True, slots=True)
class ReturningSheet(ClosedSheet):
    """A deal that somebody closed; ``buy_in`` come back in after it."""

    closed: Annotated[Seat, Ask(say("Closed"))]
    buy_in: Annotated[tuple[Seat, ...], Ask(say("Back in"))] = ()


Returning = TypeVar("Returning", bound=ReturningSheet)
Limited = TypeVar("Limited", bound=OutRules)


class EliminatingGame(ClosingGame[Returning, Limited]):
    """What such games share."""

    eliminates = balances_count = True

    def irrelevant_questions(self, table: Table[Limited]) -> Mapping[str, bool]:
        return {"buy_in": table.rules.buy_in is BuyIn.OFF}

    def still_in(
        self, order: tuple[Seat, ...], balances: Mapping[Seat, int], rules: Limited
    ) -> tuple[Seat, ...]:
        """Return those below the limit, a pair together; if none is, those with fewest points."""
        sides = self.sides(order, rules)
        totals = dict(zip(sides, side_totals(balances, sides), strict=True))
        least = min(totals.values())
        inside = {
            seat
            for side, total in totals.items()
            for seat in side
            if total == least or not rules.is_out(total)
        }
        return tuple(seat for seat in order if seat in inside)

    def _coming(self, buy_in: Sequence[Seat], table: Table[Limited]) -> tuple[Seat, ...]:
        """Return those who are named, and whoever comes back in with them."""
        sides, coming = self.sides(table.here, table.rules), list[Seat]()
        for buyer in buy_in:
            coming += (buyer, *next((side for side in sides if buyer in side), ()))
        return tuple(dict.fromkeys(coming))

    def _entry(self, after: Mapping[Seat, int], table: Table[Limited]) -> int:
        """Return the balance of whoever comes back: the highest of those still in, or one more."""
        plus_one = table.rules.buy_in is BuyIn.HIGHEST_PLUS_ONE
        return self._highest_in(after, table) + plus_one

    def _highest_in(self, after: Mapping[Seat, int], table: Table[Limited]) -> int:
        return max(after[seat] for seat in self.still_in(table.here, after, table.rules))

    def buy_in_steps(
        self, buy_in: Sequence[Seat], amounts: Mapping[Seat, int], table: Table[Limited]
    ) -> Iterator[Step]:
        """Yield the steps with which they come back in, unknown for a single deal."""
        after = balances_after(amounts, table)
        for seat in self._coming(buy_in, table) if after else ():
            entry = self._entry(after, table)
            change = entry - after[seat]
            values = {"name": table.name(seat), "out": after[seat], "balance": entry}
            text = say(
                "%(name)s is out with %(out)s and comes back in with %(balance)s → %(amount)s.",
                **values,
                amount=signed(change),
            )
            brief = say("%(name)s: out with %(out)s, back in with %(balance)s", **values)
            if table.rules.fee:
                brief = say("%(what)s, for %(fee)s", what=brief, fee=table.rules.fee_text)
            yield Step("buy-in", text, {seat: change}, brief)

    def problems(self, sheet: Returning, table: Table[Limited]) -> list[Problem]:
        problems = super().problems(sheet, table)
        if problems or not sheet.buy_in:
            return problems
        return [*self.buy_in_problems(sheet.buy_in, self.taken_on(sheet, table), table)]

    def buy_in_problems(
        self, buy_in: Sequence[Seat], amounts: Mapping[Seat, int], table: Table[Limited]
    ) -> Iterator[Problem]:
        if not self.buy_in_allowed(table.rules):
            yield from super().buy_in_problems(buy_in, amounts, table)
            return
        for number, seat in enumerate(buy_in):
            if seat in buy_in[:number]:
                message = say(
                    "There is more than one %(name)s: names are unique.", name=table.name(seat)
                )
                yield Problem("duplicate-name", f"buy_in[{number}]", message)
        if buy_in and table.balances is not None:
            yield from self._entry_problems(buy_in, balances_after(amounts, table), table)

    def _entry_problems(
        self, buy_in: Sequence[Seat], after: Mapping[Seat, int], table: Table[Limited]
    ) -> Iterator[Problem]:
        rules, inside = table.rules, self.still_in(table.here, after, table.rules)
        for number, seat in enumerate(buy_in):
            if seat in inside or not rules.is_out(after[seat]):
                message = say("%(name)s is not out.", name=table.name(seat))
                yield Problem("buy-in-not-out", f"buy_in[{number}]", message)
        highest = self._highest_in(after, table)
        if rules.gate is not None and highest > rules.gate:
            message = say(
                "Nobody comes back in once somebody is above %(gate)s: %(highest)s is the highest.",
                gate=rules.gate,
                highest=highest,
            )
            yield Problem("buy-in-gate", "buy_in", message)
        elif rules.is_out(self._entry(after, table)):
            message = say("Whoever comes back in with that many points is out again at once.")
            yield Problem("buy-in-limit", "buy_in", message)

    def warnings(self, sheet: Returning, table: Table[Limited]) -> list[Problem]:
        """Warn that for a single deal the balance of somebody who comes back is unknown."""
        if not sheet.buy_in or table.balances is not None:
            return []
        message = say(
            "The points with which somebody comes back in depend on the whole session, "
            "not on one deal."
        )
        return [Problem("buy-in-unknown", "buy_in", message)]

    def steps(self, sheet: Returning, table: Table[Limited], sides: Sides) -> Iterable[Step]:
        amounts = self.taken_on(sheet, table)
        back = self.buy_in_steps(sheet.buy_in, amounts, table)
        return [*self.hand_steps(sheet, table), *back]

    def back_in(
        self, sheet: Returning, table: Table[Limited], payouts: Mapping[Seat, int]
    ) -> Mapping[Seat, int]:
        hands, coming = self.taken_on(sheet, table), self._coming(sheet.buy_in, table)
        return {seat: payouts.get(seat, 0) - hands.get(seat, 0) for seat in coming}

    def buy_in_allowed(self, rules: Limited) -> bool:
        return rules.buy_in is not BuyIn.OFF

    def buy_in_fee(self, rules: Limited) -> int:
        return (rules.fee or 0) if self.buy_in_allowed(rules) else 0

    def progress(self, tally: Tally, rules: Limited) -> Progress:
        """Return who is left; if everybody is out, the fewest points win."""
        left = self.still_in(tally.here, tally.balances, rules)
        return last_in_wins(tally, self.sides_at(tally, rules), left, rules.least_out)

    def can_end(self, rules: Limited) -> bool:
        return True

    def end_text(self, rules: Limited) -> Text:
        if rules.out is Out.AT:
            return say("Out at %(limit)s", limit=rules.limit)
        return say("Out over %(limit)s", limit=rules.limit)


def last_in_wins(tally: Tally, sides: Sides, still_in: Sequence[Seat], least_out: int) -> Progress:
    """Return which side is the last one in; if all are out, the fewest points win."""
    winners = [side for side in sides if set(side) <= set(still_in)]
    best = min(side_totals(tally.balances, sides))
    if len(winners) > 1:
        return play_on(best) if best >= least_out else UNDECIDED
    why = say("Everybody else is out.")
    if best >= least_out:
        why = say("Everybody is out: whoever has the fewest points wins.")
    return Progress(finished=True, winners=winners[0], why=why)


def balances_after(amounts: Mapping[Seat, int], table: Table[Limited]) -> dict[Seat, int]:
    before = table.balances or {}
    return {seat: balance + amounts.get(seat, 0) for seat, balance in before.items()}


def out_words(rules: OutRules) -> Iterator[Text]:
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
            "Whoever is out may come back in with one point more than the highest of the others."
        )
    if rules.buy_in is not BuyIn.OFF and rules.gate is not None:
        yield say("Nobody comes back in once somebody else is above %(gate)s.", gate=rules.gate)
    if rules.buy_in is not BuyIn.OFF and rules.fee:
        yield say("Coming back in costs %(fee)s, for the pot.", fee=rules.fee_text)
