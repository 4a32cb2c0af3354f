"""The operations over HTTP, without database or login."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from time import sleep
from typing import Annotated, Any

from flask import jsonify, request
from werkzeug.wrappers import Response

from scorer import operations
from scorer.api.answers import as_json, speaker
from scorer.api.routes import OPERATIONS, Operation, read_body, read_document
from scorer.cards.notation.files import begins
from scorer.documents import repeated_keys
from scorer.errors import UnknownGameError
from scorer.evening.document import SessionFile
from scorer.evening.setting import unknown_game
from scorer.operations.checking import CardRecord, Checked, CheckedFile, CheckedSides
from scorer.operations.requests import Failure, Refusal
from scorer.operations.scoring import Replayed, Scored, ScoreRequest
from scorer.operations.solving import SolvedDeal, SolveRequest
from scorer.operations.tournaments import TournamentOutcome
from scorer.routes import Routes
from scorer.rules.questions import Ask, Json
from scorer.services.files.notebook_files import ReadTable, table_document
from scorer.shapes import RuleSet
from scorer.texts import Text
from scorer.tournaments.reading import TournamentFile

Run = Callable[[object, Callable[[Text], str]], dict[str, Any]]
Reply = tuple[Response, HTTPStatus]


@dataclass(frozen=True, slots=True)
class OldTable:
    """An old table, as text or as a file."""

    text: Annotated[str, Ask("The table as text")] = ""
    file: Annotated[bytes, Ask("A file in base64, instead of the text")] = b""
    name: Annotated[str, Ask("The name of the file")] = ""
    people: Annotated[tuple[str, ...], Ask("The people, each as NAME or NAME=NICKNAME")] = ()
    answers: Annotated[Json, Ask("What was open: row, day, order, columns")] = field(
        default_factory=Json
    )


blueprint = Routes("operations", __name__, url_prefix="/api/v1")


@blueprint.post("/score", limit="api")
def score() -> Reply:
    """Pay one deal and say why, as `scorer score` does with a line."""
    return _answer(operations.score)


@blueprint.post("/check", limit="api")
def check() -> Reply:
    """Examine a trick record, or each deal of a file; ``problems`` concern the whole file."""
    text = request.get_data().decode(errors="replace")
    if not begins(text):
        return _answer(operations.check)
    answers = []
    for answer in operations.check_file(text, speaker()):
        answers.append(answer)
        sleep(0)  # other requests of this worker go on meanwhile
    deals = [answer for answer in answers if answer["id"] is not None]
    problems = [p for answer in answers if answer["id"] is None for p in answer["problems"]]
    sound = all(answer["ok"] for answer in answers)
    return _reply({"ok": sound, "deals": deals, "problems": problems})


@blueprint.post("/solve", limit="api")
def solve() -> Reply:
    """Solve a deal with all cards open, for a second at most."""

    def watch(_: int) -> bool:
        sleep(0)  # other requests of this worker go on meanwhile
        return True

    return _answer(partial(operations.solve, watch=watch, seconds=1, memory=48))


@blueprint.post("/replay", limit="api")
def replay() -> Reply:
    """Play a session file again, as `scorer replay` does."""
    return _answer(operations.replay)


@blueprint.post("/tournament", limit="api")
def tournament() -> Reply:
    """Return the standings and the next turn of a tournament; nothing is stored."""
    return _answer(operations.tournament)


@blueprint.post("/import-table", limit="api", largest=3 * 1024 * 1024, sandboxed=True)
def import_table() -> Reply:
    """Read an old table, with the answers so far; write nothing."""
    table = read_body(OldTable)
    content = table.file or table.text.encode()
    answer = table_document(content, table.people, table.answers, speaker())
    fault = "problems" in answer
    return as_json(answer), HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK


@blueprint.get("/rules")
@blueprint.get("/rules/<game>")
def rules(game: str | None = None) -> Response:
    """List the presets of a game, or those with that in their name, or all."""
    return jsonify(operations.rule_sets(game))


@blueprint.errorhandler(UnknownGameError)
def answer_unknown_game(error: UnknownGameError) -> Reply:
    problems = operations.problem_list([unknown_game(str(error))], speaker())
    return jsonify(ok=False, problems=problems), HTTPStatus.NOT_FOUND


for _view, _body, _answers, _refused in (
    (score, ScoreRequest, [Scored], Refusal),
    (
        check,
        CardRecord,
        [Checked | CheckedSides | CheckedFile],
        Checked | CheckedSides | Refusal,
    ),
    (solve, SolveRequest, [SolvedDeal], Refusal),
    (replay, SessionFile, [Replayed], Replayed),
    (tournament, TournamentFile, [TournamentOutcome], TournamentOutcome),
    (import_table, OldTable, [ReadTable], Failure),
):
    _name, _failures = _view.__name__, {"422": _refused}
    _path = f"/{_name.replace('_', '-')}"
    OPERATIONS.append(Operation("post", _path, _name, _view, _answers, _body, failures=_failures))
_unknown = {"404": Failure}
OPERATIONS.append(Operation("get", "/rules", "rules", rules, [list[RuleSet]]))
OPERATIONS.append(
    Operation("get", "/rules/<game>", "rules_of_game", rules, [list[RuleSet]], failures=_unknown)
)


def _answer(operation: Run) -> Reply:
    """Run an operation on a JSON body, whatever its content type."""
    speak, document = speaker(), read_document()
    repeated = repeated_keys(request.get_data(), document)
    return _reply(operations.with_repeated(operation(document, speak), repeated, speak))


def _reply(answer: dict[str, Any]) -> Reply:
    return as_json(answer), HTTPStatus.OK if answer["ok"] else HTTPStatus.UNPROCESSABLE_ENTITY
