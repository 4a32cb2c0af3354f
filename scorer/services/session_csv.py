"""A session as a table for a spreadsheet, in which nothing is taken for a formula."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from scorer.services.open_table import open_table
from scorer.storage import queries

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from scorer.services.open_table import OpenTable
    from scorer.storage.queries import DealRow

Cell = str | int | None

#: What a spreadsheet takes for the beginning of a formula; the last four are as wide as a kana.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001
HEADING = ("deal", "outcome", "voided", "dealer", "recorded_at", "recorded_by")


def session_csv(circle_id: UUID, session_id: UUID) -> str:
    """Write every deal of a session as a line, with what it paid; raise NotFoundError.

    Who sat out has an empty cell. A voided deal has what it would pay, and says that it is voided.
    Balances brought in are a line before the first deal.
    """
    here = open_table(circle_id, session_id)
    deals = queries.all_deals(circle_id, session_id)
    rows = [*_opening(here), *(_row(here, deal) for deal in deals)]
    return table_of([(*HEADING, *here.names), *rows])


def _opening(here: OpenTable) -> list[tuple[Cell, ...]]:
    brought_in = [seat.opening for seat in here.seats]
    if not any(brought_in):
        return []
    at = here.row.started_at.isoformat(timespec="seconds")
    return [(0, "opening", "", None, at, None, *brought_in)]


def _row(here: OpenTable, deal: DealRow) -> tuple[Cell, ...]:
    paid = (deal.payouts.get(seat) for seat in range(len(here.names)))
    return (
        deal.number, deal.outcome, "yes" if deal.voided else "", here.names[deal.dealer],
        deal.recorded_at.isoformat(timespec="seconds"), deal.recorded_by, *paid,
    )  # fmt: skip


def table_of(rows: Sequence[Sequence[Cell]]) -> str:
    """Write rows as CSV; texts are kept from being formulas, numbers stay numbers."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def _harmless(cell: Cell) -> Cell:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULAS):
        return f"'{cell}"
    return cell
