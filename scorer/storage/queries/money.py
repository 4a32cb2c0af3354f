"""The money of a circle: accounts, and what was posted."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import Select, and_, func, or_, select

from scorer.storage.database import db
from scorer.storage.models import CardSession, LedgerEntry, Player, Posting
from scorer.storage.queries import base
from scorer.storage.queries.base import AnySelect, columns, same, total, with_phone
from scorer.storage.queries.circle import SessionName

_OF_ENTRY = same(LedgerEntry, Posting, "entry_id")
_ACCOUNTS = (
    select(Posting.player_id, total(Posting.cents))
    .join(LedgerEntry, _OF_ENTRY)
    .where(LedgerEntry.voided_at.is_(None))
    .group_by(Posting.player_id)
)


@base.mapping
def accounts(circle_id: UUID) -> Select[UUID, int]:
    """Return the accounts of all players who have postings, in cents."""
    return _ACCOUNTS.where(Posting.circle_id == circle_id)


@base.mapping
def posted(circle_id: UUID, session_ids: Collection[UUID]) -> Select[UUID, int]:
    """Return the sum that was posted for some sessions, by player."""
    of_sessions = LedgerEntry.session_id.in_(session_ids)
    return _ACCOUNTS.where(Posting.circle_id == circle_id, of_sessions)


@base.entity
def last_posted(circle_id: UUID, session_id: UUID) -> Select[LedgerEntry]:
    of_session = select(LedgerEntry).filter_by(circle_id=circle_id, session_id=session_id)
    newest_first = (LedgerEntry.at.desc(), LedgerEntry.kind, LedgerEntry.entry_id)
    return of_session.order_by(*newest_first).limit(1)


_ENTRIES = with_phone(LedgerEntry)


@base.entities
def ledger_entries(circle_id: UUID) -> Select[LedgerEntry]:
    """List the entries that are not voided, oldest first."""
    counting = _ENTRIES.where(LedgerEntry.circle_id == circle_id, LedgerEntry.voided_at.is_(None))
    return counting.order_by(LedgerEntry.at, LedgerEntry.entry_id)


class FeePosting(NamedTuple):
    """A posting of an entry about the fees of a tournament, and on whose account it is."""

    entry_id: UUID
    kind: str
    voided_at: datetime | None
    player_id: UUID
    name: str
    cents: int


@base.each(FeePosting)
def fee_postings(circle_id: UUID, tournament_id: UUID) -> AnySelect:
    """List the postings of the fees of a tournament, also of voided entries, the oldest first."""
    return (
        select(*columns(FeePosting, Posting, LedgerEntry, Player))
        .join(LedgerEntry, _OF_ENTRY)
        .join(Player, same(Player, Posting, "player_id"))
        .where(Posting.circle_id == circle_id, LedgerEntry.tournament_id == tournament_id)
        .order_by(LedgerEntry.at, LedgerEntry.entry_id, Posting.line)
    )


def find_entries(
    circle_id: UUID,
    *,
    player: UUID | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int,
    skip: int = 0,
    after: LedgerEntry | None = None,
) -> list[LedgerEntry]:
    """List a page of entries, newest first: of a player, of a span of time, after an entry."""
    statement = _ENTRIES.where(LedgerEntry.circle_id == circle_id)
    if player is not None:
        moved = select(Posting.line).where(_OF_ENTRY, Posting.player_id == player)
        statement = statement.where(moved.correlate(LedgerEntry).exists())
    if since is not None:
        statement = statement.where(LedgerEntry.at >= since)
    if until is not None:
        statement = statement.where(LedgerEntry.at < until)
    if after is not None:
        same_moment = and_(LedgerEntry.at == after.at, LedgerEntry.entry_id > after.entry_id)
        statement = statement.where(or_(LedgerEntry.at < after.at, same_moment))
    newest_first = statement.order_by(LedgerEntry.at.desc(), LedgerEntry.entry_id)
    return list(db.session.scalars(newest_first.limit(limit).offset(skip)))


@base.groups(lambda *posting: posting)
def postings(circle_id: UUID, entry_ids: Collection[UUID]) -> AnySelect:
    """Return the postings of some entries in order, each the player and the cents."""
    of_entries = Posting.circle_id == circle_id, Posting.entry_id.in_(entry_ids)
    lines = select(Posting.entry_id, Posting.player_id, Posting.cents).where(*of_entries)
    return lines.order_by(Posting.entry_id, Posting.line)


@base.each(SessionName)
def unposted_sessions(circle_id: UUID, *, limit: int) -> AnySelect:
    """List sessions with a stake that have ended and have no entry, newest first."""
    entry = select(LedgerEntry.entry_id).where(same(LedgerEntry, CardSession, "session_id"))
    return (
        select(*columns(SessionName, CardSession))
        .where(
            CardSession.circle_id == circle_id,
            or_(CardSession.ended_at.is_not(None), CardSession.finished_number.is_not(None)),
            CardSession.stake_cents.is_not(None),
            CardSession.next_number > 1,
            ~entry.correlate(CardSession).exists(),
        )
        .order_by(CardSession.started_at.desc(), CardSession.session_id)
        .limit(limit)
    )


@base.column
def unbalanced_entries(circle_id: UUID) -> Select[UUID]:
    """List the entries whose postings don't sum to zero; a sound ledger has none."""
    by_entry = select(Posting.entry_id).where(Posting.circle_id == circle_id)
    return by_entry.group_by(Posting.entry_id).having(func.sum(Posting.cents) != 0)
