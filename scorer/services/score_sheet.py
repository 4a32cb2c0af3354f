"""The score sheet of a session: standings, and its deals as a page of paper, a row a deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer.ledger import Standing, standings
from scorer.rules.game import Outcome
from scorer.rules.match import Progress
from scorer.rules.seats import Seat
from scorer.rules.sides import Sides, named
from scorer.services.open_table import OpenTable, open_table, progress, progress_after
from scorer.services.reviews import unconfirmed
from scorer.storage import models, queries
from scorer.storage.queries import DisputeRow
from scorer.texts import Text, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from scorer.services.open_table import Sitting
    from scorer.storage.queries import DealRow

PAGE = 20
OUTCOME_WORDS = {
    Outcome.MISDEAL: say("Misdeal"),
    Outcome.ALL_PASSED: say("All passed"),
    Outcome.THROWN_IN: say("Thrown in"),
    Outcome.REDEAL: say("Dealt again"),
    Outcome.PENALTY: say("Penalty"),
}


@dataclass(frozen=True, slots=True)
class SheetCell:
    """What a deal paid a side, None if it sat out, and the balance after it, None if it was away.

    ``seat`` is the first of the side, ``part`` what its role is called; ``back`` says whether it
    came back in with the deal.
    """

    seat: Seat
    payout: int | None
    balance: int | None
    role: str
    part: Text | None
    back: bool


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One deal on the sheet."""

    number: int
    outcome_text: Text | None
    summary: Text
    voided: bool
    amended: bool
    disputed: bool
    unconfirmed: bool
    cells: tuple[SheetCell, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A session as its page shows it: where it stands, and one page of its deals, newest first.

    Partners are one: ``standings`` and cells name the first seat of each of the ``sides``.
    """

    here: OpenTable
    sides: Sides
    totals: dict[Seat, int]
    standings: list[Standing]
    last: dict[int, int]
    progress: Progress
    started: models.StartedDeal | None
    disputes: list[DisputeRow]
    rows: tuple[SheetRow, ...]
    older: int | None
    newer: int | None

    @property
    def deal_count(self) -> int:
        """How many deals were written down."""
        return self.here.row.next_number - 1

    @property
    def names(self) -> dict[Seat, str]:
        """How each side is called, by its first seat."""
        return {side[0]: named(side, self.here.names) for side in self.sides}


def score_sheet(circle_id: UUID, session_id: UUID, before: int | None = None) -> ScoreSheet:
    """Open a session's page; ``before`` asks for the deals below that number."""
    here = open_table(circle_id, session_id)
    deals = queries.newest_deals(circle_id, session_id, limit=PAGE, before=before)
    totals = {Seat(s): n for s, n in queries.balances(circle_id, session_id).items()}
    sides = here.sides
    balances = {side[0]: totals[side[0]] for side in sides}
    places = standings(balances, lowest_first=here.game.lowest_leads)
    return ScoreSheet(
        here,
        sides,
        totals,
        places,
        queries.last_payouts(circle_id, session_id),
        _progress(here, places),
        queries.started_deal(circle_id, session_id),
        queries.disputes(circle_id, session_id),
        _rows(here, deals, balances),
        older=deals[-1].number if deals and deals[-1].number > 1 else None,
        newer=_newer(here, deals),
    )


def _progress(here: OpenTable, places: Sequence[Standing]) -> Progress:
    """Say whether the end is reached; where the best are level, whether that keeps them playing."""
    leading, second = places[0], places[1:2]
    last = here.row.next_number - 1
    level = last > 0 and any(other.place == leading.place for other in second)
    if here.row.finished_number is None and level and here.game.can_end(here.rules):
        return progress_after(here, last)
    return progress(here)


def _newer(here: OpenTable, deals: Sequence[DealRow]) -> int | None:
    """Where the page of newer deals begins: 0 is the newest page, None when this is it."""
    newest = here.row.next_number - 1
    if not deals or deals[0].number == newest:
        return None
    before = deals[0].number + PAGE + 1
    return before if before <= newest else 0


def _rows(
    here: OpenTable, deals: Sequence[DealRow], totals: dict[Seat, int]
) -> tuple[SheetRow, ...]:
    """Lay out a page from its newest deal down, taking each payout off the balance again."""
    running, waiting = dict(totals), unconfirmed(here, deals)
    if deals and deals[0].number < here.row.next_number - 1:
        until = queries.balances(here.circle_id, here.session_id, until=deals[0].number)
        running = {seat: until[seat] for seat in totals}
    rows = []
    for deal in deals:
        rows.append(_row(here, deal, running, waits=deal.number in waiting))
        if not deal.voided:
            for seat in running:
                running[seat] -= deal.payouts.get(seat, 0)
    return tuple(rows)


def _row(here: OpenTable, deal: DealRow, running: dict[Seat, int], *, waits: bool) -> SheetRow:
    sheet = here.sheet_of(deal)
    roles = here.game.roles(sheet) if sheet else {}
    back = here.game.back_in(sheet) if sheet else ()
    terms = here.terms(deal.number, deal.serial)
    parts = here.game.parts(terms.rules)
    return SheetRow(
        number=deal.number,
        outcome_text=OUTCOME_WORDS.get(Outcome(deal.outcome)),
        summary=_deal_text(here, deal, sheet),
        voided=deal.voided,
        amended=deal.amended,
        disputed=deal.disputed,
        unconfirmed=waits,
        cells=tuple(
            SheetCell(
                seat=seat,
                payout=deal.payouts.get(seat),
                balance=balance if seat in terms.order else None,
                role=roles.get(seat, ""),
                part=parts.get(roles.get(seat, "")),
                back=seat in back,
            )
            for seat, balance in running.items()
        ),
    )


def deal_text(here: Sitting, deal: DealRow) -> Text:
    """Tell a deal in a line, whatever became of it."""
    return _deal_text(here, deal, here.sheet_of(deal))


def _deal_text(here: Sitting, deal: DealRow, sheet: Any) -> Text:
    if sheet is not None:
        return here.game.summary(sheet, here.table_of(deal))
    words = OUTCOME_WORDS[Outcome(deal.outcome)]
    if deal.outcome == Outcome.PENALTY and deal.sheet is not None:
        return say("%(what)s: %(name)s", what=words, name=here.names[int(deal.sheet["offender"])])
    return words
