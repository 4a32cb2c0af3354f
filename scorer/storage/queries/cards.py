"""Questions about the cards of deals, as people wrote them down."""

from typing import Any
from uuid import UUID

from sqlalchemy import Select, and_, func, select

from scorer.storage.models import Play
from scorer.storage.queries import base
from scorer.storage.queries.base import AnySelect


@base.entity
def tricks(circle_id: UUID, deal_id: UUID) -> Select[Play]:
    """Find the newest version of the cards of a deal."""
    return (
        base.with_phone(Play)
        .where(Play.circle_id == circle_id, Play.deal_id == deal_id)
        .order_by(Play.version.desc())
        .limit(1)
    )


def _with_note(cards: dict[str, Any], reason: str | None) -> dict[str, Any]:
    return cards | ({} if reason is None else {"note": reason})


@base.then(lambda rows: {deal_id: _with_note(*written) for deal_id, *written in rows})
@base.result
def session_plays(circle_id: UUID, session_id: UUID) -> AnySelect:
    """Return the newest version of the cards of each deal of a session, with its note."""
    newest = (
        select(Play.deal_id, func.max(Play.version).label("version"))
        .where(Play.circle_id == circle_id, Play.session_id == session_id)
        .group_by(Play.deal_id)
        .subquery()
    )
    of_newest = and_(Play.deal_id == newest.c.deal_id, Play.version == newest.c.version)
    selected = select(Play.deal_id, Play.cards, Play.reason).join(newest, of_newest)
    return selected.where(Play.circle_id == circle_id)
