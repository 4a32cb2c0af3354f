"""``check`` and ``solve`` for a file of deals: an answer a deal, in the order of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.errors import MOST_PROBLEMS, InvalidError, Problem
from scorer.operations.checking import examined_answer
from scorer.operations.requests import MORE, problem_list
from scorer.operations.solving import USUAL_SECONDS, problems_of, solved_answer
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scorer.cards.engine import CardDeal
    from scorer.cards.solver.search import Watch
    from scorer.operations.requests import Answer, Translate


def check_file(text: str, translate: Translate = str) -> Iterator[Answer]:
    """Examine each deal of a file; the number of a deal is the ``id`` of its answer."""

    def checked(number: int, deal: CardDeal) -> Answer:
        return examined_answer(number, deal.examined, deal.table.seats, translate)

    return _answers(text, checked, translate)


def solve_file(
    text: str,
    translate: Translate = str,
    watch: Watch = lambda _: True,
    *,
    seconds: float = USUAL_SECONDS,
    memory: int = 400,
) -> Iterator[Answer]:
    """Say after which cards of each deal the target was still reached, all cards open."""
    from scorer.cards import engine  # late: the other commands need no cards
    from scorer.cards.solver.open_deal import SolverGoal

    def solved(number: int, deal: CardDeal) -> Answer:
        opened = deal.open_cards()
        if isinstance(opened, list):
            raise InvalidError(problems_of(opened))
        limit = {"seconds": seconds, "memory": memory}
        return solved_answer(
            number, opened, engine.solve(opened, SolverGoal.VERDICTS, None, limit, watch)
        )

    return _answers(text, solved, translate)


def _answers(
    text: str, answer: Callable[[int, CardDeal], Answer], translate: Translate
) -> Iterator[Answer]:
    """Answer each deal; one that can't be read gets its problems, with line and column."""
    from scorer.cards import deal_files

    try:
        parts = deal_files.split(text)
    except InvalidError as error:
        yield _refused(None, error.problems, translate)
        return
    problem_count = 0
    for part in parts.deals:
        try:
            yield answer(part.number, parts.read(part))
        except InvalidError as error:
            yield _refused(part.number, [*map(part.placed, error.problems)], translate)
            problem_count += len(error.problems)
        if problem_count > MOST_PROBLEMS:
            message = say("So much is wrong here that the rest was not read.")
            yield _refused(None, [Problem(MORE, "", message)], translate)
            return


def _refused(number: int | None, problems: Sequence[Problem], translate: Translate) -> Answer:
    return {"id": number, "ok": False, "problems": problem_list(problems, translate)}
