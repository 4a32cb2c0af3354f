"""Deals of the games without an auction, by their requests."""

from typing import Any

from scorer.games import find_game
from scorer.operations import score
from scorer.rules.game import Table
from scorer.rules.seats import all_seats
from tests.data.examples import NAMES


def request(
    game: str, sheet: dict[str, Any], count: int = 2, rules: object = None
) -> dict[str, Any]:
    """Ask to score a deal among the first so many people."""
    return {"game": game, "rules": rules, "seats": list(NAMES[:count]), "sheet": sheet}


def paid(game: str, sheet: dict[str, Any], count: int = 2, rules: object = None) -> list[int]:
    """Score a sound deal: what each player is paid, in order of play."""
    answer = score(request(game, sheet, count, rules))
    assert answer["ok"], answer["problems"]
    return list(answer["payouts"].values())


def reasons(game: str, sheet: dict[str, Any], count: int = 2, rules: object = None) -> list[str]:
    """Score a sound deal: the sentences of its why."""
    answer = score(request(game, sheet, count, rules))
    assert answer["ok"], answer["problems"]
    return [step["text"] for step in answer["why"]]


def table(game: str, count: int = 2, rules: object = None) -> Table[Any]:
    """Seat so many people by some rules."""
    read, problems = find_game(game).rules_from(rules)
    assert problems == []
    return Table(read, NAMES[:count], all_seats(count))


def problems(
    game: str, sheet: dict[str, Any], count: int = 2, rules: object = None
) -> list[tuple[str, str]]:
    """Score a deal with faults: the code and the field of each."""
    answer = score(request(game, sheet, count, rules))
    return [
        (problem["code"], problem["field"].removeprefix("sheet."))
        for problem in answer.get("problems", [])
    ]
