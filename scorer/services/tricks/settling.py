"""What the cards say of a sheet: where they differ, and the sheet as it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer.cards import engine
from scorer.errors import InvalidError, Problem
from scorer.services import deals
from scorer.services.deals import Entry
from scorer.services.tricks.opening import tricks_at
from scorer.texts import say

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.rules.findings import Finding
    from scorer.services.circles import Holder
    from scorer.services.deals import DealChange, Recorded
    from scorer.services.state import SessionState
    from scorer.services.tricks.opening import Tricks


def differences(tricks: Tricks) -> list[Finding]:
    """Every difference between what was written on the sheet and what the cards prove."""
    return engine.differences(tricks.deal, tricks.sheet)


def sheet_by_tricks(tricks: Tricks) -> dict[str, Any] | None:
    """Give the sheet as the cards prove it, with names; None where they leave something open."""
    return engine.proved_sheet(tricks.deal, tricks.sheet, tricks.state.names)


def _proved(state: SessionState, number: int) -> dict[str, Any]:
    sheet = sheet_by_tricks(tricks_at(state, number))
    if sheet is None:
        message = say("The cards leave something open: write the rest down yourself.")
        raise InvalidError([Problem("not-proved", "", message)])
    return sheet


def record_by_tricks(session_id: UUID, number: int, key: UUID, by: Holder) -> Recorded:
    """Write the deal under way down as its cards prove it; raise as ``record_deal`` does."""
    entry = Entry(key, number, lambda state: _proved(state, number))
    return deals.record_deal(session_id, entry, by)


def amend_by_tricks(session_id: UUID, change: DealChange, key: UUID, by: Holder) -> Recorded:
    """Amend a deal to what its cards prove; raise as ``amend_deal`` does."""
    entry = Entry(key, change.number, lambda state: _proved(state, change.number))
    return deals.amend_deal(session_id, change, entry, by)
