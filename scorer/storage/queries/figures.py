"""The seasons that a circle named."""

from uuid import UUID

from sqlalchemy import bindparam, delete, select
from sqlalchemy.types import Uuid

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


_ONE = (Season.circle_id == CIRCLE, Season.season_id == bindparam("season_id", type_=Uuid()))
_SEASON, _DROP = select(Season).where(*_ONE), delete(Season).where(*_ONE)


def season(circle_id: UUID, season_id: UUID) -> Season | None:
    """Find a season of the circle."""
    params = {"circle_id": circle_id, "season_id": season_id}
    return db.session.scalar(_SEASON, params)


def drop_season(circle_id: UUID, season_id: UUID) -> None:
    """Delete a season of the circle."""
    params = {"circle_id": circle_id, "season_id": season_id}
    db.session.execute(_DROP, params)
