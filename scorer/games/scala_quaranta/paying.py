"""What a deal pays: what everybody holds, and what brings back those who buy in again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.scala_quaranta.sheet import BuyIn
from scorer.rules.game import Step
from scorer.rules.plain_game import side_step
from scorer.texts import say, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorer.games.scala_quaranta.sheet import ScalaRules, ScalaSheet
    from scorer.rules.game import Table
    from scorer.rules.seats import Seat


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
