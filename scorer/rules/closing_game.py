"""Games in which one player closes a deal and the others take on the cards left in hand.

Two French packs with jokers are played with, and few points are good (rules.md D4).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypeVar

from scorer.errors import Problem
from scorer.rules.game import R, Score, Step, Table
from scorer.rules.plain_game import PlainGame, side_step
from scorer.rules.seats import Seat, Sides, every_seat
from scorer.rules.sheet import Ask, join
from scorer.texts import Text, say

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
        """Return the step of whoever closed."""
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
        if sum(sheet.hands.values()) > values.pack:
            message = say(
                "The hands add up to %(sum)s, but all the cards together count %(pack)s.",
                sum=sum(sheet.hands.values()),
                pack=values.pack,
            )
            yield Problem("sum-hands", "hands", message)

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
