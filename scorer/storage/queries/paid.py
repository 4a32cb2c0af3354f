"""All payouts of a circle, for the figures of its players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import Row, String, bindparam, cast, func, select

from scorer.ledger.records import Played
from scorer.rules.game import Outcome
from scorer.storage.models import CardSession, Deal, JournalEntry, Payout, Seat
from scorer.storage.queries.parameters import CIRCLE, SESSIONS
from scorer.storage.queries.rows import rows, same


class SessionVersion(NamedTuple):
    """A session and the head of its hash chain: the same head means the same payouts."""

    session_id: UUID
    game: str
    started_at: datetime
    chain: str
    title: str


_IN_ORDER = (CardSession.started_at, CardSession.session_id)
_CHAINS = select(CardSession.chain).where(CardSession.circle_id == CIRCLE).order_by(*_IN_ORDER)


def session_chains(circle_id: UUID) -> list[str]:
    """List the heads of the hash chains of all sessions, oldest session first."""
    return list(rows(_CHAINS, circle_id=circle_id).scalars())


_STATES = (
    select(
        CardSession.session_id,
        CardSession.game,
        CardSession.started_at,
        CardSession.chain,
        CardSession.title,
    )
    .where(CardSession.circle_id == CIRCLE)
    .order_by(*_IN_ORDER)
)


_RECORDED = (
    select(JournalEntry.key, func.min(JournalEntry.serial))
    .where(
        JournalEntry.circle_id == CIRCLE,
        JournalEntry.subject == CardSession.__tablename__,
        JournalEntry.key.in_(bindparam("keys", expanding=True)),
    )
    .group_by(JournalEntry.key)
)


def session_versions(circle_id: UUID) -> list[SessionVersion]:
    """List the sessions of the circle, oldest first, with the heads of their hash chains.

    Those of one moment, such as files of one day, go by when they were recorded, then by title.
    """
    found = [SessionVersion(*row) for row in rows(_STATES, circle_id=circle_id)]
    times = Counter(one.started_at for one in found)
    level = [str(one.session_id) for one in found if times[one.started_at] > 1]
    if level:
        entries = dict(rows(_RECORDED, circle_id=circle_id, keys=level).tuples().all())
        found.sort(key=lambda one: (one.started_at, entries.get(str(one.session_id), 0), one.title))
    return found


_RULES = select(CardSession.session_id, CardSession.rules).where(
    CardSession.circle_id == CIRCLE, CardSession.session_id.in_(SESSIONS)
)


def session_rules(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, dict[str, Any]]:
    """Return the rules that some sessions of the circle began with."""
    found = rows(_RULES, circle_id=circle_id, session_ids=list(session_ids))
    return {row.session_id: row.rules for row in found}


_PAID = (
    select(
        cast(Payout.session_id, String),  # as text: parsed once a session, not once a row
        Payout.number,
        Deal.outcome,
        Deal.bid,
        Deal.made,
        Payout.seat,
        Payout.amount,
        Payout.role,
    )
    .join(Deal, same(Deal, Payout, "session_id", "number"))
    .where(Payout.circle_id == CIRCLE, Payout.session_id.in_(SESSIONS))
    .order_by(Payout.session_id, Payout.number)
)
_SESSION, _NUMBER, _WHAT, _PAYOUT = itemgetter(0), itemgetter(1), slice(2, 5), slice(5, 8)


def paid_deals(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, list[Played]]:
    """Return the deals of some sessions that have payouts, in order, by session."""
    deals: dict[UUID, list[Played]] = {}
    paid = rows(_PAID, circle_id=circle_id, session_ids=list(session_ids))
    for session_id, of_session in groupby(paid, _SESSION):
        found = groupby(of_session, _NUMBER)
        deals[UUID(session_id)] = [_played(number, list(payouts)) for number, payouts in found]
    return deals


def _played(number: int, payouts: Sequence[Row[Any]]) -> Played:
    outcome, bid, made = payouts[0][_WHAT]
    paid = [row[_PAYOUT] for row in payouts]
    return Played(
        number,
        outcome == Outcome.PENALTY,
        bid,
        made,
        {seat: amount for seat, amount, _ in paid},
        {seat: role for seat, _, role in paid if role},
    )


_SEATED = select(Seat.session_id, Seat.seat, Seat.player_id).where(
    Seat.circle_id == CIRCLE, Seat.session_id.in_(SESSIONS)
)


def seated_players(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, dict[int, UUID]]:
    """Return the seats of some sessions of the circle: session -> seat -> player."""
    seated: dict[UUID, dict[int, UUID]] = {}
    found = rows(_SEATED, circle_id=circle_id, session_ids=list(session_ids))
    for session_id, seat, player_id in found:
        seated.setdefault(session_id, {})[seat] = player_id
    return seated
