"""Proposals: what a dispute says is right, and what the deal would pay then.

A proposal is stored as those answers of the sheet that it changes, with seats by number, or as the
outcome that the deal should have. It is read against the deal as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.errors import InvalidError, Problem
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.rules.sheet import Question, questions
from scorer.services.state import NUMBERS, SessionState, SessionTerms
from scorer.services.writing import OUTCOME_WORDS, ScoredEntry, score_entry
from scorer.storage.queries import DealRow, VersionRow
from scorer.texts import Text, listed, say

OUTCOME, NOBODY = "outcome", "nobody"
#: What a sheet says for the code of a choice, where it doesn't say the code.
CODES = {NOBODY: None, "yes": True, "no": False}
NUMBER = re.compile("[0-9]{1,9}")
YES, NO, ALONE = say("yes"), say("no"), say("nobody")


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """A question that a dispute may answer: by one of the choices, or typed where there are none.

    ``current`` is what the sheet says. A choice is its code and its words: the code of a player is
    the number of the seat. ``high`` is the most of a number, None for a text.
    """

    name: str
    label: Text | str
    current: Text | str
    choices: tuple[tuple[str, Text | str], ...] = ()
    high: int | None = None


def right_answers(state: SessionState, deal: DealRow) -> tuple[RightAnswer, ...]:
    """List what a dispute may propose of a deal: answers of its sheet, or that it was not played.

    Answers are chips or something to type. What equals its default is not asked, unless it may
    name somebody.
    """
    outcomes = state.game.outcomes(state.terms(deal.number, deal.serial).rules)
    others = tuple((one.value, OUTCOME_WORDS[one]) for one in outcomes if one != deal.outcome)
    current = OUTCOME_WORDS.get(Outcome(deal.outcome), say("It was played"))
    unplayed = RightAnswer(OUTCOME, say("It was not played"), current, others)
    if deal.outcome != Outcome.PLAYED or deal.sheet is None:
        return (unplayed,)
    asked = (_right_answer(state, deal, one) for one in state.game.asks(state.table_for(deal)))
    return (*(one for one in asked if one is not None), unplayed)


def _right_answer(state: SessionState, deal: DealRow, question: Question) -> RightAnswer | None:
    kind, answer = question.kind, (deal.sheet or {}).get(question.name)
    current = _words(state, question, answer)
    if kind is Seat:
        active = state.table_for(deal).active
        choices: list[tuple[str, Text | str]] = [(NUMBERS[one], state.names[one]) for one in active]
        if question.optional:
            choices.append((NOBODY, ALONE))
        offered = tuple(one for one in choices if one[1] != current)
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
    """Read what somebody says is right, choices by their codes; None where nothing is said.

    A yes or no that the answers leave no choice about is added to them. Raise InvalidError where
    the deal can't have been so, or is recorded so already.
    """
    asked = {one.name: one for one in right_answers(state, deal)}
    given = {
        name: answer.strip() if isinstance(answer, str) else answer
        for name, answer in right.items()
        if name in asked
    }
    proposal = {
        name: _read_answer(asked[name], answer) for name, answer in given.items() if answer != ""
    }
    if not proposal:
        return None
    if OUTCOME in proposal:
        proposal = {OUTCOME: proposal[OUTCOME]}
    else:
        proposal |= _implied(state, deal, proposal, asked)
    try:
        entry = proposed_entry(state, deal, proposal)
    except InvalidError as error:
        here = [Problem(one.code, "right", one.message) for one in error.problems]
        raise InvalidError(here) from error
    if (entry.outcome, entry.sheet) == (deal.outcome, deal.sheet):
        raise InvalidError([_same_answer()])
    return proposal if entry.sheet is None else {name: entry.sheet[name] for name in proposal}


def _implied(
    state: SessionState, deal: DealRow, proposal: dict[str, Any], asked: Mapping[str, RightAnswer]
) -> dict[str, Any]:
    """Turn each yes or no of the sheet that cannot stand beside what is proposed."""
    try:
        proposed_entry(state, deal, proposal)
    except InvalidError as error:
        wrong = {one.field.removeprefix("sheet.") for one in error.problems} - proposal.keys()
        return {
            name: CODES[code]
            for name in wrong & asked.keys()
            for code, words in asked[name].choices
            if words in (YES, NO)
        }
    return {}


def _read_answer(asked: RightAnswer, answer: Any) -> Any:
    """Read an answer as it is stored; what is no number is left for the sheet to refuse."""
    if asked.choices:
        if answer not in dict(asked.choices):
            raise InvalidError([_no_choice("right", answer)])
        return CODES.get(answer, answer)
    typed_number = isinstance(answer, str) and asked.high is not None and NUMBER.fullmatch(answer)
    return int(answer) if typed_number else answer


def coded_answers(state: SessionState, deal: DealRow, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a program says is right, by the players' names, with choices by their codes.

    What the sheet says already is left out. Raise InvalidError for what can't be proposed of the
    deal.
    """
    asked = {one.name: one for one in right_answers(state, deal)}
    current = {OUTCOME: deal.outcome, **(state.answers_of(deal) or {})}
    problems = [
        Problem("unknown-key", f"right.{name}", say("This can’t be proposed of the deal."))
        for name in answers
        if name not in asked
    ]
    if problems:
        raise InvalidError(problems)
    changed = {
        name: answer
        for name, answer in answers.items()
        if name not in current or current[name] != answer
    }
    if answers and not changed:
        raise InvalidError([_same_answer()])
    return {name: _coded(asked[name], answer) for name, answer in changed.items()}


