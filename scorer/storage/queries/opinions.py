"""Questions about what people say of deals: disputes, and what was confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import and_, func, select

from scorer.storage.models import Deal, DealVersion, Opinion, Phone
from scorer.storage.queries.parameters import CIRCLE, DEAL, DEALS, SESSION
from scorer.storage.queries.rows import rows

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True, slots=True)
class OpinionRow:
    """What somebody said of a version of a deal, when, why and on which phone."""

    serial: int
    kind: str
    version: int
    phone_id: UUID | None
    phone: str | None
    written_by: str | None
    reason: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """The newest dispute of a deal that is disputed."""

    number: int
    written_by: str | None
    phone: str | None
    reason: str | None


_ON_PHONE = and_(Phone.circle_id == Opinion.circle_id, Phone.phone_id == Opinion.phone_id)
_OF_DEAL = and_(Deal.circle_id == Opinion.circle_id, Deal.deal_id == Opinion.deal_id)
_OPINIONS = (
    select(
        Opinion.serial,
        Opinion.kind,
        Opinion.version,
        Opinion.phone_id,
        Phone.name,
        Opinion.written_by,
        Opinion.reason,
        Opinion.at,
    )
    .outerjoin(Phone, _ON_PHONE)
    .where(Opinion.circle_id == CIRCLE, Opinion.deal_id == DEAL)
    .order_by(Opinion.serial)
)


def opinions(circle_id: UUID, deal_id: UUID) -> list[OpinionRow]:
    """List what was said of a deal, oldest first."""
    found = rows(_OPINIONS, {"circle_id": circle_id, "deal_id": deal_id})
    return [OpinionRow(*row) for row in found]


_CONFIRMED = select(Opinion.deal_id, Opinion.version).where(
    Opinion.circle_id == CIRCLE, Opinion.deal_id.in_(DEALS), Opinion.kind == "confirm"
)


def confirmed(circle_id: UUID, deal_ids: Collection[UUID]) -> set[tuple[UUID, int]]:
    """Say which versions of these deals somebody confirmed: a deal's key, and the version."""
    found = rows(_CONFIRMED, {"circle_id": circle_id, "deal_ids": list(deal_ids)})
    return set(found.tuples())


_IN_SESSION = (Deal.circle_id == CIRCLE, Deal.session_id == SESSION)
_NEWEST = select(func.max(Deal.number)).where(*_IN_SESSION).scalar_subquery()
_LAST_RECORDED = (
    select(DealVersion.serial)
    .join(Deal, and_(Deal.circle_id == DealVersion.circle_id, Deal.deal_id == DealVersion.deal_id))
    .where(*_IN_SESSION, Deal.number == _NEWEST, DealVersion.version == 1)
)


def last_recorded(circle_id: UUID, session_id: UUID) -> int:
    """Say when the newest deal of a session was recorded, among all that was written in it."""
    found = rows(_LAST_RECORDED, {"circle_id": circle_id, "session_id": session_id})
    return found.scalar_one_or_none() or 0


_LATEST = (
    select(func.max(Opinion.serial))
    .where(_OF_DEAL, Opinion.kind == "dispute")
    .correlate(Deal)
    .scalar_subquery()
)
_DISPUTES = (
    select(Deal.number, Opinion.written_by, Phone.name, Opinion.reason)
    .join(Opinion, and_(_OF_DEAL, Opinion.serial == _LATEST))
    .outerjoin(Phone, _ON_PHONE)
    .where(*_IN_SESSION, Deal.disputed.is_(True))
    .order_by(Deal.number)
)


def disputes(circle_id: UUID, session_id: UUID) -> list[DisputeRow]:
    """List the deals of a session that are disputed, each with its newest dispute."""
    found = rows(_DISPUTES, {"circle_id": circle_id, "session_id": session_id})
    return [DisputeRow(*row) for row in found]
