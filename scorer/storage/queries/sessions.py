"""Questions about card sessions: which there are, who sits where, how they stand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import and_
from sqlalchemy import func
from sqlalchemy import select
from sqlalchemy import tuple_

from scorer.rules.game import Outcome
from scorer.storage.database import db
from scorer.storage.models import CardSession
from scorer.storage.models import Deal
from scorer.storage.models import Player
from scorer.storage.models import Seat
from scorer.storage.models import StartedDeal
from scorer.storage.queries.balances import balance

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement
    from sqlalchemy import Select

    Key = tuple[UUID, UUID]
    Listed = tuple[UUID, UUID, str, str, datetime, datetime | None]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat, who sits on it and the balance brought in."""

    seat: int
    player_id: UUID
    name: str
    opening: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat of a listed session, who sits on it and the balance as it stands."""

    seat: int
    player_id: UUID
    name: str
    balance: int


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A card session in a list: what it is, how many deals were played, how it stands."""

    circle_id: UUID
    session_id: UUID
    game: str
    title: str
    started_at: datetime
    ended_at: datetime | None
    played: int
    standings: tuple[Standing, ...]


def session(circle_id: UUID, session_id: UUID) -> CardSession | None:
    """Find one card session, with its rules."""
    return db.session.get(CardSession, (circle_id, session_id))


def session_for_update(circle_id: UUID, session_id: UUID) -> CardSession | None:
    """Find one card session, locked until the transaction ends: every write to it starts here."""
    return db.session.scalar(
        select(CardSession)
        .where(CardSession.circle_id == circle_id, CardSession.session_id == session_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def session_ids(circle_id: UUID) -> list[UUID]:
    """List every card session of the circle, oldest first."""
    of_circle = select(CardSession.session_id).where(CardSession.circle_id == circle_id)
    order = of_circle.order_by(CardSession.started_at, CardSession.session_id)
    return list(db.session.scalars(order))


def session_count(circle_id: UUID) -> int:
    """Count the card sessions of the circle."""
    counted = select(func.count()).select_from(CardSession)
    return db.session.scalars(counted.where(CardSession.circle_id == circle_id)).one()


def seats(circle_id: UUID, session_id: UUID) -> list[SeatRow]:
    """List the seats of a card session in order of play, with the players' names."""
    found = db.session.execute(
        select(Seat.seat, Seat.player_id, Player.name, Seat.opening)
        .join(Player, _sits())
        .where(Seat.circle_id == circle_id, Seat.session_id == session_id)
        .order_by(Seat.seat)
    )
    return [SeatRow(*row) for row in found]


def started_deal(circle_id: UUID, session_id: UUID) -> StartedDeal | None:
    """Find the deal under way in a card session."""
    return db.session.get(StartedDeal, (circle_id, session_id))


def sessions(circle_id: UUID, *, limit: int, before: UUID | None = None) -> list[SessionRow]:
    """List a page of the circle's card sessions, newest first, after the one called `before`."""
    asked = _listed().where(CardSession.circle_id == circle_id).limit(limit)
    if before is not None:
        asked = asked.where(_older_than(circle_id, before))
    return _with_standings(asked)


def open_sessions(circle_ids: Collection[UUID]) -> list[SessionRow]:
    """List the card sessions of these circles that have not ended, newest first."""
    asked = _listed().where(CardSession.circle_id.in_(circle_ids))
    return _with_standings(asked.where(CardSession.ended_at.is_(None)))


def _sits() -> ColumnElement[bool]:
    """Say how a seat finds its player."""
    return and_(Player.circle_id == Seat.circle_id, Player.player_id == Seat.player_id)


def _listed() -> Select[Listed]:
    """Ask for the columns of a listed session, newest first."""
    return select(
        CardSession.circle_id,
        CardSession.session_id,
        CardSession.game,
        CardSession.title,
        CardSession.started_at,
        CardSession.ended_at,
    ).order_by(CardSession.started_at.desc(), CardSession.session_id.desc())


def _older_than(circle_id: UUID, session_id: UUID) -> ColumnElement[bool]:
    """Limit a list to what comes after one of its sessions."""
    place = tuple_(CardSession.started_at, CardSession.session_id)
    last = select(CardSession.started_at, CardSession.session_id).where(
        CardSession.circle_id == circle_id, CardSession.session_id == session_id
    )
    return place < last.scalar_subquery()


def _with_standings(asked: Select[Listed]) -> list[SessionRow]:
    """Add to listed sessions what was played in them and how they stand."""
    rows = db.session.execute(asked).tuples().all()
    keys = [(row[0], row[1]) for row in rows]
    played = _played(keys)
    standings = _standings(keys)
    return [
        SessionRow(*row, played=played.get(key, 0), standings=tuple(standings[key]))
        for row, key in zip(rows, keys, strict=True)
    ]


def _among(table: type[Deal | Seat], keys: Collection[Key]) -> ColumnElement[bool]:
    """Keep the rows that belong to one of these sessions."""
    return and_(
        table.circle_id.in_({circle_id for circle_id, _ in keys}),
        table.session_id.in_({session_id for _, session_id in keys}),
    )


def _played(keys: Collection[Key]) -> dict[Key, int]:
    """Count the deals played in each of these sessions, the voided ones left out."""
    found = db.session.execute(
        select(Deal.circle_id, Deal.session_id, func.count())
        .where(_among(Deal, keys), Deal.voided.is_(False), Deal.outcome == Outcome.PLAYED)
        .group_by(Deal.circle_id, Deal.session_id)
    )
    return {(circle_id, session_id): count for circle_id, session_id, count in found}


def _standings(keys: Collection[Key]) -> dict[Key, list[Standing]]:
    """Who sits in each of these sessions with which balance, in order of play."""
    found = db.session.execute(
        select(Seat.circle_id, Seat.session_id, Seat.seat, Player.player_id, Player.name, balance())
        .join(Player, _sits())
        .where(_among(Seat, keys))
        .order_by(Seat.seat)
    )
    standings: defaultdict[Key, list[Standing]] = defaultdict(list)
    for circle_id, session_id, *standing in found:
        standings[circle_id, session_id].append(Standing(*standing))
    return standings
