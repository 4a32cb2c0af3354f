"""Queries of club evenings: who takes part, the turns, and which session a table is."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, func, select, update
from sqlalchemy.orm import aliased

from scorer.storage.database import db
from scorer.storage.models import (
    CardSession,
    Circle,
    LinkSecret,
    Phone,
    Player,
    Seat,
    TablePhone,
    TournamentEntry,
    TournamentPlayer,
    TournamentRow,
    TournamentTable,
    TournamentTurn,
)
from scorer.storage.queries import base
from scorer.storage.queries.base import MARK, AnySelect, Mark, columns, same

_NEWEST_FIRST = (TournamentRow.started_at.desc(), TournamentRow.tournament_id)


@base.entities
def tournaments(circle_id: UUID) -> Select[TournamentRow]:
    """List the tournaments of a circle, newest first."""
    return select(TournamentRow).filter_by(circle_id=circle_id).order_by(*_NEWEST_FIRST)


@base.entities
def open_tournaments(circle_id: UUID, limit: int) -> Select[TournamentRow]:
    """List the newest tournaments that have not ended."""
    of_circle = select(TournamentRow).filter_by(circle_id=circle_id, ended_at=None)
    return of_circle.order_by(*_NEWEST_FIRST).limit(limit)


class EndedTournament(NamedTuple):
    """A tournament that has ended, with the moment at which its first turn was published."""

    tournament_id: UUID
    name: str
    game: str
    version: int
    published_at: datetime


@base.each(EndedTournament)
def ended_tournaments(circle_id: UUID) -> AnySelect:
    """List the tournaments that have ended and of which a turn was played, oldest first."""
    first = TournamentTurn.turn == 1, TournamentTurn.published_at.is_not(None)
    ended = TournamentRow.circle_id == circle_id, TournamentRow.ended_at.is_not(None)
    return (
        select(*columns(EndedTournament, TournamentRow, TournamentTurn))
        .join(TournamentTurn, same(TournamentTurn, TournamentRow, "tournament_id"))
        .where(*ended, *first)
        .order_by(TournamentTurn.published_at, TournamentRow.tournament_id)
    )


def tournament_for_update(circle_id: UUID, tournament_id: UUID) -> TournamentRow | None:
    """Find a tournament, locked until the transaction ends."""
    of_key = select(TournamentRow).filter_by(circle_id=circle_id, tournament_id=tournament_id)
    locked = {"populate_existing": True}
    return db.session.scalar(of_key.with_for_update(), execution_options=locked)


@base.entities
def entries(circle_id: UUID, tournament_id: UUID) -> Select[TournamentEntry]:
    """List the entries of a tournament in the order in which they came."""
    of_key = select(TournamentEntry).filter_by(circle_id=circle_id, tournament_id=tournament_id)
    return of_key.order_by(TournamentEntry.entry)


class TournamentName(NamedTuple):
    """The tournament that a session is a table of."""

    session_id: UUID
    tournament_id: UUID
    name: str
    ended_at: datetime | None


@base.then(lambda names: {name.session_id: name for name in names})
@base.each(TournamentName)
def tournaments_of(circle_id: UUID, session_ids: Collection[UUID]) -> AnySelect:
    """Return by session the tournament that it is a table of."""
    return (
        select(*columns(TournamentName, TournamentTable, TournamentRow))
        .join(TournamentRow, same(TournamentRow, TournamentTable, "tournament_id"))
        .where(TournamentTable.circle_id == circle_id, TournamentTable.session_id.in_(session_ids))
    )


class EnteredPlayer(NamedTuple):
    """A player of an entry, which is in from a turn on until before another one."""

    entry: int
    player_id: UUID
    name: str
    first: int
    withdrawn: int | None


@base.each(EnteredPlayer)
def entered_players(circle_id: UUID, tournament_id: UUID) -> AnySelect:
    """List the players of all entries of a tournament, partners in their order."""
    return (
        select(*columns(EnteredPlayer, TournamentPlayer, Player, TournamentEntry))
        .join(Player, same(Player, TournamentPlayer, "player_id"))
        .join(TournamentEntry, same(TournamentEntry, TournamentPlayer, "tournament_id", "entry"))
        .where(
            TournamentPlayer.circle_id == circle_id,
            TournamentPlayer.tournament_id == tournament_id,
        )
        .order_by(TournamentPlayer.entry, TournamentPlayer.place)
    )


@base.entities
def partners(circle_id: UUID, tournament_id: UUID, entry: int) -> Select[TournamentPlayer]:
    """List the rows of the players of one entry."""
    of_entry = {"circle_id": circle_id, "tournament_id": tournament_id, "entry": entry}
    return select(TournamentPlayer).filter_by(**of_entry).order_by(TournamentPlayer.place)


@base.entities
def turns(circle_id: UUID, tournament_id: UUID) -> Select[TournamentTurn]:
    of_key = select(TournamentTurn).filter_by(circle_id=circle_id, tournament_id=tournament_id)
    return of_key.order_by(TournamentTurn.turn)


class PublishedTable(NamedTuple):
    """A table of a turn, what a director wrote of it, and how far its session is."""

    turn: int
    number: int
    scores: list[int] | None
    forfeit: int | None
    mark: Mark

    @property
    def session_id(self) -> UUID:
        return self.mark.session_id


def _published(turn: int, number: int, scores: Any, forfeit: Any, *mark: Any) -> PublishedTable:
    return PublishedTable(turn, number, scores, forfeit, Mark(*mark))


@base.each(_published)
def tables(circle_id: UUID, tournament_id: UUID) -> AnySelect:
    """List the tables of all published turns in their order."""
    table = TournamentTable
    return (
        select(table.turn, table.number, table.scores, table.forfeit, *MARK)
        .join(CardSession, same(CardSession, TournamentTable, "session_id"))
        .join(Circle, Circle.circle_id == TournamentTable.circle_id)
        .where(
            TournamentTable.circle_id == circle_id, TournamentTable.tournament_id == tournament_id
        )
        .order_by(TournamentTable.turn, TournamentTable.number)
    )


@base.column
def shared_tournaments(circle_id: UUID, player_id: UUID, other_id: UUID) -> Select[str]:
    """Name the tournaments in which two players both take part."""
    of_player = TournamentPlayer.circle_id == circle_id, TournamentPlayer.player_id == player_id
    others = select(TournamentPlayer.tournament_id).where(
        TournamentPlayer.circle_id == circle_id, TournamentPlayer.player_id == other_id
    )
    return (
        select(TournamentRow.name)
        .join(TournamentPlayer, same(TournamentPlayer, TournamentRow, "tournament_id"))
        .where(*of_player, TournamentRow.tournament_id.in_(others))
        .order_by(TournamentRow.name)
    )


def is_played() -> ColumnElement[bool]:
    """Return the condition that a table is one of the turn that is played now."""
    later = aliased(TournamentTable)
    of_later = select(later.turn).where(
        same(later, TournamentTable, "tournament_id"), later.turn > TournamentTable.turn
    )
    goes_on = select(TournamentRow.name).where(
        same(TournamentRow, TournamentTable, "tournament_id"), TournamentRow.ended_at.is_(None)
    )
    return and_(
        goes_on.correlate(TournamentTable).exists(), ~of_later.correlate(TournamentTable).exists()
    )


def table_of_phone() -> ScalarSelect[UUID]:
    """Select the session at which a phone, one of the statement around it, writes by a slip.

    One that was sent away since it sat down doesn't.
    """
    return (
        select(TablePhone.session_id)
        .join(TournamentTable, same(TournamentTable, TablePhone, "session_id"))
        .where(
            same(TablePhone, Phone, "phone_id"),
            TablePhone.at >= func.coalesce(Phone.revoked_at, TablePhone.at),
            is_played(),
        )
        .correlate(Phone)
        .scalar_subquery()
    )


@base.entity
def table_by_secret(secret_hash: str) -> Select[TournamentTable]:
    """Find the table that a slip is of, while its turn is played."""
    of_circle = LinkSecret.circle_id == TournamentTable.circle_id
    opens = and_(of_circle, LinkSecret.link_id == TournamentTable.session_id)
    of_slip = select(TournamentTable).join(LinkSecret, opens)
    return of_slip.where(LinkSecret.secret_hash == secret_hash, is_played())


@base.column
def tables_of_player(circle_id: UUID, player_id: UUID) -> Select[UUID]:
    """List the sessions that are tables of turns under way at which a player sits."""
    seated = same(Seat, TournamentTable, "session_id")
    of_player = TournamentTable.circle_id == circle_id, Seat.player_id == player_id
    tables = select(TournamentTable.session_id).join(Seat, seated).where(*of_player, is_played())
    return tables.order_by(TournamentTable.session_id)


def note_next_turn(circle_id: UUID, session_ids: Collection[UUID]) -> None:
    """Let the pages of sessions that are over show where their players go next."""
    of_turn = CardSession.circle_id == circle_id, CardSession.session_id.in_(session_ids)
    written = update(CardSession).where(*of_turn).values(version=CardSession.version + 1)
    db.session.execute(written, execution_options={"synchronize_session": False})
