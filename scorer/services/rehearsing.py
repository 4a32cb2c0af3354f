"""What a change of rules or seats would come to: it is done, looked at, and taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scorer.rules.seats import Seat
from scorer.services.changes import apply_change, check_seen
from scorer.services.deal_report import version_report
from scorer.services.open_table import open_table, table_to_change
from scorer.services.score_sheet import deal_text
from scorer.storage import queries, rehearsed

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.changes import ChangeRequest
    from scorer.services.circles import Holder
    from scorer.services.deal_report import VersionReport
    from scorer.services.open_table import OpenTable
    from scorer.storage.queries import DealRow
    from scorer.texts import Text


class Anew(NamedTuple):
    """A deal as it would be written: what it says, and what of that is new."""

    number: int
    voided: bool
    text: Text
    version: VersionReport


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """The deals that would change, everybody's balance before and after, and the next deal."""

    deals: tuple[Anew, ...]
    unchanged: int
    names: tuple[str, ...]
    before: dict[Seat, int]
    after: dict[Seat, int]
    dealer: Seat
    out: tuple[Seat, ...]


def rehearse(session_id: UUID, change: ChangeRequest, by: Holder) -> Rehearsed:
    """Say what a change would come to; nothing is written. Raise what the change would raise."""

    def work() -> Rehearsed:
        with table_to_change(by.circle_id, session_id) as here:
            check_seen(here, change)
            before = _balances(here)
            apply_change(here, change, by)
        return _rehearsed(open_table(by.circle_id, session_id), change, before)

    return rehearsed(work)


def _rehearsed(here: OpenTable, change: ChangeRequest, before: dict[Seat, int]) -> Rehearsed:
    deals = queries.all_deals(here.circle_id, here.session_id)
    held = [_anew(here, deal) for deal in deals if change.holds_for(deal.number)]
    changed = tuple(one for one in held if one.version.changes or any(one.version.moved.values()))
    playing = here.table().active
    return Rehearsed(
        changed,
        len(held) - len(changed),
        here.names,
        before,
        _balances(here),
        here.turn.dealer,
        tuple(seat for seat in here.order if seat not in playing),
    )


def _anew(here: OpenTable, deal: DealRow) -> Anew:
    *_, old, new = queries.deal_versions(here.circle_id, deal.deal_id)
    return Anew(deal.number, deal.voided, deal_text(here, deal), version_report(here, new, old))


def _balances(here: OpenTable) -> dict[Seat, int]:
    found = queries.balances(here.circle_id, here.session_id)
    return {Seat(seat): balance for seat, balance in found.items()}
