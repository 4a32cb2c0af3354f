"""The sheet of a deal of Scala Quaranta: the options, what a deal pays, and what can be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from scorer.errors import Problem
from scorer.rules.game import Step
from scorer.rules.plain_game import side_step
from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask, Choice, join
from scorer.texts import say, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.rules.game import Table
    from scorer.texts import Text

JOKER, JOKERS, TEN, HELD = 25, 4, 10, 13
HIGH_ACE, LOW_ACE, ACES = 11, 1, 8
REST = 8 * (sum(range(2, TEN + 1)) + 3 * TEN) + JOKERS * JOKER


class Out(Choice):
    """Who is out: whoever reaches the limit, or only who goes over it."""

    AT = "at", say("At the limit")
    OVER = "over", say("Over the limit")


class BuyIn(Choice):
    """Where whoever is out may come back in, if at all."""

    OFF = "off", say("Nobody")
    HIGHEST = "highest", say("With as many points as the highest")
    HIGHEST_PLUS_ONE = "highest-plus-one", say("With one point more than the highest")


@dataclass(frozen=True, slots=True)
class ScalaRules:
    """The limit, what cards count, and whether one may buy in again; the fee is in cents."""

    slug: Annotated[str, Ask(say("Slug"))]
    name: Annotated[str, Ask(say("Name"))]
    limit: Annotated[int, Ask(say("Limit"), low=1, high=100_000)] = 101
    out: Annotated[Out, Ask(say("Out"))] = Out.AT
    closed_in_hand_times: Annotated[int, Ask(say("Closing in hand counts"), low=1, high=10)] = 1
    ace: Annotated[int, Ask(say("Ace in hand"), low=LOW_ACE, high=HIGH_ACE)] = HIGH_ACE
    buy_in: Annotated[BuyIn, Ask(say("Comes back in"))] = BuyIn.OFF
    gate: Annotated[
        int | None, Ask(say("Buying in until"), low=0, high=100_000, none=say("Always"))
    ] = None
    fee: Annotated[
        int | None, Ask(say("Fee in cents"), low=0, high=1_000_000, none=say("None"))
    ] = None

    @property
    def least(self) -> int:
        """What one card counts at least."""
        return min(self.ace, 2)

    @property
    def most(self) -> int:
        """What a hand counts at most: jokers, and then aces or tens."""
        left = HELD - JOKERS
        if self.ace < TEN:
            return JOKERS * JOKER + left * TEN
        return JOKERS * JOKER + ACES * self.ace + (left - ACES) * TEN

    @property
    def pack(self) -> int:
        """What all 108 cards count."""
        return REST + ACES * self.ace

    @property
    def least_out(self) -> int:
        """The least balance that is too much."""
        return self.limit if self.out is Out.AT else self.limit + 1

    def is_out(self, balance: int) -> bool:
        """Whether a balance is too much."""
        return balance >= self.least_out


@dataclass(frozen=True, slots=True)
class ScalaSheet:
    """What the scorekeeper writes down for one deal; ``buy_in`` come back in after it."""

    closed: Annotated[Seat, Ask(say("Closed"))]
    hands: Annotated[Mapping[Seat, int], Ask(say("Cards left in hand"), low=0)]
    closed_in_hand: Annotated[bool, Ask(say("Closed in hand"))] = False
    buy_in: Annotated[tuple[Seat, ...], Ask(say("Back in"))] = ()

    def times(self, rules: ScalaRules) -> int:
        """How many times the hands count."""
        return rules.closed_in_hand_times if self.closed_in_hand else 1


def taken_on(sheet: ScalaSheet, table: Table[ScalaRules]) -> dict[Seat, int]:
    """Give what everybody who played takes on."""
    times = sheet.times(table.rules)
    return {seat: sheet.hands.get(seat, 0) * times for seat in table.active}


def hand_steps(sheet: ScalaSheet, table: Table[ScalaRules]) -> Iterator[Step]:
    """Give the steps of the deal itself: who closed, and what the others hold."""
    name, times = table.name(sheet.closed), sheet.times(table.rules)
    closed = say("%(name)s closed: nothing to take on.", name=name)
    if sheet.closed_in_hand:
        closed = say("%(name)s closed in hand: nothing to take on.", name=name)
    yield Step("closed", closed, {sheet.closed: 0})
    for seat, amount in taken_on(sheet, table).items():
        what = say("cards left in hand")
        if times > 1:
            what = say(
                "cards left in hand, %(value)s × %(times)s",
                value=sheet.hands.get(seat, 0),
                times=times,
            )
        if seat != sheet.closed:
            yield side_step("hand", table, (seat,), what, amount)


def back_in(sheet: ScalaSheet, table: Table[ScalaRules]) -> dict[Seat, int]:
    """Give the balance at which each of those who buy in comes back; a deal alone knows none."""
    if not sheet.buy_in or table.balances is None:
        return {}
    return dict.fromkeys(sheet.buy_in, entry(balances_after(sheet, table), table))


def balances_after(sheet: ScalaSheet, table: Table[ScalaRules]) -> dict[Seat, int]:
    """Give the balances after the deal, before anybody comes back."""
    taken = taken_on(sheet, table)
    return {seat: balance + taken.get(seat, 0) for seat, balance in (table.balances or {}).items()}


def entry(after: Mapping[Seat, int], table: Table[ScalaRules]) -> int:
    """Give the balance of whoever comes back: the highest of those still in, or one more."""
    highest = highest_in(after, table)
    return highest + (table.rules.buy_in is BuyIn.HIGHEST_PLUS_ONE)


def highest_in(after: Mapping[Seat, int], table: Table[ScalaRules]) -> int:
    """Give the highest balance of those who are still in."""
    here = table.order or table.active
    return max(after[seat] for seat in here if not table.rules.is_out(after[seat]))


def back_steps(
    back: Mapping[Seat, int], sheet: ScalaSheet, table: Table[ScalaRules]
) -> Iterator[Step]:
    """Give the steps of those who come back in at a balance."""
    after = balances_after(sheet, table)
    for seat, entry in back.items():
        change = entry - after[seat]
        text = say(
            "%(name)s comes back in at %(balance)s: %(amount)s.",
            name=table.name(seat),
            balance=entry,
            amount=signed(change),
        )
        yield Step("buy-in", text, {seat: change})


TWO_CLOSERS = say("Only one player closes a deal.")


def closing_problems(sheet: ScalaSheet, table: Table[ScalaRules], path: str) -> Iterator[Problem]:
    """Find who has a part in a deal that they don't play, and a closer with cards."""
    where = {"closed": sheet.closed, **{f"hands.{table.name(seat)}": seat for seat in sheet.hands}}
    for field, seat in where.items():
        if seat not in table.active:
            yield Problem("sits-out", join(path, field), _not_there(seat, table))
    if sheet.hands.get(sheet.closed):
        message = say("Whoever closes holds no cards.")
        field = join(path, f"hands.{table.name(sheet.closed)}")
        yield Problem("closer-has-cards", field, message)


