"""Reviews: disputes and confirmations of a deal on people's own phones.

A dispute is open until somebody with the pen amends the deal or upholds it as it stands; while the
deal is voided it waits. An undisputed deal is confirmed by somebody of another side, or by the
people playing on. A review is of the version that its phone saw; reviews are added and never
changed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import ConflictError, InvalidError, Problem, RefusedError, existing, refuse
from scorer.evening import JudgedDeal, judged
from scorer.evening.judging import NUMBERS
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.rules.sheet import Question, questions
from scorer.services.base.author import Holder, authored
from scorer.services.session.state import SessionState, find_deal, lock_state
from scorer.services.session.writing import OUTCOME_WORDS, DealChange
from scorer.storage import chain, models, queries, transaction, write
from scorer.storage.queries.deals import DealMark, DealRow
from scorer.texts import Text, about, listed, say
from scorer.typed_text import read_reason

Versions = Sequence[models.DealVersion]

DISPUTE, CONFIRM, UPHOLD = models.REVIEWS


@transaction
def review_deal(kind: str, session_id: UUID, change: DealChange, by: Holder) -> bool:
    """Dispute, confirm or uphold a deal; return False if the phone did the same before.

    Raise InvalidError if a dispute has neither a reason nor a proposal, or an impossible one;
    RefusedError if the side that recorded the deal confirms it; ConflictError if the deal was
    changed or voided since the phone saw it, or others reviewed it in a way that matters here.
    """
    with lock_state(by.circle_id, session_id) as state:
        return _write_review(state, kind, change, by)


@transaction
def withdraw_dispute(session_id: UUID, change: DealChange, by: Holder) -> bool:
    """Take one's own dispute back: the deal is upheld by whoever disputed it.

    Raise RefusedError if somebody else disputes it, ConflictError as for upholding.
    """
    with lock_state(by.circle_id, session_id) as state:
        deal = existing(queries.deals.deal(state.circle_id, state.session_id, change.number))
        key = state.circle_id, deal.deal_id
        reviews = queries.deals.reviews(*key)
        disputes = open_disputes(queries.deals.deal_versions(*key), reviews)
        is_repeat = any(
            review.kind == UPHOLD and _is_own(review, by.phone_id, by.player)
            for review in reviews[-1:]
        )
        if not is_repeat and not may_withdraw(disputes, by):
            raise RefusedError(say("Only the phone that disputes the deal can withdraw that."))
        return _write_review(state, UPHOLD, change, by)


def open_disputes(versions: Versions, reviews: Sequence[models.Review]) -> list[models.Review]:
    """List the disputes of a deal since it was last amended or upheld, oldest first.

    A version written because the session's rules or seats changed does not settle a dispute.
    """
    upheld = max(
        (place for place, review in enumerate(reviews, 1) if review.kind == UPHOLD), default=0
    )
    amends = (
        version.version for version in versions if version.act == "amend" and version.change is None
    )
    amended = max(amends, default=0)
    return [
        review
        for review in reviews[upheld:]
        if review.kind == DISPUTE and review.version >= amended
    ]


def may_withdraw(disputes: Sequence[models.Review], by: Holder) -> bool:
    """Whether a deal has open disputes, and all of them are this person's own."""
    return bool(disputes) and all(_is_own(dispute, by.phone_id, by.player) for dispute in disputes)


def is_withdrawal(before: Sequence[models.Review], review: models.Review) -> bool:
    """Whether a review takes back one's own dispute before it, instead of settling another's."""
    if review.kind != UPHOLD or not before or before[-1].kind != DISPUTE:
        return False
    return _is_own(before[-1], review.phone_id, review.written_by)


def _is_own(review: models.Review, phone_id: UUID | None, player: str | None) -> bool:
    return review.phone_id == phone_id or (player is not None and review.written_by == player)


