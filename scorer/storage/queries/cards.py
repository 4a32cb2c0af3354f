"""Questions about the cards of deals, as people wrote them down."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_, func, select

from scorer.storage.models import Play
from scorer.storage.queries.base import CIRCLE, DEAL, SESSION, rows, with_phone


@dataclass(frozen=True, slots=True)
class PlayRow:
    """The newest version of what was written down of a deal's cards, and who wrote it."""

    version: int
    cards: dict[str, Any]
    reason: str | None
    phone_id: UUID | None
    phone: str | None
    written_by: str | None
    at: datetime


_OF_DEAL = (
    with_phone(PlayRow, Play)
    .where(Play.circle_id == CIRCLE, Play.deal_id == DEAL)
    .order_by(Play.version.desc())
    .limit(1)
)


def tricks(circle_id: UUID, deal_id: UUID) -> PlayRow | None:
    """Find what was written down last of the cards of a deal."""
    result = rows(_OF_DEAL, circle_id=circle_id, deal_id=deal_id).one_or_none()
    return None if result is None else PlayRow(*result)


_NEWEST = (
    select(Play.deal_id, func.max(Play.version).label("version"))
    .where(Play.circle_id == CIRCLE, Play.session_id == SESSION)
    .group_by(Play.deal_id)
    .subquery()
)
_OF_SESSION = (
    select(Play.deal_id, Play.cards, Play.reason)
    .join(
        _NEWEST,
        and_(Play.deal_id == _NEWEST.c.deal_id, Play.version == _NEWEST.c.version),
    )
    .where(Play.circle_id == CIRCLE)
)


def session_plays(circle_id: UUID, session_id: UUID) -> dict[UUID, dict[str, Any]]:
    """Return what was written down last of the cards of each deal of a session, with its note."""
    result = rows(_OF_SESSION, circle_id=circle_id, session_id=session_id)
    return {
        row.deal_id: row.cards | ({} if row.reason is None else {"note": row.reason})
        for row in result
    }
