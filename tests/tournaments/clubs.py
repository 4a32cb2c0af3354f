"""Club evenings for the tests: a document, and turns played as they are drawn."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from scorer.operations import tournament

Document = dict[str, Any]
Scores = Callable[[int, Sequence[Any]], list[int]]


def club(count: int, **changes: Any) -> Document:
    """Give a document of so many entries e1, e2 …; what is no key of it is one of its plan."""
    keys = ("apart", "bye", "points", "ties", "seed", "game")
    plan = {key: value for key, value in changes.items() if key not in keys}
    entries = [{"id": f"e{number}", "name": f"Entry {number}"} for number in range(1, count + 1)]
    return {
        "entries": entries,
        "plan": plan,
        **{key: value for key, value in changes.items() if key in keys},
    }


def first_wins(_: int, sides: Sequence[Any]) -> list[int]:
    return [len(sides) - place for place in range(len(sides))]


def drawn(document: Document) -> Document:
    """Give the next turn, which has to be there."""
    answer = tournament(document)
    assert answer["problems"] == []
    assert answer["next"] is not None
    return dict(answer["next"])


def with_turn(document: Document, scores: Scores = first_wins) -> Document:
    """Give the document with its next turn played."""
    turn = drawn(document)
    tables = [
        {**table, "scores": scores(table["table"], table["sides"])} for table in turn["tables"]
    ]
    return {**document, "rounds": [*document.get("rounds", []), {**turn, "tables": tables}]}


def played(document: Document, turns: int, scores: Scores = first_wins) -> Document:
    """Give the document with so many turns played as they are drawn."""
    for _ in range(turns):
        document = with_turn(document, scores)
    return document


def people(side: Any) -> list[str]:
    return side if isinstance(side, list) else [side]


def opponents(document: Document) -> list[frozenset[str]]:
    """Give every meeting of two opponents."""
    return [
        frozenset((one, other))
        for turn in document["rounds"]
        for table in turn["tables"]
        for left, right in combinations(table["sides"], 2)
        for one in people(left)
        for other in people(right)
    ]


def partners(document: Document) -> list[frozenset[str]]:
    tables = [table for turn in document["rounds"] for table in turn["tables"]]
    return [frozenset(side) for table in tables for side in table["sides"]]


def rests(document: Document) -> list[str]:
    return [entry for turn in document["rounds"] for entry in turn["byes"]]


def sides(document: Document) -> list[list[Any]]:
    """Give who sits at each table of the next turn."""
    return [table["sides"] for table in drawn(document)["tables"]]


def codes(document: Document) -> list[tuple[str, str]]:
    return [(problem["code"], problem["field"]) for problem in tournament(document)["problems"]]


def places(document: Document) -> dict[str, int]:
    return {row["entry"]: row["place"] for row in tournament(document)["standings"]}


def turn(*tables: str, **more: Any) -> dict[str, Any]:
    """Give a turn of tables of two: ``1-4 3-1`` are e1 and e4, who scored 3 and 1."""
    written = []
    for table in tables:
        pair, _, scores = table.partition(" ")
        written.append(
            {
                "sides": [f"e{number}" for number in pair.split("-")],
                "scores": [int(score) for score in scores.split("-")] if scores else None,
            }
        )
    return {"tables": written, **more}
