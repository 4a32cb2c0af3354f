"""Marks of how far a session is, and caches of states and score sheets by mark."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from scorer.errors import existing
from scorer.services.base.author import Holder
from scorer.services.base.caching import LRUCache
from scorer.services.circle.circles import admitted
from scorer.services.deals.deals import RecordedDeal
from scorer.services.deals.report import DealQuestion, deal_question
from scorer.services.deals.sheet import ScoreSheet, score_sheet
from scorer.services.session.state import SessionState, letters, load_state
from scorer.storage import queries
from scorer.storage.queries.live import Mark

#: For the pages, which import no queries.
__all__ = ["Mark"]

#: Sheets and states that a process caches.
MOST = 32


class CachedSheet(NamedTuple):
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


_states: LRUCache[SessionState] = LRUCache(MOST)
_sheets: LRUCache[CachedSheet] = LRUCache(MOST)


def holder_and_mark(
    circle_id: UUID, phone_id: UUID, session_id: UUID, used_at: datetime | None
) -> tuple[Holder, Mark | None]:
    """Find a phone, as `holder` does, and with it the mark of a session, if there is one."""
    phone, mark = queries.live.holder_and_mark(circle_id, phone_id, session_id) or (None, None)
    return admitted(phone, used_at), mark


def session_mark(circle_id: UUID, session_id: UUID) -> Mark:
    """Read the versions of a session and of its circle's journal; raise NotFoundError."""
    return existing(queries.live.mark(circle_id, session_id))


def cached_state(
    circle_id: UUID, session_id: UUID, mark: Mark | None = None
) -> tuple[Mark, SessionState]:
    """Load the state of a session as `load_state` does, once for each ``mark``."""
    key, mark = (circle_id, session_id), mark or session_mark(circle_id, session_id)
    return mark, _states.get((circle_id, mark), lambda: load_state(*key, mark.journal))


def cache_after(mark: Mark, recorded: RecordedDeal) -> None:
    """Cache the state of a session after a deal; ``mark`` is the one before it."""
    if recorded.after is not None:
        row = recorded.after.row
        changed = {name: getattr(row, name) for name in ("version", "written", "ended_at", "chain")}
        _states.put((row.circle_id, mark._replace(**changed)), recorded.after)


def cached_sheet(
    circle_id: UUID, session_id: UUID, before: int | None = None, mark: Mark | None = None
) -> CachedSheet:
    """Open a session's page as `score_sheet` does, once for each ``mark``."""
    mark, state = cached_state(circle_id, session_id, mark)

    def read() -> CachedSheet:
        return CachedSheet(mark, score_sheet(state, before), letters(state.row, mark.journal))

    return _sheets.get((circle_id, mark, before), read)
