"""Deals: record, amend, void, restore, start. Versions are added; repeated requests are ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import ConflictError, InvalidError, NotFoundError, Problem
from scorer.evening import JudgedDeal, judged
from scorer.evening.judging import NUMBERS, check_count
from scorer.evening.walk import LATER_DEAL, depends_on_earlier
from scorer.rules.game import Outcome, Table, Turn, with_times
from scorer.rules.seats import Seat
from scorer.rules.sheet import write as written_sheet
from scorer.services.base import journal
from scorer.services.base.author import Holder
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.clock import now
from scorer.services.base.journal import Kind
from scorer.services.deals.reviews import open_disputes, proposed_answers, settling_since
from scorer.services.session.settling import settle
from scorer.services.session.state import (
    SessionState,
    assumed_state,
    evening_at,
    find_deal,
    lock_state,
    new_end,
    paid_by,
    state_of,
)
from scorer.services.session.writing import Act, DealChange, insert_deal, insert_version
from scorer.storage import in_transaction, models, queries, transaction
from scorer.storage.queries.deals import DealRow
from scorer.texts import Text, say
from scorer.typed_text import read_reason


@dataclass(frozen=True, slots=True)
class DealEntry:
    """The next deal as a phone sends it; its sheet has the players' names.

    ``key`` is the deal's key, made by the phone; ``number`` is the deal it expects to record.
    """

    key: UUID
    number: int
    sheet: Any = None
    outcome: Outcome = Outcome.PLAYED


@dataclass(frozen=True, slots=True)
class RecordedDeal:
    """The deal that was written; ``new`` is False when the same request had come before.

    ``payouts`` is what a recorded or amended deal pays now; ``ends`` says that it ended the
    session; ``after`` is the state after a new deal, if it follows from the one before.
    """

    number: int
    version: int
    new: bool
    payouts: Mapping[Seat, int] = field(default_factory=dict, compare=False)
    ends: bool = field(default=False, compare=False)
    after: SessionState | None = field(default=None, compare=False)


class DealUnderWay(NamedTuple):
    """The deal under way: its auction, and who started it on which phone."""

    key: UUID
    number: int
    text: Text
    written_by: str | None
    phone: str | None
    at: datetime


def deal_table(state: SessionState, deal: DealRow | None) -> tuple[Table[Any], Turn]:
    """Return who plays a stored deal and whose turn it was; those of the next deal for None."""
    if deal is None:
        return state.table(), state.now.turn
    if deal.outcome == Outcome.PLAYED:
        times = int((deal.stored or {}).get("times", 1))
    else:
        times = evening_at(state, deal.number, state.now.totals).turn.times
    return state.table_for(deal, with_balances=True), Turn(Seat(deal.dealer), times)


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


def record_deal(loaded: SessionState, entry: DealEntry, by: Holder) -> RecordedDeal:
    """Record the next deal of a session; ``loaded`` is the state by which the entry was read.

    A key that was used returns the deal already recorded. Raise ConflictError when another deal has
    the number, or the key was used with another sheet; InvalidError when the session has ended or
    the sheet has problems; NotFoundError when there is no such session, or the key was used in
    another one.
    """
    tries = count()
    row = loaded.row
    is_next = (row.circle_id, row.ended_at, row.next_number) == (by.circle_id, None, entry.number)

    def record() -> RecordedDeal:
        # Nearly always it is the next deal, has a new key, and nothing was written since the state
        # was loaded. The first try assumes that, which saves two queries; where it is wrong a
        # statement fails, and there is another try.
        if next(tries) == 0 and is_next:
            with assumed_state(loaded) as state:
                return _record(state, entry, by)
        with lock_state(by.circle_id, loaded.session_id, loaded) as state:
            earlier = queries.deals.deal_by_key(by.circle_id, entry.key)
            return _again(state, earlier, entry) if earlier else _record(state, entry, by)

    return in_transaction(record)


def _record(state: SessionState, entry: DealEntry, by: Holder) -> RecordedDeal:
    _check_next(state, entry)
    turn = state.now.turn
    scored = state.now.judge(turn, entry.sheet, entry.outcome)
    the_end = False
    if state.row.finished_number is None and state.game.can_end(state.rules):
        key = state.circle_id, state.session_id
        totals, played = queries.session.balances(*key), queries.deals.played_count(*key)
        evening = replace(state.now, totals=totals, played=played)
        evening.book(scored, turn)
        the_end = evening.ended is not None
    insert_deal(state, entry.key, turn.dealer, scored, by)
    if state.started is not None:
        queries.drop(models.StartedDeal, state.circle_id, state.session_id)
    if the_end:
        state.row.finished_number = entry.number
    after = None
    if not state.game.balances_count:  # else the next deal depends on this one
        after = replace(state, now=replace(state.now), started=None)
        after.now.pass_over(turn, scored.outcome, scored.sheet)
    return RecordedDeal(entry.number, 1, new=True, payouts=scored.paid, ends=the_end, after=after)


def _check_next(state: SessionState, entry: DealEntry) -> None:
    if state.row.ended_at is not None:
        message = say("This session has ended. Play on first, then record the deal.")
        raise InvalidError([Problem("session-ended", "", message)])
    if entry.number != state.row.next_number:
        raise ConflictError(entry.number)
    refuse_full(CircleLimit.DEALS, state.circle_id)


def _again(state: SessionState, earlier: DealRow, entry: DealEntry) -> RecordedDeal:
    """Answer a key that was used: the recorded deal for the same sheet, else ConflictError.

    Raise NotFoundError when it was used in another session.
    """
    if earlier.session_id != state.session_id:
        raise NotFoundError
    first = queries.deals.deal_versions(state.circle_id, earlier.deal_id)[0]
    sheet = with_times(entry.sheet, (first.stored or {}).get("times", 1))
    table = state.table_for(first, with_balances=True)
    try:
        scored = judged(state.game, table, entry.outcome, sheet)
    except InvalidError:
        raise ConflictError(earlier.number) from None
    if (scored.outcome, scored.stored) != (first.outcome, first.stored):
        raise ConflictError(earlier.number)
    return RecordedDeal(
        earlier.number,
        earlier.version,
        new=False,
        payouts=paid_by(earlier),
        ends=state.row.finished_number == earlier.number,
    )


@transaction
def amend_deal(
    loaded: SessionState,
    change: DealChange,
    sheet: Any,
    by: Holder,
    *,
    outcome: Outcome = Outcome.PLAYED,
) -> RecordedDeal:
    """Write a new version of a deal; the old one is kept and later balances follow.

    ``loaded`` is the state by which the sheet was read. The deal's multiplier stays unless the new
    sheet names one; a deal that becomes a played one gets the multiplier that was carried over.

    Raise ConflictError when the deal is no longer as the phone saw it, or was disputed or upheld
    meanwhile, InvalidError when the new sheet has problems, NotFoundError when there is no such
    deal.
    """
    with lock_state(by.circle_id, loaded.session_id, loaded) as state:
        return _amend(state, change, outcome, sheet, by)


def _amend(
    state: SessionState, change: DealChange, outcome: Outcome, sheet: Any, by: Holder
) -> RecordedDeal:
    row, stored = find_deal(state, change.number)
    table, turn = deal_table(state, stored)
    scored = judged(state.game, table, outcome, sheet, times=turn.times)
    same = (stored.stored, stored.outcome) == (scored.stored, scored.outcome)
    if same and _is_repeat(row, change, "amend"):
        return RecordedDeal(row.number, row.version, new=False, payouts=scored.paid)
    _check_change(row, change)
    row.amended, row.disputed = True, False
    return _add_version(state, row, Act("amend", by, change.reason), scored)


@transaction
def accept_proposal(session_id: UUID, change: DealChange, by: Holder) -> RecordedDeal:
    """Amend a disputed deal by the proposal of its newest dispute, with the dispute's reason.

    Raise InvalidError if the proposal is impossible now, ConflictError if the deal was changed,
    voided, disputed or upheld since the phone saw it.
    """
    with lock_state(by.circle_id, session_id) as state:
        row, stored = find_deal(state, change.number)
        settling = settling_since(queries.deals.reviews(row.circle_id, row.deal_id), 0)
        dispute = settling[-1] if settling else None
        if dispute is None or dispute.proposal is None or stored.voided:
            raise ConflictError(change.number)
        outcome, sheet = proposed_answers(state, stored, dispute.proposal)
        amending = replace(change, reason=dispute.reason or "")
        return _amend(state, amending, outcome, sheet, by)


def _is_repeat(row: models.Deal, change: DealChange, act: str) -> bool:
    """Whether the version after the one that the phone saw was written by the same act."""
    if row.version != change.version + 1:
        return False
    return queries.deals.deal_versions(row.circle_id, row.deal_id)[-1].act == act


@transaction
def void_deal(session_id: UUID, change: DealChange, by: Holder) -> RecordedDeal:
    """Strike a deal through, with its dispute: it counts for nothing, and can be restored."""
    return set_voided(session_id, change, by, voided=True)


@transaction
def restore_deal(session_id: UUID, change: DealChange, by: Holder) -> RecordedDeal:
    return set_voided(session_id, change, by, voided=False)


def set_voided(session_id: UUID, change: DealChange, by: Holder, *, voided: bool) -> RecordedDeal:
    """Void or restore a deal inside the caller's transaction."""
    act = Act("void" if voided else "restore", by, change.reason)
    with lock_state(by.circle_id, session_id) as state:
        row, stored = find_deal(state, change.number)
        if _is_repeat(row, change, act.name):
            return RecordedDeal(row.number, row.version, new=False)
        _check_change(row, change)
        if row.voided == voided:
            raise ConflictError(change.number)
        row.voided = voided
        key = state.circle_id, row.deal_id
        row.disputed = not voided and bool(
            open_disputes(queries.deals.deal_versions(*key), queries.deals.reviews(*key))
        )
        return _add_version(state, row, act, state.entry_of(stored))


