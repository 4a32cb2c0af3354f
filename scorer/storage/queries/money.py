"""The money of a circle: accounts, and what was posted."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Integer, bindparam, func, or_, select

from scorer.storage.database import db
from scorer.storage.models import CardSession, LedgerEntry, Posting
from scorer.storage.queries.base import CIRCLE, LIMIT, SESSION, SESSIONS, rows, same, with_phone
from scorer.storage.queries.circle import SessionName


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry of the ledger, and the phone that it was written on."""

    entry_id: UUID
    kind: str
    session_id: UUID | None
    number: int | None
    way: str
    stake_cents: int
    means: str
    note: str
    phone_id: UUID | None
    phone: str | None
    written_by: str | None
    at: datetime
    confirmed_at: datetime | None
    voided_at: datetime | None


@dataclass(frozen=True, slots=True)
class EntrySearch:
    """The criteria of a search of entries: a player with a posting, and a span of time."""

    player: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


_OF_ENTRY = same(LedgerEntry, Posting, "entry_id")
_ACCOUNTS = (
    select(Posting.player_id, func.sum(Posting.cents))
    .join(LedgerEntry, _OF_ENTRY)
    .where(Posting.circle_id == CIRCLE, LedgerEntry.voided_at.is_(None))
    .group_by(Posting.player_id)
)


def accounts(circle_id: UUID) -> dict[UUID, int]:
    """Return the accounts of all players who have postings, in cents."""
    return {who: int(cents) for who, cents in rows(_ACCOUNTS, circle_id=circle_id)}


_ACCOUNTS_OF_SESSIONS = _ACCOUNTS.where(LedgerEntry.session_id.in_(SESSIONS))


def posted(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return what was posted of some sessions together, by player."""
    params = {"circle_id": circle_id, "session_ids": list(session_ids)}
    return {who: int(cents) for who, cents in rows(_ACCOUNTS_OF_SESSIONS, **params)}


_LAST_OF_SESSION = (
    select(LedgerEntry)
    .where(LedgerEntry.circle_id == CIRCLE, LedgerEntry.session_id == SESSION)
    .order_by(LedgerEntry.at.desc(), LedgerEntry.kind, LedgerEntry.entry_id)
    .limit(1)
)


def last_posted(circle_id: UUID, session_id: UUID) -> LedgerEntry | None:
    params = {"circle_id": circle_id, "session_id": session_id}
    return db.session.scalar(_LAST_OF_SESSION, params)


_ENTRIES = with_phone(EntryRow, LedgerEntry).where(LedgerEntry.circle_id == CIRCLE)
_NEWEST_FIRST = (LedgerEntry.at.desc(), LedgerEntry.entry_id)


def ledger_entries(circle_id: UUID) -> list[EntryRow]:
    """List the entries that are not voided, oldest first."""
    counting = _ENTRIES.where(LedgerEntry.voided_at.is_(None))
    entries = rows(counting.order_by(LedgerEntry.at, LedgerEntry.entry_id), circle_id=circle_id)
    return [EntryRow(*row) for row in entries]


def find_entries(
    circle_id: UUID, search: EntrySearch, *, limit: int, skip: int = 0
) -> list[EntryRow]:
    """List a page of the entries that match, newest first."""
    statement = _ENTRIES.order_by(*_NEWEST_FIRST)
    if search.player is not None:
        moved = select(Posting.line).where(_OF_ENTRY, Posting.player_id == search.player)
        statement = statement.where(moved.correlate(LedgerEntry).exists())
    if search.since is not None:
        statement = statement.where(LedgerEntry.at >= search.since)
    if search.until is not None:
        statement = statement.where(LedgerEntry.at < search.until)
    page = statement.limit(LIMIT).offset(bindparam("skip", type_=Integer()))
    return [EntryRow(*row) for row in rows(page, circle_id=circle_id, limit=limit, skip=skip)]


def postings(
    circle_id: UUID, entry_ids: Collection[UUID] | None = None
) -> defaultdict[UUID, list[tuple[UUID, int]]]:
    """Return the postings of some entries, or of all, in order."""
    statement = select(Posting.entry_id, Posting.player_id, Posting.cents).where(
        Posting.circle_id == CIRCLE
    )
    if entry_ids is not None:
        statement = statement.where(Posting.entry_id.in_(entry_ids))
    by_entry: defaultdict[UUID, list[tuple[UUID, int]]] = defaultdict(list)
    for entry_id, player_id, cents in rows(
        statement.order_by(Posting.entry_id, Posting.line), circle_id=circle_id
    ):
        by_entry[entry_id].append((player_id, cents))
    return by_entry


_UNPOSTED = (
    select(CardSession.session_id, CardSession.title, CardSession.started_at)
    .where(
        CardSession.circle_id == CIRCLE,
        or_(CardSession.ended_at.is_not(None), CardSession.finished_number.is_not(None)),
        CardSession.stake_cents.is_not(None),
        CardSession.next_number > 1,
        ~select(LedgerEntry.entry_id)
        .where(same(LedgerEntry, CardSession, "session_id"))
        .correlate(CardSession)
        .exists(),
    )
    .order_by(CardSession.started_at.desc(), CardSession.session_id)
    .limit(LIMIT)
)


def unposted_sessions(circle_id: UUID, *, limit: int) -> list[SessionName]:
    """List sessions with a stake that have ended and have no entry, newest first."""
    return [SessionName(*r) for r in rows(_UNPOSTED, circle_id=circle_id, limit=limit)]


def unbalanced_entries(circle_id: UUID) -> list[UUID]:
    """List the entries whose postings don't sum to zero; a sound ledger has none."""
    statement = select(Posting.entry_id).where(Posting.circle_id == CIRCLE)
    odd = statement.group_by(Posting.entry_id).having(func.sum(Posting.cents) != 0)
    return [entry_id for (entry_id,) in rows(odd, circle_id=circle_id)]
