"""The seasons that a circle named."""

from uuid import UUID

from sqlalchemy import Select, select

from scorer.storage.models import Season
from scorer.storage.queries import base


@base.entities
def seasons(circle_id: UUID) -> Select[tuple[Season]]:
    last_first = (Season.first_day.desc(), Season.last_day.desc(), Season.season_id)
    return select(Season).where(Season.circle_id == circle_id).order_by(*last_first)
