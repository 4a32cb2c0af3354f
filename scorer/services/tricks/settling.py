"""What the cards say of a sheet: where they differ, and the sheet as it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer.errors import InvalidError, Problem
from scorer.games.briscola_chiamata.rules import CappottoTest
from scorer.rules.cards import card_name
from scorer.rules.findings import Finding
from scorer.services import deals
from scorer.services.deals import Entry
from scorer.services.tricks.opening import tricks_at
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from scorer.services.circles import Holder
    from scorer.services.deals import DealChange, Recorded
    from scorer.services.open_table import OpenTable
    from scorer.services.tricks.opening import Tricks


def differences(tricks: Tricks) -> list[Finding]:
    """Every difference between what was written on the sheet and what the cards prove."""
    found = [one for one in tricks.deal.examined.problems if "claim" in one.where]
    return [*_called(tricks), *found, *_counted(tricks)]


def _called(tricks: Tricks) -> Iterator[Finding]:
    said, called = tricks.sheet.called_card, tricks.deal.record.claim.called_card
    if said is not None and said != called:
        message = say(
            "The sheet says that the %(card)s was called.",
            card=card_name(said, tricks.deal.table.rules.cards),
        )
        yield Finding("other-call", {"claim": "called_card"}, message)


def _counted(tricks: Tricks) -> Iterator[Finding]:
    said, evidence = getattr(tricks.sheet, "tricks_won", None), tricks.deal.evidence
    if said is None or not evidence.settled or said == evidence.tricks_won:
        return
    message = say("The caller's side took %(count)s tricks.", count=evidence.tricks_won)
    yield Finding("tricks-total", {"claim": "tricks_won"}, message)


def sheet_by_tricks(tricks: Tricks) -> dict[str, Any] | None:
    """Give the sheet as the cards prove it, with names; None where they leave something open."""
    if tricks.deal.claim is None or not tricks.deal.evidence.settled:
        return None
    evidence, names, game = tricks.deal.evidence, tricks.here.names, tricks.here.game
    partner = evidence.side.partner
    kept = game.write_sheet(tricks.sheet, names)
    counts = kept.get("tricks_won") is not None or _by_tricks(tricks)
    return {
        **{key: kept[key] for key in ("caller", "bid", "blind", "times") if key in kept},
        "called_card": str(tricks.deal.claim.called_card),
        "partner": None if partner is None else names[partner],
        "card_points": evidence.bounds[0],
        "shown": tricks.deal.shown,
        **({"tricks_won": evidence.tricks_won} if counts else {}),
    }


def _by_tricks(tricks: Tricks) -> bool:
    cappotto = tricks.deal.table.rules.score.cappotto
    return cappotto is not None and cappotto.test is CappottoTest.ALL_TRICKS


def _proved(here: OpenTable, number: int) -> dict[str, Any]:
    sheet = sheet_by_tricks(tricks_at(here, number))
    if sheet is None:
        message = say("The cards leave something open: write the rest down yourself.")
        raise InvalidError([Problem("not-proved", "", message)])
    return sheet


def record_by_tricks(session_id: UUID, number: int, key: UUID, by: Holder) -> Recorded:
    """Write the deal under way down as its cards prove it; raise as ``record_deal`` does."""
    entry = Entry(key, number, lambda here: _proved(here, number))
    return deals.record_deal(session_id, entry, by)


def amend_by_tricks(session_id: UUID, change: DealChange, key: UUID, by: Holder) -> Recorded:
    """Amend a deal to what its cards prove; raise as ``amend_deal`` does."""
    entry = Entry(key, change.number, lambda here: _proved(here, change.number))
    return deals.amend_deal(session_id, change, entry, by)
