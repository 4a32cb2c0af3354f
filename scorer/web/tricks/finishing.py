"""The page of a deal's cards once they are all there: every trick, and what they prove."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorer.services.tricks import differences, sheet_by_tricks
from scorer.web.tricks.views import aside_row, trick_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer.cards.engine import PlayState
    from scorer.rules.findings import Finding
    from scorer.services.tricks import Tricks
    from scorer.texts import Text
    from scorer.web.tricks.views import AsideRow, TrickLine


class Finished(NamedTuple):
    """All the tricks; what the deal came to, where the cards leave nothing open.

    ``faults`` is what can't be right in the cards themselves, and of a deal under way in what was
    called; ``differences`` where the sheet, if there is one, says otherwise.
    """

    rows: list[TrickLine]
    aside: AsideRow | None
    outcome: Text | None
    faults: list[Text]
    differences: list[Text]


def finished(tricks: Tricks, now: PlayState) -> Finished:
    """Say what the cards of a deal come to."""
    deal = tricks.deal
    rows, aside = trick_rows(deal, now), aside_row(deal, now)
    faults, differing = _texts(_faults(tricks)), _texts(_differences(tricks))
    return Finished(rows, aside, _outcome(tricks), faults, differing)


def _faults(tricks: Tricks) -> Sequence[Finding]:
    """Find what can't be right; before there is a sheet, the call can't be right either."""
    found = tricks.deal.examined.problems
    if tricks.version is None:
        return found
    return [one for one in found if "claim" not in one.where]


def _differences(tricks: Tricks) -> list[Finding]:
    return [] if tricks.version is None else differences(tricks)


def _texts(found: Sequence[Finding]) -> list[Text]:
    return [one.message for one in found]


def _outcome(tricks: Tricks) -> Text | None:
    answers, game = sheet_by_tricks(tricks), tricks.state.game
    if answers is None:
        return None
    sheet, _ = game.read_sheet(answers, tricks.deal.table)
    return None if sheet is None else game.headline(sheet, tricks.deal.table)
