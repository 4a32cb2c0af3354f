"""What a dispute may say is right, in place of what a deal says."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from scorer.errors import InvalidError, Problem, refuse
from scorer.evening.deal import Deal
from scorer.evening.judging import NUMBERS, OUTCOME_WORDS, JudgedDeal, StoredDeal, judged
from scorer.evening.walk import Walk
from scorer.rules.game import Outcome
from scorer.rules.questions import Question, questions
from scorer.rules.seats import Seat
from scorer.texts import Text, about, listed, say

OUTCOME, NOBODY = "outcome", "nobody"
#: What a sheet says for the code of a choice, where it doesn't say the code.
CODES = {NOBODY: None, "yes": True, "no": False}
NUMBER = re.compile("[0-9]{1,9}")
YES, NO, ALONE = say("yes"), say("no"), say("nobody")
SAME_ANSWER = Problem("same-answer", "right", say("The deal already says that."))


class RightAnswer(NamedTuple):
    """A question that a dispute may answer: by one of the choices, or typed where there are none.

    ``current`` is the answer on the sheet. A choice has a code and words: the code of a player is
    the seat number. ``place`` is where the current answer stands among the choices. ``high`` is the
    highest number, None for a text.
    """

    name: str
    label: Text | str
    current: Text | str
    choices: tuple[tuple[str, Text | str], ...] = ()
    high: int | None = None
    place: int = 0

    @property
    def all_choices(self) -> tuple[tuple[str, Text | str], ...]:
        """The choices in their order, and among them the current answer, without a code."""
        return (*self.choices[: self.place], ("", self.current), *self.choices[self.place :])


def right_answers(evening: Walk, deal: Deal) -> tuple[RightAnswer, ...]:
    """List what a dispute may propose of a deal: answers of its sheet, or that it was not played.

    Answers are chips or typed text. A question with its default answer is left out, unless its
    answer may be a player.
    """
    outcomes = evening.game.outcomes(deal.entry.table.rules)
    others = tuple((each.value, OUTCOME_WORDS[each]) for each in outcomes if each != deal.outcome)
    current = OUTCOME_WORDS.get(Outcome(deal.outcome), say("It was played"))
    unplayed = RightAnswer(OUTCOME, say("It was not played"), current, others)
    if deal.outcome != Outcome.PLAYED or deal.entry.stored is None:
        return (unplayed,)
    asks = evening.game.asks(deal.entry.table)
    return (*filter(None, (_right_answer(evening, deal, each) for each in asks)), unplayed)


def _right_answer(evening: Walk, deal: Deal, question: Question) -> RightAnswer | None:
    kind, answer = question.kind, (deal.entry.stored or {}).get(question.name)
    current = _words(evening, question, answer)
    if kind is Seat:
        active = deal.entry.table.active
        choices: list[tuple[str, Text | str]] = [
            (NUMBERS[seat], evening.names[seat]) for seat in active
        ]
        if question.optional:
            choices.append((NOBODY, ALONE))
        offered = tuple(choice for choice in choices if choice[1] != current)
        place = [words for _, words in choices].index(current) if len(offered) < len(choices) else 0
        return RightAnswer(question.name, question.label, current, offered, place=place)
    if answer is None or answer == question.default:
        return None
    if kind is bool:
        other = ("no", NO) if answer else ("yes", YES)
        return RightAnswer(question.name, question.label, current, (other,), place=int(not answer))
    if kind is int:
        return RightAnswer(question.name, question.label, current, high=question.ask.high or 9_999)
    typed = hasattr(kind, "say_wire")
    return RightAnswer(question.name, question.label, current) if typed else None


def read_proposal(evening: Walk, deal: Deal, right: Mapping[str, Any]) -> dict[str, Any] | None:
    """Read a proposal, with choices by their codes; None if it is empty.

    A yes or no that follows from the answers is added. Raise InvalidError if the deal is impossible
    with it, or recorded so already.
    """
    by_name = {question.name: question for question in right_answers(evening, deal)}
    given = {
        name: answer.strip() if isinstance(answer, str) else answer
        for name, answer in right.items()
        if name in by_name
    }
    proposal = {
        name: _read_answer(by_name[name], answer) for name, answer in given.items() if answer != ""
    }
    if not proposal:
        return None
    if OUTCOME in proposal:
        proposal = {OUTCOME: proposal[OUTCOME]}
    else:
        proposal |= _implied(evening, deal, proposal, by_name)
    try:
        entry = proposed_entry(evening, deal, proposal)
    except InvalidError as error:
        here = [Problem(problem.code, "right", problem.message) for problem in error.problems]
        raise InvalidError(here) from error
    sheet = entry.stored
    if (entry.outcome, sheet) == (deal.outcome, deal.entry.stored):
        raise InvalidError([SAME_ANSWER])
    return proposal if sheet is None else {name: sheet[name] for name in proposal}


def _implied(
    evening: Walk, deal: Deal, proposal: dict[str, Any], right: Mapping[str, RightAnswer]
) -> dict[str, Any]:
    """Flip each yes or no of the sheet that contradicts the proposal."""
    try:
        proposed_entry(evening, deal, proposal)
    except InvalidError as error:
        wrong = {problem.field.removeprefix("sheet.") for problem in error.problems}
        return {
            name: CODES[code]
            for name in wrong & right.keys() - proposal.keys()
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
    typed = isinstance(answer, str) and question.high is not None
    return int(answer) if typed and NUMBER.fullmatch(answer) else answer


def coded_answers(evening: Walk, deal: Deal, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the proposal of a program, which has players' names, with choices by their codes.

    Answers equal to the sheet's are left out. Raise InvalidError for questions that can't be
    proposed.
    """
    by_name = {question.name: question for question in right_answers(evening, deal)}
    current = {OUTCOME: deal.outcome, **(deal.entry.answers(evening.names) or {})}
    refuse(
        Problem("unknown-key", f"right.{name}", say("A dispute can’t propose this."))
        for name in answers
        if name not in by_name
    )
    changed = {
        name: answer
        for name, answer in answers.items()
        if name not in current or current[name] != answer
    }
    if answers and not changed:
        raise InvalidError([SAME_ANSWER])
    return {name: _coded(by_name[name], answer) for name, answer in changed.items()}


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


