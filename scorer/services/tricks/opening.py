"""The cards of one deal, opened beside its sheet: of a deal on it, or of the one under way.

What is stored of the cards is a *play*, the shape that a session file has (contract.md): the called
card, the tricks, and whatever else was written down, with seats by number. Who called and what the
deal came to is the sheet's affair; a claim is put together of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Any
from uuid import UUID

from scorer.errors import NotFoundError
from scorer.games.briscola_chiamata.play.deal import Deal
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.games.briscola_chiamata.sheet import ChiamataStart
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading
from scorer.rules.sheet import write as written_sheet
from scorer.services.open_table import NUMBERS
from scorer.services.open_table import OpenTable
from scorer.services.open_table import open_table
from scorer.storage import queries
from scorer.storage.queries import TrickRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence

    Play = Mapping[str, Any]

#: What a page has seen of a deal whose cards nobody has written down.
NO_VERSION = 0
OF_PLAY = ("auction", "hands", "discards", "tricks")
OF_SHEET = ("caller", "bid", "called_card", "partner", "card_points", "made", "cappotto")


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
    def seen(self) -> int:
        """The version of what was written down of the cards."""
        return NO_VERSION if self.written is None else self.written.version

    def with_play(self, play: Play, reading: Reading) -> Deal | None:
        """Read another play of this deal, with seats by number."""
        return read_play(play, self.deal, self.sheet, reading)


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
    deal, written = _opened(here, row.deal_id, Deal(here.table_of(row), Seat(row.dealer)), sheet)
    return Tricks(here, number, row.deal_id, row.version, sheet, deal, written)


def _under_way(here: OpenTable, number: int) -> Tricks:
    started = queries.started_deal(here.circle_id, here.session_id)
    if started is None or started.number != number:
        raise NotFoundError(number)
    sheet, key = here.start_of(started.sheet), started.deal_id
    deal, written = _opened(here, key, Deal(here.table(), Seat(started.dealer)), sheet)
    return Tricks(here, number, key, None, sheet, deal, written)


def _opened(
    here: OpenTable, deal_id: UUID, begun: Deal, sheet: ChiamataSheet | ChiamataStart
) -> tuple[Deal, TrickRow | None]:
    """Read what was written down; what can't be read, of a circle that was damaged, is nothing."""
    written = queries.tricks(here.circle_id, deal_id)
    play = written.record if written else {"tricks": []}
    reading = Reading(NUMBERS, begun.table.rules.cards)
    return read_play(play, begun, sheet, reading) or begun, written


def read_play(
    play: Play, begun: Deal, sheet: ChiamataSheet | ChiamataStart, reading: Reading
) -> Deal | None:
    """Put a play and a sheet together; without a called card there is no claim yet.

    The names of the reading are those in the play. None when there are problems in it.
    """
    body = {key: play[key] for key in OF_PLAY if key in play}
    claim = _claim(sheet, reading.names, play.get("called_card"))
    told = body if claim["called_card"] is None else {**body, "claim": claim}
    return Deal.read(told, begun.table, begun.dealer, reading)


def _claim(
    sheet: ChiamataSheet | ChiamataStart, names: Sequence[str], called: object
) -> dict[str, Any]:
    """What a sheet says that the cards can be compared with; a partner is said, or that none is."""
    answers = written_sheet(sheet, names)
    said = {key: answers[key] for key in OF_SHEET if answers.get(key) is not None}
    partner = {"partner": answers["partner"]} if "partner" in answers else {}
    return {**said, **partner, "called_card": called or answers["called_card"]}
