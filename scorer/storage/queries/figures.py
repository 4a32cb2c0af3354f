"""The seasons that a circle named."""

from uuid import UUID

from sqlalchemy import select

from scorer.storage.database import db
from scorer.storage.models import Season
from scorer.storage.queries.base import CIRCLE

_SEASONS = (
    select(Season)
    .where(Season.circle_id == CIRCLE)
    .order_by(Season.first_day.desc(), Season.last_day.desc(), Season.season_id)
)


def seasons(circle_id: UUID) -> list[Season]:
    """List the seasons that the circle named, the one that began last first."""
    return list(db.session.scalars(_SEASONS, {"circle_id": circle_id}))
