"""``replay``: play a session file again, deal by deal, to its balances, standings and end."""

from collections.abc import Sequence

from scorer.errors import MOST_PROBLEMS, Problem
from scorer.evening.document import read_document
from scorer.evening.evening import Evening
from scorer.operations.requests import Answer, Translate, problem_list
from scorer.rules.sheet import Reading


def replay(document: object, translate: Translate = str) -> Answer:
    """Answer a session file: every deal's payouts and balances, the standings, and the end."""
    evening, problems, warnings = played(document)
    nothing: Answer = {"deals": [], "standings": [], "finished": False, "winners": []}
    answer = {
        "ok": not problems,
        **(nothing if evening is None else _outcome(evening)),
        "problems": problem_list(problems, translate),
        "warnings": problem_list(warnings, translate),
    }
    if evening and evening.result.victory_points is not None:
        names = evening.names
        answer["victory_points"] = {
            names[seat]: points for seat, points in evening.result.victory_points.items()
        }
    return answer


def played(document: object) -> tuple[Evening | None, Sequence[Problem], Sequence[Problem]]:
    """Play a session file again; return its evening if nothing is wrong, problems and warnings.

    Of many warnings those come first that tell where the end was.
    """
    reading = Reading()
    reader = read_document(document, reading, Evening)
    evening = reader.evening if reader and not reading.problems else None
    warnings = reader.warnings if reader else []
    if len(warnings) > MOST_PROBLEMS:
        warnings = sorted(warnings, key=lambda one: one.code != "played-on")
    return evening, reading.problems, warnings


def _outcome(evening: Evening) -> Answer:
    """Write every deal, the standings and the end, by the players' names."""
    names, progress = evening.names, evening.progress
    return {
        "deals": [
            {
                "number": deal.number,
                "dealer": deal.dealer,
                "payouts": deal.payouts,
                "balances": {names[seat]: balance for seat, balance in deal.totals.items()},
            }
            for deal in evening.deals
        ],
        "standings": [
            {"place": place, "player": name, "balance": balance}
            for place, name, balance in evening.standings()
        ],
        "finished": progress.finished,
        "winners": [*progress.winners],
    }
