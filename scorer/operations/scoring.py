"""``score``: pay one deal and say why."""

from typing import Any

from scorer.evening.setting import read_setting, require
from scorer.operations.requests import Answer, Translate, problem_list, refused
from scorer.rules.game import Score, Table
from scorer.rules.sheet import Reading, placed, read_object

KEYS = frozenset({"id", "game", "rules", "seats", "sheet", "dealer"})


def score(request: object, translate: Translate = str) -> Answer:
    """Answer one request: the payouts and their reasons, or every problem with its field."""
    reading = Reading()
    request = read_object(request, KEYS, reading)
    if request is None:
        return refused(None, reading, translate)
    has_sheet = require(request, "sheet", reading)
    setting = read_setting(request, reading)
    if setting is None or not has_sheet:
        return refused(request.get("id"), reading, translate)
    reading.at(setting.seats, setting.deck)
    table = setting.table(setting.read_dealer(request.get("dealer"), reading))
    sheet, problems = setting.game.read_sheet(request["sheet"], table)
    reading.problems += problems
    if reading.problems:
        return refused(request.get("id"), reading, translate)
    return {
        "id": request.get("id"),
        "ok": True,
        **paid(setting.game.score(sheet, table), table, translate),
        "warnings": problem_list(placed(setting.game.warnings(sheet, table), "sheet"), translate),
    }


def paid(score: Score, table: Table[Any], translate: Translate) -> Answer:
    """Write a score with the players' names, step by step."""
    return {
        "made": score.made,
        "payouts": {table.name(seat): amount for seat, amount in score.payouts.items()},
        "why": [{"rule": step.rule, "text": translate(step.text)} for step in score.steps],
    }
