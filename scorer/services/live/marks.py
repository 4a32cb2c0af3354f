"""Marks of how far a session is, and what its page shows."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from scorer.errors import existing
from scorer.services.base.author import Holder
from scorer.services.circle.circles import admitted
from scorer.services.deals.report import DealQuestion, deal_question
from scorer.services.deals.sheet import ScoreSheet, score_sheet
from scorer.services.session.state import letters, load_state
from scorer.storage import queries
from scorer.storage.queries.live import Mark

#: For the pages, which import no queries.
__all__ = ["Mark"]


class MarkedSheet(NamedTuple):
    """A score sheet at a mark, which any write to the session or circle changes."""

    mark: Mark
    sheet: ScoreSheet
    letters: str

    def question(self, by: Holder) -> DealQuestion | None:
        """Return the question whether the last deal is right, as it is put to a phone."""
        newest, waiting = self.sheet.newest, self.sheet.waiting
        if newest is None or newest.number not in waiting:
            return None
        seen = waiting[newest.number]
        return deal_question(self.sheet.state, newest, by, seen=seen, waits=True)


def holder_and_mark(
    circle_id: UUID, phone_id: UUID, session_id: UUID, used_at: datetime | None
) -> tuple[Holder, Mark | None]:
    """Find a phone, as `holder` does, and with it the mark of a session, if there is one."""
    phone, mark = queries.live.holder_and_mark(circle_id, phone_id, session_id) or (None, None)
    return admitted(phone, used_at), mark


def session_mark(circle_id: UUID, session_id: UUID) -> Mark:
    """Read the versions of a session and of its circle's journal; raise NotFoundError."""
    return existing(queries.live.mark(circle_id, session_id))


def marked_sheet(
    circle_id: UUID, session_id: UUID, before: int | None = None, mark: Mark | None = None
) -> MarkedSheet:
    """Return what the page of a session shows, and the mark that it is of."""
    mark = mark or session_mark(circle_id, session_id)
    state = load_state(circle_id, session_id, mark)
    return MarkedSheet(mark, score_sheet(state, before), letters(state.row, mark.journal))
