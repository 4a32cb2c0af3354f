"""Questions about the cards of deals, as people wrote them down."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_, func, select

from scorer.storage.models import Phone, TrickRecord
from scorer.storage.queries.base import CIRCLE, DEAL, SESSION, rows, same


@dataclass(frozen=True, slots=True)
class TrickRow:
    """The newest version of what was written down of a deal's cards, and who wrote it."""

    version: int
    record: dict[str, Any]
    note: str | None
    phone_id: UUID | None
    phone: str | None
    written_by: str | None
    at: datetime


_OF_DEAL = (
    select(
        TrickRecord.version,
        TrickRecord.record,
        TrickRecord.note,
        TrickRecord.phone_id,
        Phone.name,
        TrickRecord.written_by,
        TrickRecord.at,
    )
    .outerjoin(Phone, same(Phone, TrickRecord, "phone_id"))
    .where(TrickRecord.circle_id == CIRCLE, TrickRecord.deal_id == DEAL)
    .order_by(TrickRecord.version.desc())
    .limit(1)
)


def tricks(circle_id: UUID, deal_id: UUID) -> TrickRow | None:
    """Find what was written down last of the cards of a deal."""
    found = rows(_OF_DEAL, circle_id=circle_id, deal_id=deal_id).one_or_none()
    return None if found is None else TrickRow(*found)


_NEWEST = (
    select(TrickRecord.deal_id, func.max(TrickRecord.version).label("version"))
    .where(TrickRecord.circle_id == CIRCLE, TrickRecord.session_id == SESSION)
    .group_by(TrickRecord.deal_id)
    .subquery()
)
_OF_SESSION = (
    select(TrickRecord.deal_id, TrickRecord.record, TrickRecord.note)
    .join(
        _NEWEST,
        and_(TrickRecord.deal_id == _NEWEST.c.deal_id, TrickRecord.version == _NEWEST.c.version),
    )
    .where(TrickRecord.circle_id == CIRCLE)
)


def session_tricks(circle_id: UUID, session_id: UUID) -> dict[UUID, dict[str, Any]]:
    """Give what was written down last of the cards of each deal of a session, with its note."""
    found = rows(_OF_SESSION, circle_id=circle_id, session_id=session_id)
    return {
        row.deal_id: row.record | ({} if row.note is None else {"note": row.note}) for row in found
    }
