"""Acts on the deals of a session, and the deal under way; repeated requests are ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from scorer.errors import NotFoundError
from scorer.evening.acts import DealAct, Record
from scorer.evening.deal import Started
from scorer.evening.session_acts import Resume
from scorer.roles import Holder
from scorer.rules.game import Table, Turn
from scorer.rules.seats import Seat
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.journal import as_author
from scorer.services.session.settling import settle
from scorer.services.session.state import SessionState, lock_state, written
from scorer.services.session.writing import do_within, save
from scorer.storage import queries, transaction
from scorer.texts import Text


@dataclass(frozen=True, slots=True)
class Done:
    """What became of an act on a deal; ``new`` is False when it was done before.

    ``payouts`` is what the deal pays by its sheet; ``ends`` says that it ended the session.
    """

    number: int
    version: int
    new: bool
    payouts: Mapping[Seat, int] = field(default_factory=dict, compare=False)
    ends: bool = field(default=False, compare=False)


def do(circle_id: UUID, session_id: UUID, number: int, act: DealAct, *, by: Holder) -> Done:
    """Do something to a deal; raise as the act does, or NotFoundError."""
    return written(partial(do_to_deal, circle_id, session_id, number, act, by=by))


def do_to_deal(
    circle_id: UUID, session_id: UUID, number: int, act: DealAct, *, by: Holder
) -> tuple[Done, SessionState]:
    """Do something to a deal inside the caller's transaction; return the session to keep, too."""
    with lock_state(circle_id, session_id) as state:
        before = state.evening
        deal = before.deal(number)
        evening = act.apply(before, deal, as_author(by))
        new, now = evening is not before, evening.deal(number)
        after = save(state, evening, by) if new else state
        if now.version > deal.version:
            settle(after, by, number=number)
        ends = evening.ended is not None and before.ended is None
        return Done(number, now.version, new, now.entry.paid, ends), after


def record_deal(session_id: UUID, act: Record, by: Holder) -> Done:
    """Record the next deal; raise NotFoundError if its key was used in another session."""

    def work() -> tuple[Done, SessionState]:
        with lock_state(by.circle_id, session_id) as state:
            evening = act.apply(state.evening, as_author(by))
            new, after = evening is not state.evening, state
            if new:
                refuse_full(CircleLimit.DEALS, state.circle_id)
                after = save(state, evening, by)
            deal = next(deal for deal in reversed(evening.deals) if deal.deal_id == act.key)
            ends = evening.ended == deal.number
            return Done(deal.number, deal.version, new, deal.entry.paid, ends), after

    try:
        return written(work)
    except IntegrityError:
        if queries.deals.has_key(by.circle_id, act.key):
            raise NotFoundError from None
        raise


class DealUnderWay(NamedTuple):
    """The deal under way: its auction, and who started it on which phone."""

    key: UUID
    number: int
    text: Text
    written_by: str | None
    phone: str | None
    at: datetime


def deal_table(state: SessionState, number: int) -> tuple[Table[Any], Turn]:
    """Return who plays a deal and whose turn it was; those of the next deal for its number."""
    if not 1 <= number <= len(state.deals):
        return state.table(), state.evening.turn
    deal = state.evening.deal(number)
    return deal.entry.table, Turn(deal.turn.dealer, state.evening.times_of(deal))


def under_way(state: SessionState, started: Started) -> DealUnderWay:
    phone = started.phone_id and queries.circle.phone_and_holder(state.circle_id, started.phone_id)
    return DealUnderWay(
        key=started.deal_id,
        number=started.number,
        text=state.game.started(state.start_of(started.stored, state.rules), state.table()),
        written_by=phone.player if phone else None,
        phone=phone.name if phone else None,
        at=started.at,
    )


@transaction
def resume_start(session_id: UUID, key: UUID, by: Holder) -> None:
    """Resume the deal whose start was cancelled last, with its cards; raise ConflictError."""
    with lock_state(by.circle_id, session_id) as state:
        do_within(state, Resume(key=key, cancelled=_cancelled_last(state)), by)


def cancelled_start(state: SessionState, key: UUID) -> Started | None:
    """Find the start that was cancelled last, by its key; None if it can't be resumed."""
    if state.started is not None:
        return None
    cancelled = _cancelled_last(state)
    possible = Resume(key=key, cancelled=cancelled).is_possible(state.evening)
    return cancelled if possible else None


def _cancelled_last(state: SessionState) -> Started | None:
    entries = queries.journal.entries_about(state.circle_id, "started_deal", str(state.session_id))
    gone = entries[-1].before if entries else None
    if gone is None:
        return None
    return Started(
        deal_id=UUID(gone["deal_id"]),
        number=gone["number"],
        stored=gone["stored"],
        phone_id=gone["phone_id"] and UUID(gone["phone_id"]),
        at=datetime.fromisoformat(gone["at"]),
    )
