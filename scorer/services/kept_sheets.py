"""The score sheets of sessions, read once for each version and for all who look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorer.errors import NotFoundError
from scorer.services.deal_report import deal_question, put_question
from scorer.services.keeping import Kept
from scorer.services.reviews import review_count
from scorer.services.score_sheet import last_deal, score_sheet
from scorer.storage import queries

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.circles import Holder
    from scorer.services.deal_report import DealQuestion
    from scorer.services.score_sheet import ScoreSheet
    from scorer.storage.queries import DealRow, Mark

#: Sheets that a process keeps; one has 20 deals.
MOST = 32


class KeptSheet(NamedTuple):
    """A score sheet as it is at a mark: whatever is written in the session or circle moves that."""

    mark: Mark
    sheet: ScoreSheet
    last: DealRow | None
    asked: DealQuestion | None

    def question(self, by: Holder) -> DealQuestion | None:
        """Ask somebody whether the last deal is right, while nobody has confirmed it."""
        if self.last is None:
            return None
        return put_question(self.asked, self.sheet.state, self.last, by, waits=True)


_kept: Kept[KeptSheet] = Kept(MOST)


def kept_sheet(circle_id: UUID, session_id: UUID, before: int | None = None) -> KeptSheet:
    """Open a session's page as `score_sheet` does, which is asked only where it has changed."""
    marks = queries.marks(circle_id, [session_id])
    if not marks:
        raise NotFoundError(session_id)

    def read() -> KeptSheet:
        sheet = score_sheet(circle_id, session_id, before)
        waits = before is None and bool(sheet.rows) and sheet.rows[0].unconfirmed
        last = last_deal(sheet.state) if waits else None
        seen = review_count(circle_id, last.deal_id) if last else 0
        asked = deal_question(sheet.state, last, seen=seen) if last else None
        return KeptSheet(marks[0], sheet, last, asked)

    return _kept.get((circle_id, marks[0], before), read)
