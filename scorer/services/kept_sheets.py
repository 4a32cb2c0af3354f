"""The state and score sheets of sessions, read once for each version and for all who look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorer.errors import NotFoundError
from scorer.services.deal_report import deal_question, put_question
from scorer.services.keeping import Kept
from scorer.services.score_sheet import score_sheet
from scorer.services.sessions import letters
from scorer.services.state import load_state
from scorer.storage import queries

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.deal_report import DealQuestion
    from scorer.services.roles import Holder
    from scorer.services.score_sheet import ScoreSheet
    from scorer.services.state import SessionState
    from scorer.storage.queries import Mark

#: Sheets that a process keeps; one has 20 deals.
MOST = 32


class KeptSheet(NamedTuple):
    """A score sheet as it is at a mark: whatever is written in the session or circle moves that."""

    mark: Mark
    sheet: ScoreSheet
    asked: DealQuestion | None
    letters: str

    def question(self, by: Holder) -> DealQuestion | None:
        """Ask somebody whether the last deal is right, while nobody has confirmed it."""
        newest = self.sheet.newest
        if newest is None:
            return None
        return put_question(self.asked, self.sheet.state, newest, by, waits=True)


_states: Kept[SessionState] = Kept(MOST)
_kept: Kept[KeptSheet] = Kept(MOST)


def kept_state(circle_id: UUID, session_id: UUID) -> SessionState:
    """Load the state of a session as `load_state` does, once for each version."""
    return _state(circle_id, _mark(circle_id, session_id))


def kept_sheet(circle_id: UUID, session_id: UUID, before: int | None = None) -> KeptSheet:
    """Open a session's page as `score_sheet` does, which is asked only where it has changed."""
    mark = _mark(circle_id, session_id)

    def read() -> KeptSheet:
        sheet = score_sheet(_state(circle_id, mark), before)
        return KeptSheet(mark, sheet, _question(sheet), letters(sheet.state.row))

    return _kept.get((circle_id, mark, before), read)


def _mark(circle_id: UUID, session_id: UUID) -> Mark:
    for mark in queries.marks(circle_id, [session_id]):
        return mark
    raise NotFoundError(session_id)


def _state(circle_id: UUID, mark: Mark) -> SessionState:
    return _states.get((circle_id, mark), lambda: load_state(circle_id, mark.session_id))


def _question(sheet: ScoreSheet) -> DealQuestion | None:
    """Say what there is to ask about the newest deal, while it waits to be confirmed."""
    if sheet.newest is None or sheet.newest.number not in sheet.waiting:
        return None
    return deal_question(sheet.state, sheet.newest, seen=sheet.waiting[sheet.newest.number])
