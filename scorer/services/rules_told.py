"""By which rules a session was played: from deal to deal, and who changed them when and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from scorer.storage import queries

if TYPE_CHECKING:
    from scorer.services.open_table import OpenTable


@dataclass(frozen=True, slots=True)
class Played:
    """The rules of some deals that follow on each other; ``last`` is None up to the end.

    ``rule_set`` names the version of the circle's own rules, if they are that.
    """

    first: int
    last: int | None
    rules: Any
    rule_set: tuple[UUID, int] | None


@dataclass(frozen=True, slots=True)
class Change:
    """Rules that were changed from a deal on: who did so, on which phone, when and why."""

    played: Played
    by: str | None
    phone_id: UUID | None
    at: datetime
    reason: str | None


def played_by(here: OpenTable) -> list[Played]:
    """List by which rules the deals were played and the next one will be, in order."""
    borders = {1, *(number for change in here.changes for number in change.borders)}
    starts = sorted(number for number in borders if number <= here.row.next_number)
    found: list[Played] = []
    for number in starts:
        stretch = here.stretch(number)
        here_now = Played(number, None, stretch.rules, stretch.rule_set)
        if found and (found[-1].rules, found[-1].rule_set) == (stretch.rules, stretch.rule_set):
            continue
        if found:
            found[-1] = Played(found[-1].first, number - 1, found[-1].rules, found[-1].rule_set)
        found.append(here_now)
    return found


def rules_changes(here: OpenTable) -> list[Change]:
    """List the changes of the rules that hold for some deal, in the order of the deals.

    One that a later change has taken back from its first deal on is not among them.
    """
    starts = {played.first: played for played in played_by(here)[1:]}
    rows = queries.session_changes(here.circle_id, here.session_id) if starts else []
    newest = {row.from_number: row for row in rows if row.rules is not None}
    return [
        Change(played, row.written_by, row.phone_id, row.at, row.reason)
        for number, played in starts.items()
        if (row := newest.get(number)) is not None
    ]
