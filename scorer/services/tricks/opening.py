"""The cards of one deal, opened beside its sheet: of a deal on it, or of the one under way.

What is stored of the cards is a *play* (``play.kept``), with seats by number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from scorer.errors import NotFoundError
from scorer.games.briscola_chiamata.play.deal import Deal
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.services.numbered import by_number
from scorer.services.open_table import OpenTable, open_table
from scorer.storage import queries
from scorer.storage.queries import TrickRow

if TYPE_CHECKING:
    from scorer.games.briscola_chiamata.play.kept import Play
    from scorer.rules.sheet import Reading

#: What a page has seen of a deal whose cards nobody has written down.
NO_VERSION = 0


@dataclass(frozen=True, slots=True)
class Tricks:
    """The cards of a deal, as far as they were written down, beside what its sheet says.

    ``version`` is that of the sheet, None of a deal under way. Until somebody says which card was
    called, ``deal`` has no claim.
    """

    here: OpenTable
    number: int
    deal_id: UUID
    version: int | None
    sheet: ChiamataSheet | ChiamataStart
    deal: Deal
    written: TrickRow | None

    @property
    def asks_call(self) -> bool:
        """Whether the sheet leaves open which card was called."""
        return self.sheet.called_card is None

    @property
    def seen(self) -> int:
        """The version of what was written down of the cards."""
        return NO_VERSION if self.written is None else self.written.version

    def with_play(self, play: Play, reading: Reading) -> Deal | None:
        """Read another play of this deal, with seats by number."""
        return self.deal.with_play(play, self.sheet, reading)


def open_tricks(circle_id: UUID, session_id: UUID, number: int) -> Tricks:
    """Open the cards of a deal; raise NotFoundError where there are none to write down."""
    return tricks_at(open_table(circle_id, session_id), number)


def tricks_at(here: OpenTable, number: int) -> Tricks:
    """Open the cards of a deal of a session that is open."""
    if not here.game.card_by_card:
        raise NotFoundError(number)
    row = queries.deal(here.circle_id, here.session_id, number)
    if row is None:
        return _under_way(here, number)
    sheet = here.sheet_of(row)
    if row.outcome != Outcome.PLAYED or sheet is None:
        raise NotFoundError(number)
    deal, written = _opened(
        here, row.deal_id, Deal.begun(here.table_of(row), Seat(row.dealer)), sheet
    )
    return Tricks(here, number, row.deal_id, row.version, sheet, deal, written)


def _under_way(here: OpenTable, number: int) -> Tricks:
    started = queries.started_deal(here.circle_id, here.session_id)
    if started is None or started.number != number:
        raise NotFoundError(number)
    sheet, key = here.start_of(started.sheet), started.deal_id
    deal, written = _opened(here, key, Deal.begun(here.table(), Seat(started.dealer)), sheet)
    return Tricks(here, number, key, None, sheet, deal, written)


def _opened(
    here: OpenTable, deal_id: UUID, begun: Deal, sheet: ChiamataSheet | ChiamataStart
) -> tuple[Deal, TrickRow | None]:
    """Read what was written down; what can't be read, of a circle that was damaged, is nothing."""
    written = queries.tricks(here.circle_id, deal_id)
    play = written.record if written else {"tricks": []}
    return begun.with_play(play, sheet, by_number(begun)) or begun, written