def _coded(asked: RightAnswer, answer: Any) -> Any:
    """Replace null, true, false and the name of a player by the code; leave other answers."""
    for code, value in CODES.items():
        if answer is value:
            return code
    seats = {words: number for number, words in asked.choices if isinstance(words, str)}
    if seats and str(answer) not in seats:
        raise InvalidError([_no_choice(f"right.{asked.name}", answer)])
    return seats.get(str(answer), answer)


def named_answers(
    state: SessionTerms, version: VersionRow, proposal: Mapping[str, Any]
) -> dict[str, Any]:
    """Write what was proposed of a version of a deal by the players' names."""
    if OUTCOME in proposal:
        return {**proposal}
    proposed = replace(version, sheet={**(version.sheet or {}), **proposal})
    answers = state.answers_of(proposed) or {}
    return {name: answers.get(name, answer) for name, answer in proposal.items()}


def _no_choice(path: str, answer: Any) -> Problem:
    return Problem("unknown-choice", path, say("There is no choice %(word)s here.", word=answer))


def _same_answer() -> Problem:
    return Problem("same-answer", "right", say("This is what stands there already."))


def proposed_entry(state: SessionState, deal: DealRow, proposal: Mapping[str, Any]) -> ScoredEntry:
    """Score a deal as it stands with what is proposed; raise InvalidError where it can't be so."""
    outcome, answers = proposed_answers(state, deal, proposal)
    table = state.table_for(deal, with_balances=True)
    return score_entry(state.game, table, outcome, answers)


def proposed_answers(
    state: SessionState, deal: DealRow, proposal: Mapping[str, Any]
) -> tuple[Outcome, dict[str, Any] | None]:
    """Give the outcome and the sheet that are proposed, as a phone would send them."""
    if OUTCOME in proposal:
        return Outcome(proposal[OUTCOME]), None
    if deal.outcome != Outcome.PLAYED or deal.sheet is None:
        message = say("By now the deal counts as not played.")
        raise InvalidError([Problem("not-played", OUTCOME, message)])
    proposed = replace(deal, sheet={**deal.sheet, **proposal})
    return Outcome.PLAYED, state.answers_of(proposed)


def proposal_text(state: SessionState, proposal: Mapping[str, Any]) -> Text:
    """Tell a proposal in a line: ``Partner: Rosa``."""
    if OUTCOME in proposal:
        return OUTCOME_WORDS[Outcome(proposal[OUTCOME])]
    asked = {one.name: one for one in questions(state.game.sheet_type)}
    answers = [
        say(
            "%(label)s: %(value)s", label=asked[name].label, value=_words(state, asked[name], value)
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
