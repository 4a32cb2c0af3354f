"""The change log of a session: by which rules its deals were played, and how the seats changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from scorer.rules.description import Description
from scorer.storage import queries
from scorer.texts import Text, listed, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.rules.seats import Seat
    from scorer.rules.terms import Terms
    from scorer.services.state import SessionState
    from scorer.storage import models


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
    """List the changes of the rules and the seats by the deals from which on they hold."""
    found: dict[int, list[ChangeLine]] = {}
    for change in [*rules_changes(state), *seats_changes(state)]:
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
        periods.append(_period(state, number, terms))
    return periods


def _period(state: SessionState, number: int, terms: Terms) -> RulesPeriod:
    return RulesPeriod(
        first=number,
        last=None,
        rules=terms.rules,
        table=state.game.describe(terms.rules),
        rule_set=terms.rule_set,
        preset=state.game.presets.get(terms.rules.slug) == terms.rules,
    )


def rules_changes(state: SessionState) -> list[ChangeLine]:
    """List the changes of the rules that hold for some deal, in the order of the deals.

    A change that a later one replaced from its first deal on is left out.
    """
    starts = {period.first: period for period in rules_periods(state)[1:]}
    rows = queries.session_changes(state.circle_id, state.session_id) if starts else []
    newest = {row.from_number: row for row in rows if row.rules is not None}
    return [
        _change(state, row, number, _rules_text(period))
        for number, period in starts.items()
        if (row := newest.get(number)) is not None
    ]


def _change(state: SessionState, row: models.SessionChange, number: int, text: Text) -> ChangeLine:
    phone = None
    if row.written_by is None and row.phone_id is not None:
        found = queries.phone_and_holder(state.circle_id, row.phone_id)
        phone = found.name if found else None
    return ChangeLine(
        number=number, text=text, by=row.written_by, phone=phone, at=row.at, reason=row.reason
    )


def _rules_text(period: RulesPeriod) -> Text:
    if period.rule_set is None:
        return say("From deal %(number)s: %(table)s", number=period.first, table=period.table.name)
    return say(
        "From deal %(number)s: %(table)s, version %(version)s",
        number=period.first,
        table=period.table.name,
        version=period.rule_set[1],
    )


def seats_changes(state: SessionState) -> list[ChangeLine]:
    """List the deals whose seats differ from those of the deal before, in order.

    Of several changes that begin or end with a deal the last one is named.
    """
    orders = {number: state.terms(number).order for number in state.borders[1:]}
    told = {
        number: list(_parts(state.names, state.terms(number - 1).order, order))
        for number, order in orders.items()
    }
    moved = {number: parts for number, parts in told.items() if parts}
    rows = queries.session_changes(state.circle_id, state.session_id) if moved else []
    acts = {row.serial: row for row in rows}
    found = []
    for number, parts in moved.items():
        (*_, serial) = (c.serial for c in state.changes if c.order and number in c.borders)
        row, what = acts[serial], listed(parts, "; ")
        text = say("From deal %(number)s: %(what)s", number=number, what=what)
        found.append(_change(state, row, number, text))
    return found


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
