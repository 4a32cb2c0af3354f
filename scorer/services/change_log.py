"""The change log of a session: its rules and seats from deal to deal, and what changed them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from scorer.evening.terms import TermsChange
from scorer.rules.description import Description
from scorer.rules.seats import Seat
from scorer.services.state import SessionState
from scorer.storage import models, queries
from scorer.texts import Text, listed, say


@dataclass(frozen=True, slots=True)
class RulesPeriod:
    """The rules of the deals from ``first`` to ``last``, None for no end.

    ``rule_set`` names the version of the circle's own rules, if they are that; ``preset`` says
    whether they are one of ours.
    """

    first: int
    last: int | None
    rules: Any
    table: Description
    rule_set: tuple[UUID, int] | None
    preset: bool


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """Other rules or seats from a deal on: what changed, who said so on which phone, when and why.

    ``phone`` names the phone where nobody holds it.
    """

    number: int
    text: Text
    by: str | None
    phone: str | None
    at: datetime
    reason: str | None


def session_changes(state: SessionState) -> dict[int, list[ChangeLine]]:
    """List the changes of the rules and the seats by the deals from which on they hold.

    A change that a later one replaced from its first deal on is left out.
    """
    rows = queries.session_changes(state.circle_id, state.session_id) if state.changes else []
    found: dict[int, list[ChangeLine]] = {}
    for change in [*_rules_changes(state, rows), *seats_changes(state, rows)]:
        found.setdefault(change.number, []).append(change)
    return found


def rules_periods(state: SessionState) -> list[RulesPeriod]:
    """List the rules of the deals so far and of the next one, in order."""
    periods: list[RulesPeriod] = []
    for number in [one for one in state.borders if one <= state.row.next_number]:
        terms, last = state.terms(number), periods[-1] if periods else None
        if last and (last.rules, last.rule_set) == (terms.rules, terms.rule_set):
            continue
        if last:
            periods[-1] = replace(last, last=number - 1)
        period = RulesPeriod(
            first=number,
            last=None,
            rules=terms.rules,
            table=state.game.describe(terms.rules),
            rule_set=terms.rule_set,
            preset=state.game.presets.get(terms.rules.slug) == terms.rules,
        )
        periods.append(period)
    return periods


def _rules_changes(
    state: SessionState, rows: Sequence[models.SessionChange]
) -> Iterator[ChangeLine]:
    newest = {row.from_number: row for row in rows if row.rules is not None}
    for period in rules_periods(state)[1:] if newest else []:
        if period.first in newest:
            table = _named(period.table, period.rule_set)
            text = say("From deal %(number)s: %(what)s", number=period.first, what=table)
            yield _change(state, newest[period.first], period.first, text)


def seats_changes(
    state: SessionState, rows: Sequence[models.SessionChange]
) -> Iterator[ChangeLine]:
    """List the deals whose seats differ from those of the deal before, in order.

    Of several changes that begin or end with a deal the last one is named.
    """
    acts = {row.serial: row for row in rows}
    for number in state.borders[1:]:
        before, order = state.terms(number - 1).order, state.terms(number).order
        parts = list(_parts(state.names, before, order))
        if parts:
            (*_, serial) = (c.serial for c in state.changes if c.order and number in c.borders)
            what = listed(parts, "; ")
            text = say("From deal %(number)s: %(what)s", number=number, what=what)
            yield _change(state, acts[serial], number, text)


def _change(state: SessionState, row: models.SessionChange, number: int, text: Text) -> ChangeLine:
    phone = None
    if row.written_by is None and row.phone_id is not None:
        found = queries.phone_and_holder(state.circle_id, row.phone_id)
        phone = found.name if found else None
    return ChangeLine(
        number=number, text=text, by=row.written_by, phone=phone, at=row.at, reason=row.reason
    )


def _parts(
    names: tuple[str, ...], before: tuple[Seat, ...], now: tuple[Seat, ...]
) -> Iterator[Text]:
    """Name who came and between whom, who left, and the order of play where the others moved."""
    came = [seat for seat in now if seat not in before]
    if _around([seat for seat in before if seat in now]) != _around(
        [seat for seat in now if seat in before]
    ):
        yield say("in order of play %(names)s", names=", ".join(names[seat] for seat in now))
        came = []
    for seat in came:
        place = now.index(seat)
        yield say(
            "%(name)s sits between %(one)s and %(other)s",
            name=names[seat],
            one=names[now[place - 1]],
            other=names[now[(place + 1) % len(now)]],
        )
    for seat in before:
        if seat not in now:
            yield say("%(name)s leaves", name=names[seat])


def _around(order: list[Seat]) -> list[Seat]:
    """Rotate an order of play so that it begins with the lowest seat."""
    first = order.index(min(order)) if order else 0
    return order[first:] + order[:first]


def _named(table: Description, rule_set: tuple[UUID, int] | None) -> Text:
    """Name rules, with their version where they are the circle's own."""
    if rule_set is None:
        return table.name
    return say("%(table)s, version %(version)s", table=table.name, version=rule_set[1])


def cause(state: SessionState, serial: int | None) -> Text | None:
    """Name the act that had a deal written anew: its rows are those that follow on ``serial``."""
    by_serial = {change.serial: change for change in state.changes}
    act: list[TermsChange] = []
    while serial is not None and serial + len(act) in by_serial:
        act.append(by_serial[serial + len(act)])
    if not act:
        return None
    return say("%(what)s, %(deals)s", what=_changed(state, act), deals=_deals(act[0]))


def _changed(state: SessionState, act: Sequence[TermsChange]) -> Text:
    """Say what an act changed, and to which table."""
    rules = next((one for one in act if one.rules is not None), None)
    if rules is None:
        return say("Seats changed")
    table = _named(state.game.describe(rules.rules), rules.rule_set)
    if any(one.order for one in act):
        return say("Rules (%(table)s) and seats changed", table=table)
    return say("Rules changed to %(table)s", table=table)


def _deals(changed: TermsChange) -> Text:
    first, last = changed.from_number, changed.until_number
    if last is None:
        return say("from deal %(number)s on", number=first)
    if first == last:
        return say("for deal %(number)s", number=first)
    return say("for deals %(first)s to %(last)s", first=first, last=last)
