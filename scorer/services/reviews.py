"""Reviews: what people say of a deal on their own phones, and what is still open about it.

A dispute is open until somebody with the pen amends the deal or upholds it as it stands; while the
deal is voided it waits. What nobody disputes is confirmed by somebody of another side, or by the
people playing on. A review is of the version that its phone saw; reviews are added and never
changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar
from uuid import UUID

from scorer.errors import ConflictError, InvalidError, Problem, RefusedError, existing
from scorer.services.clock import now
from scorer.services.proposals import coded_answers, read_proposal
from scorer.services.roles import Holder
from scorer.services.state import SessionState, find_deal, in_session
from scorer.services.typed_text import read_reason
from scorer.services.writing import DealChange
from scorer.storage import chain, models, queries, write
from scorer.storage.queries import DealRow, ReviewRow, VersionRow
from scorer.texts import say

Versions = Sequence[VersionRow | models.DealVersion]

DISPUTE, CONFIRM, UPHOLD = models.REVIEWS
Reviewed = TypeVar("Reviewed", queries.ReviewRow, models.Review)


def dispute_deal(session_id: UUID, change: DealChange, by: Holder) -> bool:
    """Say that a deal is wrong, and why or what is right; False when the phone said so before.

    Raise InvalidError where neither is said or the proposal is impossible, ConflictError when the
    deal was changed, voided or upheld since the phone saw it.
    """
    return _say(session_id, DISPUTE, change, by)


def confirm_deal(session_id: UUID, change: DealChange, by: Holder) -> bool:
    """Say that a deal is right; False when the same was said before by the same phone.

    Raise RefusedError for the side that wrote it down, ConflictError when the deal was changed,
    voided or disputed since the phone saw it.
    """
    return _say(session_id, CONFIRM, change, by)


def uphold_deal(session_id: UUID, change: DealChange, by: Holder) -> bool:
    """Settle a dispute: the deal is right as it stands; False when the same was said before.

    Raise ConflictError when the deal was changed, or disputed anew, since the phone saw it.
    """
    return _say(session_id, UPHOLD, change, by)


def withdraw_dispute(session_id: UUID, change: DealChange, by: Holder) -> bool:
    """Take one's own dispute back: the deal is upheld by whoever disputed it.

    Raise RefusedError where somebody else disputes it, ConflictError as for upholding.
    """

    def work(state: SessionState) -> bool:
        deal = existing(
            queries.deal(state.circle_id, state.session_id, change.number), change.number
        )
        key = state.circle_id, deal.deal_id
        reviews = queries.reviews(*key)
        disputes = open_disputes(queries.deal_versions(*key), reviews)
        is_repeat = any(
            one.kind == UPHOLD and _is_own(one, by.phone_id, by.player) for one in reviews[-1:]
        )
        if not is_repeat and not may_withdraw(disputes, by):
            raise RefusedError(say("Whoever disputes a deal can take that back, and nobody else."))
        return _write_review(state, UPHOLD, change, by)

    return in_session(by.circle_id, session_id, work)


def open_disputes(versions: Versions, reviews: Sequence[Reviewed]) -> list[Reviewed]:
    """List the disputes of a deal since it was last amended or upheld, oldest first.

    A version written because the session's rules or seats changed does not settle a dispute.
    """
    upheld = max((place for place, one in enumerate(reviews, 1) if one.kind == UPHOLD), default=0)
    amends = (one.version for one in versions if one.act == "amend" and one.change is None)
    amended = max(amends, default=0)
    return [one for one in reviews[upheld:] if one.kind == DISPUTE and one.version >= amended]


def may_withdraw(disputes: Sequence[ReviewRow], by: Holder) -> bool:
    """Whether a deal has open disputes, and all of them are somebody's own."""
    return bool(disputes) and all(_is_own(one, by.phone_id, by.player) for one in disputes)


def is_withdrawal(before: Sequence[ReviewRow], review: ReviewRow) -> bool:
    """Whether a review takes back one's own dispute before it, instead of settling another's."""
    if review.kind != UPHOLD or not before or before[-1].kind != DISPUTE:
        return False
    return _is_own(before[-1], review.phone_id, review.written_by)


def _is_own(review: ReviewRow, phone_id: UUID | None, player: str | None) -> bool:
    """Whether a review was said on the same phone, or by the same player."""
    return review.phone_id == phone_id or (player is not None and review.written_by == player)


def _say(session_id: UUID, kind: str, change: DealChange, by: Holder) -> bool:
    return in_session(
        by.circle_id, session_id, lambda state: _write_review(state, kind, change, by)
    )


