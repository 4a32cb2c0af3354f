"""A session as a file (contract.md): what is exported, and what a dispute is settled with.

Where the rules or the order of play changed within the session, the first deal of each stretch says
so in ``rules`` and ``seats``, which the contract leaves open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from scorer.rules.seats import all_seats
from scorer.rules.sheet import write as written
from scorer.rules.stretches import Stretch
from scorer.services.open_table import open_table
from scorer.storage import queries
from scorer.verbs.replaying import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from scorer.services.open_table import OpenTable
    from scorer.storage.queries import DealRow


def session_file(circle_id: UUID, session_id: UUID) -> dict[str, Any]:
    """Write a session down with the deals that stand; raise NotFoundError."""
    here = open_table(circle_id, session_id)
    return {
        "format": FORMAT,
        "game": here.game.slug,
        "rules": here.row.rules,
        "title": here.row.title,
        "date": here.row.started_at.date().isoformat(),
        "seats": list(here.names),
        "opening": {here.names[seat]: balance for seat, balance in here.opening.items()},
        "deals": list(_deals(here)),
    }


def _deals(here: OpenTable) -> Iterator[dict[str, Any]]:
    before = Stretch(here.began.rules, all_seats(len(here.names)))
    for deal in queries.all_deals(here.circle_id, here.session_id):
        if not deal.voided:
            stretch = here.stretch(deal.number, deal.serial)
            yield {**_deal(here, deal), **_changed(here, before, stretch)}
            before = stretch


def _deal(here: OpenTable, deal: DealRow) -> dict[str, Any]:
    active = here.table_of(deal).active
    told = {
        "outcome": deal.outcome,
        "dealer": here.names[deal.dealer],
        "sits_out": [name for seat, name in enumerate(here.names) if seat not in active],
    }
    sheet = here.answers_of(deal)
    return told if sheet is None else {**told, "sheet": sheet}


def _changed(here: OpenTable, before: Stretch, stretch: Stretch) -> dict[str, Any]:
    """Say what holds from a deal on that did not hold before."""
    changed: dict[str, Any] = {}
    if stretch.rules != before.rules:
        changed["rules"] = written(stretch.rules)
    if stretch.order != before.order:
        changed["seats"] = [here.names[seat] for seat in stretch.order]
    return changed
