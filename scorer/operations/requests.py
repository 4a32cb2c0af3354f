"""What all answers share: the list of problems, and unreadable requests."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from scorer.errors import MOST_PROBLEMS, Problem
from scorer.shapes import GameSlug, Name, RulesChoice, Shape, gives, written
from scorer.texts import Text, say

Translate = Callable[[Text], str]
Answer = dict[str, Any]

MORE = "too-many-problems"


class ListedProblem(Shape):
    """One fault, or what is odd but may have been so."""

    code: str = gives("A code that never changes.")
    field: str = gives("The path of the field.")
    message: str = gives("A sentence in the reader's language.")


class Failure(Shape):
    """What is wrong with a request."""

    ok: Literal[False] = gives("Always false.")
    problems: list[ListedProblem] = gives("All problems, at least one.")


class Request(Shape):
    """What the operations on a deal need."""

    id: object = gives("Anything: it comes back with the answer.", unsaid=True)
    game: GameSlug = gives("The game.")
    rules: RulesChoice = gives("A preset, or an object merged deeply over one.", unsaid=True)
    seats: list[Name] = gives("The names in order of play.")
    dealer: Name | None = gives("Who dealt; needed where the dealer sits out.", unsaid=True)


class Refusal(Failure):
    """What is wrong with a request that has an id."""

    id: object = gives("The id of the request, or null.")


def not_json(translate: Translate = str) -> Answer:
    """Answer a request that can't be read at all."""
    return refused(None, [Problem("malformed-json", "", say("This is not JSON."))], translate)


def with_repeated(answer: Answer, paths: Sequence[str], translate: Translate) -> Answer:
    """Add a warning for each key that the document had more than once, where there are any."""
    if not paths or "warnings" not in answer:
        return answer
    findings = "winners" in answer and "standings" not in answer
    warnings = []
    for path in paths:
        message = say("The key %(key)s is there more than once: the last one counts.", key=path)
        where = {"where": {"key": path}} if findings else {"field": path}
        warnings.append({"code": "duplicate-key", **where, "message": translate(message)})
    return {**answer, "warnings": answer["warnings"] + warnings}


def refused(request_id: object, problems: Sequence[Problem], translate: Translate) -> Answer:
    return {"id": request_id, "ok": False, "problems": problem_list(problems, translate)}


def problem_list(problems: Sequence[Problem], translate: Translate) -> list[Answer]:
    return [written(ListedProblem, problem, translate) for problem in first_problems(problems)]


def first_problems(problems: Sequence[Problem]) -> list[Problem]:
    """Return the first hundred problems, then how many more there are."""
    shown = [*problems[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        shown.append(Problem(MORE, "", more_problems(len(problems))))
    return shown


def more_problems(total: int) -> Text:
    return say("More were found: %(count)s, and perhaps not all.", count=total - MOST_PROBLEMS)