def _write_review(state: SessionState, kind: str, change: DealChange, by: Holder) -> bool:
    row, deal = find_deal(state, change.number)
    reason = read_reason(change.reason)
    reviews = queries.reviews(by.circle_id, deal.deal_id)
    unseen = reviews[max(change.seen or 0, 0) :]
    before = reviews if kind == CONFIRM else unseen
    is_current = kind == DISPUTE and deal.version == change.version
    proposal = _proposal(state, deal, change, reason) if is_current else None
    same_tap = kind, change.version, reason, by.phone_id, proposal
    if same_tap in (
        (one.kind, one.version, one.reason or "", one.phone_id, one.proposal) for one in before
    ):
        return False
    if deal.version != change.version or deal.voided or _is_late(kind, deal, unseen):
        raise ConflictError(change.number)
    if kind == CONFIRM and not is_other_side(state, deal, by):
        raise RefusedError(say("The other side confirms a deal, not the side that wrote it down."))
    review = models.Review(
        circle_id=by.circle_id,
        deal_id=deal.deal_id,
        serial=len(reviews) + 1,
        kind=kind,
        version=deal.version,
        phone_id=by.phone_id,
        written_by=by.player,
        reason=reason or None,
        at=now(),
        proposal=proposal,
    )
    chain.append_review(state.row, review)
    write(review)
    row.disputed = kind == DISPUTE
    state.row.version += 1
    return True


def _proposal(
    state: SessionState, deal: DealRow, change: DealChange, reason: str
) -> dict[str, Any] | None:
    """Read what a dispute proposes; raise InvalidError without a proposal and a reason."""
    right = change.proposed_form or coded_answers(state, deal, change.proposed_json)
    proposal = read_proposal(state, deal, right)
    if not reason and proposal is None:
        message = say("Say in a few words what is wrong.")
        raise InvalidError([Problem("no-reason", "reason", message)])
    return proposal


def _is_late(kind: str, deal: DealRow, unseen: Sequence[ReviewRow]) -> bool:
    """Whether what others said of the deal meanwhile makes this kind of review a conflict."""
    if kind == CONFIRM:
        return deal.disputed
    if kind == UPHOLD:
        return not deal.disputed or any(one.kind == DISPUTE for one in unseen)
    return any(one.kind == UPHOLD for one in unseen)


def review_count(circle_id: UUID, deal_id: UUID) -> int:
    """Count the reviews of a deal."""
    return len(queries.reviews(circle_id, deal_id))


def settling_since(reviews: Sequence[ReviewRow], seen: int) -> list[ReviewRow]:
    """List the reviews that dispute or uphold a deal, after the first ``seen``."""
    return [one for one in reviews[max(seen, 0) :] if one.kind != CONFIRM]


def is_other_side(state: SessionState, deal: DealRow, by: Holder) -> bool:
    """Whether somebody was not on the side of whoever wrote the deal down.

    Whoever sat out or held no seat was on no side. Where the holder of either phone is unknown, any
    other phone counts as another side.
    """
    if deal.phone_id == by.phone_id:
        return False
    if by.player is None or deal.written_by is None:
        return True
    table = state.table_for(deal)
    sides = state.game.sides(table.active, table.rules, state.sheet_of(deal))
    named = [{state.names[seat] for seat in side} for side in sides]
    return not any({by.player, deal.written_by} <= side for side in [*named, {deal.written_by}])


def unconfirmed(state: SessionState, deals: Sequence[DealRow]) -> dict[int, int]:
    """Return the numbers of the deals that nobody has confirmed, or played on after.

    Each maps to how many reviews the deal has. A session that has ended has none of them.
    """
    if state.row.ended_at is not None:
        return {}
    recorded = _last_recorded(state, deals)
    new = [d for d in deals if d.serial >= recorded and not d.voided and not d.disputed]
    reviews = queries.said_of(state.circle_id, [deal.deal_id for deal in new]) if new else []
    confirmed = {(one.deal_id, one.version) for one in reviews if one.kind == CONFIRM}
    counts = Counter(one.deal_id for one in reviews)
    waiting = (deal for deal in new if (deal.deal_id, deal.version) not in confirmed)
    return {deal.number: counts[deal.deal_id] for deal in waiting}


def _last_recorded(state: SessionState, deals: Sequence[DealRow]) -> int:
    """Return the serial of the newest deal's version 1: later versions have later serials."""
    newest = state.row.next_number - 1
    for deal in deals:
        if (deal.number, deal.version) == (newest, 1):
            return deal.serial
    return queries.last_recorded(state.circle_id, state.session_id)
