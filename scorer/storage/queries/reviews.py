"""Questions about what people say of deals: disputes, and what was confirmed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import and_, func, select

from scorer.storage.models import Deal, DealVersion, Phone, Review
from scorer.storage.queries.parameters import CIRCLE, DEAL, DEALS, SESSION
from scorer.storage.queries.rows import rows, same


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """What somebody said of a version of a deal, when, why and on which phone."""

    kind: str
    version: int
    phone_id: UUID | None
    phone: str | None
    written_by: str | None
    reason: str | None
    at: datetime
    proposal: dict[str, Any] | None


class SaidRow(NamedTuple):
    """That something was said of a version of a deal."""

    deal_id: UUID
    version: int
    kind: str


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """The newest dispute of a deal that is disputed."""

    number: int
    written_by: str | None
    phone: str | None
    reason: str | None
    proposal: dict[str, Any] | None


_ON_PHONE = same(Phone, Review, "phone_id")
_OF_DEAL = same(Deal, Review, "deal_id")
_REVIEWS = (
    select(
        Review.kind,
        Review.version,
        Review.phone_id,
        Phone.name,
        Review.written_by,
        Review.reason,
        Review.at,
        Review.proposal,
    )
    .outerjoin(Phone, _ON_PHONE)
    .where(Review.circle_id == CIRCLE, Review.deal_id == DEAL)
    .order_by(Review.serial)
)


def reviews(circle_id: UUID, deal_id: UUID) -> list[ReviewRow]:
    """List what was said of a deal, oldest first."""
    found = rows(_REVIEWS, circle_id=circle_id, deal_id=deal_id)
    return [ReviewRow(*row) for row in found]


_SAID_OF = select(Review.deal_id, Review.version, Review.kind).where(
    Review.circle_id == CIRCLE, Review.deal_id.in_(DEALS)
)


def said_of(circle_id: UUID, deal_ids: Collection[UUID]) -> list[SaidRow]:
    """List what was said of these deals, in no order."""
    found = rows(_SAID_OF, circle_id=circle_id, deal_ids=list(deal_ids))
    return [SaidRow(*row) for row in found]


_IN_SESSION = (Deal.circle_id == CIRCLE, Deal.session_id == SESSION)
_NEWEST = select(func.max(Deal.number)).where(*_IN_SESSION).scalar_subquery()
_LAST_RECORDED = (
    select(DealVersion.serial)
    .join(Deal, same(Deal, DealVersion, "deal_id"))
    .where(*_IN_SESSION, Deal.number == _NEWEST, DealVersion.version == 1)
)


def last_recorded(circle_id: UUID, session_id: UUID) -> int:
    """Say when the newest deal of a session was recorded, among all that was written in it."""
    found = rows(_LAST_RECORDED, circle_id=circle_id, session_id=session_id)
    return found.scalar_one_or_none() or 0


_LATEST = (
    select(func.max(Review.serial))
    .where(_OF_DEAL, Review.kind == "dispute")
    .correlate(Deal)
    .scalar_subquery()
)
_DISPUTES = (
    select(Deal.number, Review.written_by, Phone.name, Review.reason, Review.proposal)
    .join(Review, and_(_OF_DEAL, Review.serial == _LATEST))
    .outerjoin(Phone, _ON_PHONE)
    .where(*_IN_SESSION, Deal.disputed.is_(True))
    .order_by(Deal.number)
)


def disputes(circle_id: UUID, session_id: UUID) -> list[DisputeRow]:
    """List the deals of a session that are disputed, each with its newest dispute."""
    found = rows(_DISPUTES, circle_id=circle_id, session_id=session_id)
    return [DisputeRow(*row) for row in found]
