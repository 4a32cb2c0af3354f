"""The cards of one deal, opened beside its sheet: of a deal on it, or of the one under way.

What is stored of the cards is a *play*, with people by the numbers of their seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from scorer.cards import engine
from scorer.cards.engine import CardDeal
from scorer.errors import NotFoundError
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.services.state import SessionState, load_state
from scorer.storage import queries
from scorer.storage.queries import TrickRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.errors import Problem

#: What a page has seen of a deal whose cards nobody has written down.
NO_VERSION = 0


@dataclass(frozen=True, slots=True)
class Tricks:
    """The cards of a deal, as far as they were written down, beside what its sheet says.

    ``version`` is that of the sheet, None of a deal under way. Until somebody says which card was
    called, ``deal`` has no claim.
    """

    state: SessionState
    number: int
    deal_id: UUID
    version: int | None
    sheet: Any
    deal: CardDeal
    written: TrickRow | None

    @property
    def asks_call(self) -> bool:
        """Whether the sheet leaves open which card was called."""
        return engine.leaves_call_open(self.sheet)

    @property
    def seen(self) -> int:
        """The version of what was written down of the cards."""
        return NO_VERSION if self.written is None else self.written.version

    def with_play(self, play: Mapping[str, Any]) -> tuple[CardDeal | None, list[Problem]]:
        """Read another play of this deal, with people by the numbers of their seats."""
        return engine.read_stored_play(self.deal, play, self.sheet)


def open_tricks(circle_id: UUID, session_id: UUID, number: int) -> Tricks:
    """Open the cards of a deal; raise NotFoundError where there are none to write down."""
    return tricks_at(load_state(circle_id, session_id), number)


def tricks_at(state: SessionState, number: int) -> Tricks:
    """Open the cards of a deal of a session that is open."""
    if not engine.has(state.game):
        raise NotFoundError(number)
    row = queries.deal(state.circle_id, state.session_id, number)
    if row is None:
        return _under_way(state, number)
    sheet = state.sheet_of(row)
    if row.outcome != Outcome.PLAYED or sheet is None:
        raise NotFoundError(number)
    begun = engine.open_deal(state.game, state.table_for(row), Seat(row.dealer))
    deal, written = _opened(state, row.deal_id, begun, sheet)
    return Tricks(state, number, row.deal_id, row.version, sheet, deal, written)


def _under_way(state: SessionState, number: int) -> Tricks:
    started = queries.started_deal(state.circle_id, state.session_id)
    if started is None or started.number != number:
        raise NotFoundError(number)
    sheet, key = state.start_of(started.sheet), started.deal_id
    begun = engine.open_deal(state.game, state.table(), Seat(started.dealer))
    deal, written = _opened(state, key, begun, sheet)
    return Tricks(state, number, key, None, sheet, deal, written)


def _opened(
    state: SessionState, deal_id: UUID, begun: CardDeal, sheet: Any
) -> tuple[CardDeal, TrickRow | None]:
    """Read what was written down; what can't be read, of a circle that was damaged, is nothing."""
    written = queries.tricks(state.circle_id, deal_id)
    play = written.record if written else {"tricks": []}
    deal, _ = engine.read_stored_play(begun, play, sheet)
    return deal or begun, written