def _check_change(row: models.Deal, change: DealChange) -> None:
    """Check that the phone saw the deal and its reviews as they are, and that the reason is valid.

    Later confirmations do not matter. Raise ConflictError or InvalidError.
    """
    if row.version != change.version:
        raise ConflictError(change.number)
    if change.seen is not None:
        reviews = queries.deals.reviews(row.circle_id, row.deal_id)
        if settling_since(reviews, change.seen):
            raise ConflictError(change.number)
    read_reason(change.reason)


def _add_version(
    state: SessionState, row: models.Deal, act: Act, scored: JudgedDeal
) -> RecordedDeal:
    """Insert a version of a deal, and update what follows from the session's deals."""
    insert_version(state, row, act, scored)
    was_over = state.row.finished_number is not None
    state.row.finished_number = _check_later(state) if state.game.balances_count else new_end(state)
    state.row.version += 1
    ends_now = not was_over and state.row.finished_number is not None
    settle(state.row, act.by, number=row.number)
    started = state.started and queries.find(models.StartedDeal, state.circle_id, state.session_id)
    if started is not None:
        started.dealer = state_of(state.row).now.turn.dealer
    return RecordedDeal(row.number, row.version, new=True, payouts=scored.paid, ends=ends_now)


def _check_later(state: SessionState) -> int | None:
    """Refuse a change that would change the payouts of later deals, by the balances before them.

    Return the number of the deal that ends the session.
    """
    deals = list(map(state.deal_of, queries.deals.all_deals(state.circle_id, state.session_id)))
    evening = state.evening()
    again = evening.again(deals, lambda _: True)
    for deal, (booked, wrong) in zip(deals, again, strict=True):
        if depends_on_earlier(deal, booked, wrong):
            raise InvalidError([LATER_DEAL])
    return evening.ended