def _write_review(state: SessionState, kind: str, change: DealChange, by: Holder) -> bool:
    row, deal = find_deal(state, change.number)
    reason = read_reason(change.reason)
    reviews = queries.deals.reviews(by.circle_id, deal.deal_id)
    unseen = reviews[max(change.seen or 0, 0) :]
    before = reviews if kind == CONFIRM else unseen
    is_current = kind == DISPUTE and deal.version == change.version
    proposal = _proposal(state, deal, change, reason) if is_current else None
    same_tap = kind, change.version, reason, by.phone_id, proposal
    if same_tap in (
        (review.kind, review.version, review.reason or "", review.phone_id, review.proposal)
        for review in before
    ):
        return False
    if deal.version != change.version or deal.voided or _is_late(kind, deal, unseen):
        raise ConflictError(change.number)
    if kind == CONFIRM and not is_other_side(state, deal, by):
        raise RefusedError(say("The other side confirms a deal, not the side that wrote it down."))
    review = models.Review(
        circle_id=by.circle_id,
        deal_id=deal.deal_id,
        review=len(reviews) + 1,
        session_id=deal.session_id,
        number=deal.number,
        kind=kind,
        version=deal.version,
        reason=reason or None,
        proposal=proposal,
        **authored(by),
    )
    chain.append(state.row, review)
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
        raise InvalidError.of("no-reason", "reason", say("Say in a few words what is wrong."))
    return proposal


def _is_late(kind: str, deal: DealRow, unseen: Sequence[models.Review]) -> bool:
    """Whether reviews by others meanwhile make this kind of review a conflict."""
    if kind == CONFIRM:
        return deal.disputed
    if kind == UPHOLD:
        return not deal.disputed or any(review.kind == DISPUTE for review in unseen)
    return any(review.kind == UPHOLD for review in unseen)


def review_count(circle_id: UUID, deal_id: UUID) -> int:
    return len(queries.deals.reviews(circle_id, deal_id))


def settling_since(reviews: Sequence[models.Review], seen: int) -> list[models.Review]:
    """List the disputes and upholds of a deal, after the first ``seen`` reviews."""
    return [review for review in reviews[max(seen, 0) :] if review.kind != CONFIRM]


def is_other_side(state: SessionState, deal: DealRow, by: Holder) -> bool:
    """Whether somebody was not on the side of whoever recorded the deal.

    A player who sat out or had no seat was on no side. If the holder of either phone is unknown,
    any other phone counts as the other side.
    """
    if deal.phone_id == by.phone_id:
        return False
    if by.player is None or deal.written_by is None:
        return True
    table = state.table_for(deal)
    sides = state.game.sides(table.active, table.rules, state.sheet_of(deal))
    named = [{state.names[seat] for seat in side} for side in sides]
    return not any({by.player, deal.written_by} <= side for side in [*named, {deal.written_by}])


def unconfirmed(state: SessionState, marks: Sequence[DealMark]) -> dict[int, int]:
    """Return the numbers of the deals that nobody has confirmed, or played on after.

    Each maps to the number of reviews of the deal. An ended session has no such deals.
    """
    if state.row.ended_at is not None:
        return {}
    # Version 1 of the newest deal: later versions have later serials.
    newest = state.row.next_number - 1, 1
    serials = (mark.serial for mark in marks if (mark.number, mark.version) == newest)
    recorded = next(serials, None)
    if recorded is None:
        recorded = queries.deals.last_recorded(state.circle_id, state.session_id)
    return {
        mark.number: mark.reviews
        for mark in marks
        if mark.serial >= recorded and not (mark.voided or mark.disputed or mark.confirmed)
    }


OUTCOME, NOBODY = "outcome", "nobody"
#: What a sheet says for the code of a choice, where it doesn't say the code.
CODES = {NOBODY: None, "yes": True, "no": False}
NUMBER = re.compile("[0-9]{1,9}")
YES, NO, ALONE = say("yes"), say("no"), say("nobody")
SAME_ANSWER = Problem("same-answer", "right", say("The deal already says that."))


