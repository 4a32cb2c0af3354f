"""Questions about the players of a circle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Subquery, bindparam, delete, func, select, update
from sqlalchemy.types import Uuid

from scorer.storage.database import db
from scorer.storage.models import CardSession, Phone, Player, Posting, Seat
from scorer.storage.queries.parameters import CIRCLE, PLAYER
from scorer.storage.queries.rows import rows, same

OTHER = bindparam("other_id", type_=Uuid())


@dataclass(frozen=True, slots=True)
class SessionName:
    """A session by its name: what it is called, and when it began."""

    session_id: UUID
    title: str
    started_at: datetime


_PLAYER = select(Player).where(Player.circle_id == CIRCLE, Player.player_id == PLAYER)


def player(circle_id: UUID, player_id: UUID) -> Player | None:
    """Find one player of the circle."""
    return db.session.scalar(_PLAYER, {"circle_id": circle_id, "player_id": player_id})


_PLAYERS = select(Player).where(Player.circle_id == CIRCLE)


def players(circle_id: UUID) -> list[Player]:
    """List the players of the circle by name, the retired ones too."""
    found = db.session.scalars(_PLAYERS, {"circle_id": circle_id})
    return sorted(found, key=lambda one: (one.name.casefold(), one.name))


_CAME = func.sum(Player.gone + 1).over(
    partition_by=Player.circle_id, order_by=(Player.created_at, Player.player_id), rows=(None, 0)
)
#: Who came before, those among them who are merged with others now too.
_PLACE = _CAME - Player.gone - 1


def in_order(circles: ColumnElement[bool]) -> Subquery:
    """Select the players of these circles with their place: how many were there before them."""
    columns = (
        Player.circle_id,
        Player.player_id,
        Player.name,
        _PLACE.label("place"),
        Player.nickname,
    )
    return select(*columns).where(circles).subquery()


_SITS_IN = same(CardSession, Seat, "session_id")
_LAST_USED = (
    select(Seat.player_id, func.max(CardSession.started_at))
    .join(CardSession, _SITS_IN)
    .where(Seat.circle_id == CIRCLE)
    .group_by(Seat.player_id)
)


def last_used(circle_id: UUID) -> dict[UUID, datetime]:
    """Say when the newest session began in which each player has a seat."""
    return dict(rows(_LAST_USED, circle_id=circle_id).tuples().all())


def players_last_used_first(circle_id: UUID) -> list[Player]:
    """List the players of the circle, those of the newest session first, the retired ones too."""
    newest = last_used(circle_id)
    never = [one for one in players(circle_id) if one.player_id not in newest]
    used = [one for one in players(circle_id) if one.player_id in newest]
    return sorted(used, key=lambda one: newest[one.player_id], reverse=True) + never


def seated(player_id: ColumnElement[UUID] | UUID) -> ColumnElement[bool]:
    """Make the condition that somebody has a seat in the session of the row."""
    seated = select(Seat.seat).where(_SITS_IN, Seat.player_id == player_id)
    return seated.correlate(CardSession).exists()


_SHARED = (
    select(CardSession.session_id, CardSession.title, CardSession.started_at)
    .where(CardSession.circle_id == CIRCLE, seated(PLAYER), seated(OTHER))
    .order_by(CardSession.started_at.desc(), CardSession.session_id)
)


def shared_sessions(circle_id: UUID, player_id: UUID, other_id: UUID) -> list[SessionName]:
    """List the sessions in which both players have a seat, newest first."""
    return [
        SessionName(*row)
        for row in rows(_SHARED, circle_id=circle_id, player_id=player_id, other_id=other_id)
    ]


def hand_over(circle_id: UUID, player_id: UUID, other_id: UUID) -> None:
    """Give all that is a player's to another one, and delete the player."""
    for table in (Seat, Phone, Posting):
        of_player = (table.circle_id == circle_id, table.player_id == player_id)
        db.session.execute(update(table).where(*of_player).values(player_id=other_id))
    db.session.execute(
        delete(Player).where(Player.circle_id == circle_id, Player.player_id == player_id)
    )


_NAMED = (
    select(one.player_id).where(one.circle_id == CIRCLE, one.player_id == Player.player_id)
    for one in (Seat, Phone, Posting)
)
_UNUSED = select(Player).where(
    Player.circle_id == CIRCLE,
    Player.player_id.in_(bindparam("player_ids", expanding=True)),
    Player.gone == 0,
    *(~named.exists() for named in _NAMED),
)


def unused_players(circle_id: UUID, player_ids: Iterable[UUID]) -> list[Player]:
    """List those of these players whom no seat, phone or entry of the ledger names."""
    asked = {"circle_id": circle_id, "player_ids": list(player_ids)}
    return list(db.session.scalars(_UNUSED, asked))


_TABLE = Player.metadata.tables[Player.__tablename__]
_DROP = delete(_TABLE).where(_TABLE.c.circle_id == CIRCLE, _TABLE.c.player_id == PLAYER)


def drop_player(circle_id: UUID, player_id: UUID) -> None:
    """Delete a player whom nothing names."""
    db.session.execute(_DROP, {"circle_id": circle_id, "player_id": player_id})
