"""A session as a file (contract.md): what is exported, and what a dispute is settled with."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from scorer.rules.game import Outcome
from scorer.rules.game import PenaltySheet
from scorer.rules.seats import Seat
from scorer.rules.sheet import write as written_sheet
from scorer.services.sessions import open_table
from scorer.storage import queries
from scorer.verbs.replaying import FORMAT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from scorer.services.sessions import OpenTable
    from scorer.storage.queries import DealRow


def session_file(circle_id: UUID, session_id: UUID) -> dict[str, Any]:
    """Write a session down with the deals that stand; raise NotFoundError."""
    here = open_table(circle_id, session_id)
    deals = queries.all_deals(circle_id, session_id)
    return {
        "format": FORMAT,
        "game": here.game.slug,
        "rules": here.row.rules,
        "title": here.row.title,
        "date": here.row.started_at.date().isoformat(),
        "seats": list(here.names),
        "opening": {here.names[seat]: balance for seat, balance in here.opening.items()},
        "deals": [_deal(here, deal) for deal in deals if not deal.voided],
    }


def _deal(here: OpenTable, deal: DealRow) -> dict[str, Any]:
    written = {
        "outcome": deal.outcome,
        "dealer": here.names[deal.dealer],
        "sits_out": _names(here, deal.sits_out),
    }
    sheet = _sheet(here, deal)
    return written if sheet is None else {**written, "sheet": sheet}


def _sheet(here: OpenTable, deal: DealRow) -> dict[str, Any] | None:
    """Name the people of a stored sheet, which knows them by their seats."""
    if deal.outcome == Outcome.PENALTY and deal.sheet is not None:
        offender = PenaltySheet(Seat(int(deal.sheet["offender"])))
        penalty: dict[str, Any] = written_sheet(offender, here.names)
        return penalty
    sheet = here.sheet(deal.sheet, deal.outcome)
    return None if sheet is None else here.game.write_sheet(sheet, here.names)


def _names(here: OpenTable, seats: Sequence[int]) -> list[str]:
    return [here.names[seat] for seat in seats]