def _not_there(seat: Seat, table: Table[ScalaRules]) -> Text:
    if table.balances is not None and table.rules.is_out(table.balances[seat]):
        return say("%(name)s is out.", name=table.name(seat))
    return say("%(name)s sits this deal out.", name=table.name(seat))


def hand_problems(sheet: ScalaSheet, table: Table[ScalaRules], path: str) -> Iterator[Problem]:
    """Find hands that are missing, or that no thirteen cards make."""
    rules, others = table.rules, (seat for seat in table.active if seat != sheet.closed)
    for seat in others:
        field, value = join(path, f"hands.{table.name(seat)}"), sheet.hands.get(seat)
        if value is None:
            yield Problem("missing-key", field, say("This answer is missing."))
        elif value == 0:
            yield Problem("two-closers", field, TWO_CLOSERS)
        elif value < rules.least:
            message = say("A hand counts at least %(least)s.", least=rules.least)
            yield Problem("hand-too-low", field, message)
        elif value > rules.most:
            message = say("Thirteen cards count at most %(most)s.", most=rules.most)
            yield Problem("hand-too-high", field, message)
    if sum(sheet.hands.values()) > rules.pack:
        message = say("All the cards together count %(pack)s.", pack=rules.pack)
        yield Problem("sum-hands", join(path, "hands"), message)


def buy_in_problems(sheet: ScalaSheet, table: Table[ScalaRules], path: str) -> Iterator[Problem]:
    """Find who can't come back in."""
    field = join(path, "buy_in")
    if sheet.buy_in and table.rules.buy_in is BuyIn.OFF:
        yield Problem("buy-in-off", field, say("By these rules nobody comes back in."))
        return
    for number, seat in enumerate(sheet.buy_in):
        if seat in sheet.buy_in[:number]:
            message = say(
                "There is more than one %(name)s: names are unique.", name=table.name(seat)
            )
            yield Problem("duplicate-name", f"{field}[{number}]", message)
    if sheet.buy_in and table.balances is not None:
        yield from _entry_problems(sheet, table, field)


def _entry_problems(sheet: ScalaSheet, table: Table[ScalaRules], field: str) -> Iterator[Problem]:
    """Find who isn't out, and whether the balances let anybody come back."""
    rules, after = table.rules, balances_after(sheet, table)
    for number, seat in enumerate(sheet.buy_in):
        if not rules.is_out(after[seat]):
            message = say("%(name)s is not out.", name=table.name(seat))
            yield Problem("buy-in-not-out", f"{field}[{number}]", message)
    highest = highest_in(after, table)
    if rules.gate is not None and highest > rules.gate:
        message = say(
            "Nobody comes back in once somebody is above %(gate)s: %(highest)s is the highest.",
            gate=rules.gate,
            highest=highest,
        )
        yield Problem("buy-in-gate", field, message)
    elif rules.is_out(entry(after, table)):
        message = say("Who comes back in there is out again.")
        yield Problem("buy-in-limit", field, message)