class RightAnswer(NamedTuple):
    """A question that a dispute may answer: by one of the choices, or typed where there are none.

    ``current`` is the answer on the sheet. A choice has a code and words: the code of a player is
    the seat number. ``high`` is the highest number, None for a text.
    """

    name: str
    label: Text | str
    current: Text | str
    choices: tuple[tuple[str, Text | str], ...] = ()
    high: int | None = None


def right_answers(state: SessionState, deal: DealRow) -> tuple[RightAnswer, ...]:
    """List what a dispute may propose of a deal: answers of its sheet, or that it was not played.

    Answers are chips or typed text. A question with its default answer is left out, unless its
    answer may be a player.
    """
    outcomes = state.game.outcomes(state.terms(deal.number, deal.serial).rules)
    others = tuple(
        (outcome.value, OUTCOME_WORDS[outcome]) for outcome in outcomes if outcome != deal.outcome
    )
    current = OUTCOME_WORDS.get(Outcome(deal.outcome), say("It was played"))
    unplayed = RightAnswer(OUTCOME, say("It was not played"), current, others)
    if deal.outcome != Outcome.PLAYED or deal.stored is None:
        return (unplayed,)
    answers = (
        _right_answer(state, deal, question) for question in state.game.asks(state.table_for(deal))
    )
    return (*(answer for answer in answers if answer is not None), unplayed)


def _right_answer(state: SessionState, deal: DealRow, question: Question) -> RightAnswer | None:
    kind, answer = question.kind, (deal.stored or {}).get(question.name)
    current = _words(state, question, answer)
    if kind is Seat:
        active = state.table_for(deal).active
        choices: list[tuple[str, Text | str]] = [
            (NUMBERS[seat], state.names[seat]) for seat in active
        ]
        if question.optional:
            choices.append((NOBODY, ALONE))
        offered = tuple(choice for choice in choices if choice[1] != current)
        return RightAnswer(question.name, question.label, current, offered)
    if answer is None or answer == question.default:
        return None
    if kind is bool:
        other = ("no", NO) if answer else ("yes", YES)
        return RightAnswer(question.name, question.label, current, (other,))
    if kind is int:
        return RightAnswer(question.name, question.label, current, high=question.ask.high or 9_999)
    typed = hasattr(kind, "say_wire")
    return RightAnswer(question.name, question.label, current) if typed else None


