"""What can be wrong with a sheet: who closed, what the others hold, who comes back in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.errors import Problem
from scorer.games.scala_quaranta.paying import balances_after, entry, highest_in
from scorer.games.scala_quaranta.sheet import BuyIn
from scorer.rules.sheet import join
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.scala_quaranta.sheet import ScalaRules, ScalaSheet
    from scorer.rules.game import Table
    from scorer.rules.seats import Seat
    from scorer.texts import Text

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
