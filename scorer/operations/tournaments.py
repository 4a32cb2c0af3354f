"""``tournament``: the standings and the next turn of a club evening."""

from collections.abc import Iterable

from scorer.operations.requests import Answer, ListedProblem, Translate, problem_list
from scorer.rules.questions import Reading
from scorer.shapes import Shape, gives, written
from scorer.tournaments.facts import Sides, TieBreak, written_side
from scorer.tournaments.tournament import outcome


class EntryLine(Shape):
    """An entry in the standings of a tournament."""

    place: int = gives("The place; who is level shares it.")
    entry: str = gives("The id of the entry.")
    points: int = gives("Its points.")
    played: int = gives("The tables that it has played.")
    difference: int = gives("What it scored less what was scored against it.")
    scored: int = gives("What it scored.")
    conceded: int = gives("What was scored against it.")
    wins: int = gives("The tables that it won.")
    broken_by: TieBreak | None = gives("What puts it below its neighbour on the same points.")


class DrawnTable(Shape):
    """A table of the next turn."""

    table: int = gives("Its number.")
    sides: list[str | list[str]] = gives("The sides: entries, or pairs of partners.")


class DrawnTurn(Shape):
    """The next turn."""

    round: int = gives("Its number.")
    tables: list[DrawnTable] = gives("The tables.")
    byes: list[str] = gives("The entries that rest.")


class TournamentProblem(ListedProblem):
    """One fault of a tournament."""

    fits: int = gives("How many turns fit, beside too-many-rounds.", unsaid=True)


class TournamentWarning(ListedProblem):
    """A rule that the next turn can't keep."""

    entries: list[str] = gives("The two whom it is about.")


class TournamentOutcome(Shape):
    """What a tournament comes to; one with problems has no standings."""

    ok: bool = gives("Whether there are no problems.")
    standings: list[EntryLine] = gives("The standings, the first one first.")
    next: DrawnTurn | None = gives("The next turn; null while a table plays, and at the end.")
    fits: int | None = gives("How many turns fit without a meeting twice.")
    finished: bool = gives("Whether it is over.")
    winner: str | None = gives("Who has won.")
    problems: list[TournamentProblem] = gives("What is wrong with the document.")
    warnings: list[TournamentWarning] = gives("What the next turn can't keep.")


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
    seating = came_to.next
    problems = problem_list(reading.problems, translate)
    for problem in problems:
        if problem["code"] == "too-many-rounds":
            problem["fits"] = came_to.fits
    return {
        "ok": not problems,
        "standings": [written(EntryLine, row) for row in came_to.standings],
        "next": seating and drawn_turn(came_to.turn, seating.tables, seating.byes, came_to.kind),
        "fits": came_to.fits,
        "finished": came_to.finished,
        "winner": came_to.winner,
        "problems": problems,
        "warnings": [written(TournamentWarning, warned, translate) for warned in came_to.warnings],
    }


def drawn_turn(turn: int, tables: list[Sides], byes: Iterable[str], kind: str | None) -> Answer:
    """Write who sits where in a turn, and who rests."""
    written_tables = [
        {"table": number, "sides": [written_side(side, kind) for side in sides]}
        for number, sides in enumerate(tables, 1)
    ]
    return {"round": turn, "tables": written_tables, "byes": [*byes]}
