"""Acts on the deals of a session, and the deal under way; repeated requests are ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from scorer.errors import ConflictError, InvalidError, NotFoundError
from scorer.evening.acts import DealAct, Record
from scorer.evening.judging import NUMBERS, check_count
from scorer.rules.game import Table, Turn
from scorer.rules.seats import Seat
from scorer.rules.sheet import write as written_sheet
from scorer.services.base import journal
from scorer.services.base.author import Holder, as_author
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.clock import now
from scorer.services.base.journal import Kind
from scorer.services.session.settling import settle
from scorer.services.session.state import SessionState, lock_state, written
from scorer.services.session.writing import redeal_started, save
from scorer.storage import models, queries, transaction
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


def do(session_id: UUID, number: int, act: DealAct, by: Holder) -> Done:
    """Do something to a deal; raise as the act does, or NotFoundError."""
    return written(partial(do_within, session_id, number, act, by))


def do_within(
    session_id: UUID, number: int, act: DealAct, by: Holder
) -> tuple[Done, SessionState | None]:
    """Do something to a deal inside the caller's transaction; return the session to keep, too."""
    with lock_state(by.circle_id, session_id) as state:
        before = state.evening
        deal = before.deal(number)
        evening = act.apply(before, deal, as_author(by))
        if evening is before:
            return Done(number, deal.version, False, deal.entry.paid), state
        after = save(replace(state, evening=evening))
        now = after.evening.deal(number)
        if now.version > deal.version:
            settle(after, by, number=number)
            redeal_started(after)
        ends = evening.ended is not None and before.ended is None
        done = Done(number, now.version, True, now.entry.paid, ends)
        return done, None if state.started else after


def record_deal(session_id: UUID, act: Record, by: Holder) -> Done:
    """Record the next deal; raise NotFoundError if its key was used in another session."""

    def work() -> tuple[Done, SessionState | None]:
        with lock_state(by.circle_id, session_id) as state:
            evening = act.apply(state.evening, as_author(by))
            new, after = evening is not state.evening, state
            if new:
                refuse_full(CircleLimit.DEALS, state.circle_id)
                after = save(replace(state, evening=evening, started=None))
                if state.started is not None:
                    queries.drop(models.StartedDeal, state.circle_id, state.session_id)
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


def under_way(state: SessionState, started: models.StartedDeal) -> DealUnderWay:
    phone = started.phone_id and queries.circle.phone_and_holder(state.circle_id, started.phone_id)
    return DealUnderWay(
        key=started.deal_id,
        number=started.number,
        text=state.game.started(state.start_of(started.stored, state.rules), state.table()),
        written_by=phone.player if phone else None,
        phone=phone.name if phone else None,
        at=started.at,
    )


def _recorded(state: SessionState, key: UUID) -> bool:
    return any(deal.deal_id == key for deal in state.deals)


@transaction
def start_deal(
    session_id: UUID,
    key: UUID,
    number: int,
    sheet: Any,
    by: Holder,
    *,
    instead_of: UUID | None = None,
) -> None:
    """Store the result of the auction, for everybody to see while the deal is played.

    Raise InvalidError and ConflictError as recording does. A deal started by another phone is a
    conflict too, unless its key is ``instead_of``.
    """
    with lock_state(by.circle_id, session_id) as state:
        if _recorded(state, key) or queries.deals.has_key(by.circle_id, key):
            return
        Record.check_next(state.evening, number)
        refuse_full(CircleLimit.DEALS, state.circle_id)
        started, table = state.started, state.table()
        replaceable = {key, instead_of}
        if started and started.phone_id != by.phone_id and started.deal_id not in replaceable:
            raise ConflictError(started.number)
        check_count(state.game, table)
        start, problems = state.game.read_start(sheet, table)
        if start is None:
            raise InvalidError(problems)
        if started is not None:
            queries.drop(models.StartedDeal, state.circle_id, state.session_id)
        begun = models.StartedDeal(
            circle_id=state.circle_id,
            session_id=state.session_id,
            deal_id=key,
            number=number,
            dealer=state.evening.turn.dealer,
            at=now(),
            phone_id=by.phone_id,
            stored=written_sheet(start, NUMBERS),
        )
        journal.create(Kind.DEAL_STARTED, begun, by)
        state.row.version += 1


@transaction
def cancel_start(session_id: UUID, key: UUID, by: Holder) -> None:
    """Cancel the start of the deal under way, unless it was recorded.

    If no deal is under way any more, nothing is written. Raise ConflictError when another deal was
    started meanwhile, or this one was recorded.
    """
    with lock_state(by.circle_id, session_id) as state:
        started = state.started
        if _recorded(state, key) or (started is not None and started.deal_id != key):
            raise ConflictError(key)
        if started is not None:
            journal.remove(Kind.DEAL_FORGOTTEN, started, by)
            queries.drop(models.StartedDeal, state.circle_id, state.session_id)
            state.row.version += 1


@transaction
def resume_start(session_id: UUID, key: UUID, by: Holder) -> None:
    """Resume the deal whose start was cancelled last, with its cards.

    If it is already under way, nothing is written. Raise ConflictError when something else was
    started, recorded or changed since.
    """
    with lock_state(by.circle_id, session_id) as state:
        if state.started is not None and state.started.deal_id == key:
            return
        cancelled = cancelled_start(state, key)
        if cancelled is None:
            raise ConflictError(key)
        journal.create(Kind.DEAL_RESUMED, cancelled, by)
        state.row.version += 1


def cancelled_start(state: SessionState, key: UUID) -> models.StartedDeal | None:
    """Find the start that was cancelled last, by its key; None if it can't be resumed."""
    if state.started is not None or state.row.ended_at is not None or not state.can_go_on:
        return None
    entries = queries.journal.entries_about(state.circle_id, "started_deal", str(state.session_id))
    gone = entries[-1].before if entries else None
    if gone is None or gone["deal_id"] != str(key) or gone["number"] != state.row.next_number:
        return None
    cancelled = models.StartedDeal(
        circle_id=state.circle_id,
        session_id=state.session_id,
        deal_id=key,
        number=gone["number"],
        dealer=state.evening.turn.dealer,
        stored=gone["stored"],
        phone_id=gone["phone_id"] and UUID(gone["phone_id"]),
        at=datetime.fromisoformat(gone["at"]),
    )
    try:
        start = state.start_of(cancelled.stored, state.rules)
    except InvalidError:  # the rules were changed since
        return None
    return None if state.game.start_problems(start, state.table()) else cancelled
