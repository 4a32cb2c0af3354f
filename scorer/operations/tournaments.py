"""``tournament``: the standings and the next turn of a club evening."""

from collections.abc import Sequence
from typing import Any

from scorer.operations.requests import Answer, Translate, problem_list
from scorer.rules.sheet import Reading
from scorer.tournaments.facts import Kind, Side
from scorer.tournaments.standings import Row
from scorer.tournaments.tournament import Outcome, Warned, outcome


def tournament(document: object, translate: Translate = str) -> Answer:
    """Answer a tournament: who stands where, who sits where next, and every problem in it.

    >>> entries = [{"id": "a", "name": "Ada"}, {"id": "b", "name": "Bea"}]
    >>> played = {"tables": [{"sides": ["a", "b"], "scores": [11, 7]}]}
    >>> plan = {"kind": "round-robin"}
    >>> answer = tournament({"entries": entries, "plan": plan, "rounds": [played]})
    >>> answer["winner"], [(row["entry"], row["points"]) for row in answer["standings"]]
    ('a', [('a', 3), ('b', 0)])
    """
    reading = Reading()
    came_to = outcome(document, reading)
    problems = problem_list(reading.problems, translate)
    for problem in problems:
        if problem["code"] == "too-many-rounds":
            problem["fits"] = came_to.fits
    return {
        "ok": not problems,
        "standings": [row_json(row) for row in came_to.standings],
        "next": _next(came_to),
        "fits": came_to.fits,
        "finished": came_to.finished,
        "winner": came_to.winner,
        "problems": problems,
        "warnings": [_warning(warned, translate) for warned in came_to.warnings],
    }


def row_json(row: Row) -> Answer:
    return {
        "place": row.place,
        "entry": row.entry,
        "points": row.points,
        "played": row.played,
        "difference": row.difference,
        "scored": row.scored,
        "conceded": row.conceded,
        "wins": row.wins,
        "broken_by": row.broken_by and row.broken_by.value,
    }


def _next(came_to: Outcome) -> Answer | None:
    seating = came_to.next
    if seating is None:
        return None
    tables = [
        {"table": number, "sides": _sides(sides, came_to.kind)}
        for number, sides in enumerate(seating.tables, 1)
    ]
    return {"round": came_to.turn, "tables": tables, "byes": seating.byes}


def _sides(sides: Sequence[Side], kind: Kind | None) -> list[Any]:
    """Write the sides of a table: ids, or lists of two partners."""
    return [[*side] if kind is Kind.INDIVIDUAL else side[0] for side in sides]


def _warning(warned: Warned, translate: Translate) -> Answer:
    return {
        "code": warned.code,
        "field": warned.field,
        "entries": [*warned.entries],
        "message": translate(warned.message),
    }
