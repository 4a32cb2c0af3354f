"""A session as a table for a spreadsheet, in which nothing is taken for a formula."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from scorer.services.sessions import letters
from scorer.services.state import load_state
from scorer.storage import queries

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from scorer.rules.seats import Seat
    from scorer.services.state import SessionState
    from scorer.storage.queries import DealRow

Cell = str | int | None

#: What a spreadsheet takes for the beginning of a formula; the last four are as wide as a kana.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001
HEADING = ("deal", "outcome", "voided", "dealer", "recorded_at", "recorded_by")


def session_csv(circle_id: UUID, session_id: UUID) -> str:
    """Write every deal of a session as a line, with what it paid; raise NotFoundError.

    Partners have a column together, so that what they won is counted once. Who sat out has an
    empty cell. A voided deal has what it would pay, and says that it is voided. Balances brought in
    are a line before the first deal. The last line has the hash of all that was written.
    """
    state = load_state(circle_id, session_id)
    deals = queries.all_deals(circle_id, session_id)
    firsts = [side[0] for side in state.sides]
    rows = [*_opening(state, firsts), *(_row(state, deal, firsts) for deal in deals)]
    rows.append((None, "hash", "", None, None, letters(state.row), *[None] * len(firsts)))
    names = (" & ".join(state.names[seat] for seat in side) for side in state.sides)
    return table_of([(*HEADING, *names), *rows])


def _opening(state: SessionState, firsts: Sequence[Seat]) -> list[tuple[Cell, ...]]:
    brought_in = [state.opening[seat] for seat in firsts]
    if not any(brought_in):
        return []
    at = state.row.started_at.isoformat(timespec="seconds")
    return [(0, "opening", "", None, at, None, *brought_in)]


def _row(state: SessionState, deal: DealRow, firsts: Sequence[Seat]) -> tuple[Cell, ...]:
    paid = (deal.payouts.get(seat) for seat in firsts)
    return (
        deal.number,
        deal.outcome,
        "yes" if deal.voided else "",
        state.names[deal.dealer],
        deal.recorded_at.isoformat(timespec="seconds"),
        deal.recorded_by,
        *paid,
    )


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