def proposed_entry(evening: Walk, deal: Deal, proposal: Mapping[str, Any]) -> JudgedDeal:
    """Score a deal as it stands with a proposal; raise InvalidError if that is impossible."""
    outcome, answers = proposed_answers(evening, deal, proposal)
    return judged(evening.game, deal.entry.table, outcome, answers)


def proposed_answers(
    evening: Walk, deal: Deal, proposal: Mapping[str, Any]
) -> tuple[Outcome, dict[str, Any] | None]:
    """Return the proposed outcome and sheet, as a phone would send them."""
    if OUTCOME in proposal:
        return Outcome(proposal[OUTCOME]), None
    if deal.outcome != Outcome.PLAYED or deal.entry.stored is None:
        raise InvalidError.of("not-played", OUTCOME, say("By now the deal counts as not played."))
    entry = StoredDeal(*deal.entry[:3], {**deal.entry.stored, **proposal})
    return Outcome.PLAYED, entry.answers(evening.names)


def proposal_text(evening: Walk, proposal: Mapping[str, Any]) -> Text:
    """Describe a proposal in a line: ``Partner: Rosa``."""
    if OUTCOME in proposal:
        return OUTCOME_WORDS[Outcome(proposal[OUTCOME])]
    by_name = {question.name: question for question in questions(evening.game.sheet_type)}
    answers = []
    for name, value in proposal.items():
        words = _words(evening, by_name[name], value)
        answers.append(say("%(label)s: %(value)s", label=by_name[name].label, value=words))
    return listed(answers)


def _words(evening: Walk, question: Question, value: Any) -> Text | str:
    kind = question.kind
    if value is None:
        return ALONE
    if kind is Seat:
        return evening.names[int(value)]
    if hasattr(kind, "say_wire"):
        return kind.say_wire(value, evening.game.deck(evening.terms.rules))  # type: ignore[no-any-return]  # as a bid does
    return (NO, YES)[value] if isinstance(value, bool) else str(value)