@transaction
def start_deal(
    loaded: SessionState, entry: DealEntry, by: Holder, *, instead_of: UUID | None = None
) -> None:
    """Store the result of the auction, for everybody to see while the deal is played.

    Raise InvalidError and ConflictError as recording does. A deal started by another phone is a
    conflict too, unless its key is ``instead_of``.
    """
    with lock_state(by.circle_id, loaded.session_id, loaded) as state:
        if queries.deals.deal_by_key(by.circle_id, entry.key) is not None:
            return
        _check_next(state, entry)
        started, table = state.started, state.table()
        replaceable = {entry.key, instead_of}
        if started and started.phone_id != by.phone_id and started.deal_id not in replaceable:
            raise ConflictError(started.number)
        check_count(state.game, table)
        start, problems = state.game.read_start(entry.sheet, table)
        if start is None:
            raise InvalidError(problems)
        if started is not None:
            queries.drop(models.StartedDeal, state.circle_id, state.session_id)
        begun = models.StartedDeal(
            circle_id=state.circle_id,
            session_id=state.session_id,
            deal_id=entry.key,
            number=entry.number,
            dealer=state.now.turn.dealer,
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
        recorded = queries.deals.deal_by_key(state.circle_id, key)
        if recorded is not None or (started is not None and started.deal_id != key):
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
        dealer=state.now.turn.dealer,
        stored=gone["stored"],
        phone_id=gone["phone_id"] and UUID(gone["phone_id"]),
        at=datetime.fromisoformat(gone["at"]),
    )
    try:
        start = state.start_of(cancelled.stored, state.rules)
    except InvalidError:  # the rules were changed since
        return None
    return None if state.game.start_problems(start, state.table()) else cancelled
