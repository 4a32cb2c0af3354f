"""Where seats changed within a session: from which deal on, how, and who said so when and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from scorer.storage import queries
from scorer.texts import Text, listed, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.rules.seats import Seat
    from scorer.services.open_table import OpenTable


@dataclass(frozen=True, slots=True)
class SeatsChange:
    """People who sit otherwise from a deal on."""

    number: int
    text: Text
    by: str | None
    phone_id: UUID | None
    at: datetime
    reason: str | None


def seats_changes(here: OpenTable) -> list[SeatsChange]:
    """List from which deals on people sit otherwise than for the deal before, in order.

    Of several acts that begin or end with a deal it is the last one that is named.
    """
    borders = sorted({number for change in here.changes for number in change.borders} - {1})
    moved = {number: parts for number in borders if (parts := _moved(here, number))}
    rows = queries.session_changes(here.circle_id, here.session_id) if moved else []
    acts = {row.serial: row for row in rows}
    found = []
    for number, parts in moved.items():
        (*_, serial) = (c.serial for c in here.changes if c.order and number in c.borders)
        row, what = acts[serial], listed(parts, "; ")
        text = say("From deal %(number)s: %(what)s", number=number, what=what)
        found.append(SeatsChange(number, text, row.written_by, row.phone_id, row.at, row.reason))
    return found


def _moved(here: OpenTable, number: int) -> list[Text]:
    before, now = here.stretch(number - 1).order, here.stretch(number).order
    return list(_parts(here.names, before, now))


def _parts(
    names: tuple[str, ...], before: tuple[Seat, ...], now: tuple[Seat, ...]
) -> Iterator[Text]:
    """Say who came and between whom, who went, and the order where the others moved."""
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
    """Begin with the lowest seat: the same order of play has many beginnings."""
    first = order.index(min(order)) if order else 0
    return order[first:] + order[:first]