def read_proposal(
    state: SessionState, deal: DealRow, right: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Read a proposal, with choices by their codes; None if it is empty.

    A yes or no that follows from the answers is added. Raise InvalidError if the deal is impossible
    with it, or recorded so already.
    """
    questions_ = {question.name: question for question in right_answers(state, deal)}
    given = {
        name: answer.strip() if isinstance(answer, str) else answer
        for name, answer in right.items()
        if name in questions_
    }
    proposal = {
        name: _read_answer(questions_[name], answer)
        for name, answer in given.items()
        if answer != ""
    }
    if not proposal:
        return None
    if OUTCOME in proposal:
        proposal = {OUTCOME: proposal[OUTCOME]}
    else:
        proposal |= _implied(state, deal, proposal, questions_)
    try:
        entry = proposed_entry(state, deal, proposal)
    except InvalidError as error:
        here = [Problem(problem.code, "right", problem.message) for problem in error.problems]
        raise InvalidError(here) from error
    sheet = entry.stored
    if (entry.outcome, sheet) == (deal.outcome, deal.stored):
        raise InvalidError([SAME_ANSWER])
    return proposal if sheet is None else {name: sheet[name] for name in proposal}


def _implied(
    state: SessionState, deal: DealRow, proposal: dict[str, Any], right: Mapping[str, RightAnswer]
) -> dict[str, Any]:
    """Flip each yes or no of the sheet that contradicts the proposal."""
    try:
        proposed_entry(state, deal, proposal)
    except InvalidError as error:
        wrong = {
            problem.field.removeprefix("sheet.") for problem in error.problems
        } - proposal.keys()
        return {
            name: CODES[code]
            for name in wrong & right.keys()
            for code, words in right[name].choices
            if words in (YES, NO)
        }
    return {}


def _read_answer(question: RightAnswer, answer: Any) -> Any:
    """Read a stored answer; text instead of a number is left for the sheet to refuse."""
    if question.choices:
        if answer not in dict(question.choices):
            raise InvalidError([_no_choice("right", answer)])
        return CODES.get(answer, answer)
    typed_number = (
        isinstance(answer, str) and question.high is not None and NUMBER.fullmatch(answer)
    )
    return int(answer) if typed_number else answer


def coded_answers(state: SessionState, deal: DealRow, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the proposal of a program, which has players' names, with choices by their codes.

    Answers equal to the sheet's are left out. Raise InvalidError for questions that can't be
    proposed.
    """
    questions_ = {question.name: question for question in right_answers(state, deal)}
    current = {OUTCOME: deal.outcome, **(state.answers_of(deal) or {})}
    refuse(
        Problem("unknown-key", f"right.{name}", say("A dispute can’t propose this."))
        for name in answers
        if name not in questions_
    )
    changed = {
        name: answer
        for name, answer in answers.items()
        if name not in current or current[name] != answer
    }
    if answers and not changed:
        raise InvalidError([SAME_ANSWER])
    return {name: _coded(questions_[name], answer) for name, answer in changed.items()}


def _coded(question: RightAnswer, answer: Any) -> Any:
    """Replace null, true, false and the name of a player by the code; leave other answers."""
    for code, value in CODES.items():
        if answer is value:
            return code
    seats = {words: number for number, words in question.choices if isinstance(words, str)}
    if seats and str(answer) not in seats:
        raise InvalidError([_no_choice(f"right.{question.name}", answer)])
    return seats.get(str(answer), answer)


def _no_choice(path: str, answer: Any) -> Problem:
    message = say("There is no choice %(word)s here.", word=answer)
    return Problem("unknown-choice", path, about(str(answer), message))


def proposed_entry(state: SessionState, deal: DealRow, proposal: Mapping[str, Any]) -> JudgedDeal:
    """Score a deal as it stands with a proposal; raise InvalidError if that is impossible."""
    outcome, answers = proposed_answers(state, deal, proposal)
    table = state.table_for(deal, with_balances=True)
    return judged(state.game, table, outcome, answers)


def proposed_answers(
    state: SessionState, deal: DealRow, proposal: Mapping[str, Any]
) -> tuple[Outcome, dict[str, Any] | None]:
    """Return the proposed outcome and sheet, as a phone would send them."""
    if OUTCOME in proposal:
        return Outcome(proposal[OUTCOME]), None
    if deal.outcome != Outcome.PLAYED or deal.stored is None:
        raise InvalidError.of("not-played", OUTCOME, say("By now the deal counts as not played."))
    proposed = deal._replace(stored={**deal.stored, **proposal})
    return Outcome.PLAYED, state.answers_of(proposed)


def proposal_text(state: SessionState, proposal: Mapping[str, Any]) -> Text:
    """Describe a proposal in a line: ``Partner: Rosa``."""
    if OUTCOME in proposal:
        return OUTCOME_WORDS[Outcome(proposal[OUTCOME])]
    by_name = {question.name: question for question in questions(state.game.sheet_type)}
    answers = [
        say(
            "%(label)s: %(value)s",
            label=by_name[name].label,
            value=_words(state, by_name[name], value),
        )
        for name, value in proposal.items()
    ]
    return listed(answers)


def _words(state: SessionState, question: Question, value: Any) -> Text | str:
    kind = question.kind
    if value is None:
        return ALONE
    if kind is Seat:
        return state.names[int(value)]
    if hasattr(kind, "say_wire"):
        return kind.say_wire(value, state.game.deck(state.rules))  # type: ignore[no-any-return]  # as a bid does
    return (NO, YES)[value] if isinstance(value, bool) else str(value)
