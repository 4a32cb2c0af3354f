"""``score``: pay one deal and say why."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.rules.seats import all_seats
from scorer.rules.sheet import Reading
from scorer.rules.sheet import unknown_keys
from scorer.texts import say
from scorer.verbs.requests import problem_list
from scorer.verbs.requests import read_player
from scorer.verbs.requests import read_setting
from scorer.verbs.requests import require

if TYPE_CHECKING:
    from scorer.rules.game import Score
    from scorer.verbs.requests import Answer
    from scorer.verbs.requests import Setting
    from scorer.verbs.requests import Translate

KEYS = frozenset({"id", "game", "rules", "seats", "sheet", "dealer"})


def score(request: object, translate: Translate = str) -> Answer:
    """Answer one request: the payouts and their reasons, or every problem with its field."""
    reading = Reading()
    if not isinstance(request, dict):
        reading.fault("wrong-type", "", say("An object with named fields is needed."))
        return _refused(None, reading, translate)
    unknown_keys(request, KEYS, reading, "")
    has_sheet = require(request, "sheet", reading)
    setting = read_setting(request, reading)
    if setting is None or not has_sheet:
        return _refused(request.get("id"), reading, translate)
    table = _table(request, setting, reading)
    sheet, problems = setting.game.read_sheet(request["sheet"], table)
    reading.problems += problems
    if reading.problems:
        return _refused(request.get("id"), reading, translate)
    answer = {"id": request.get("id"), "ok": True}
    answer |= paid(setting.game.score(sheet, table), table, translate)
    warnings = setting.game.warnings(sheet, table, "sheet")
    return {**answer, "warnings": problem_list(warnings, translate)}


def _table(request: dict[str, Any], setting: Setting, reading: Reading) -> Table[Any]:
    """Who plays: where the dealer sits out, the request says who deals."""
    game, rules, seats = setting
    name = request.get("dealer")
    if name is None:
        if len(game.active(Seat(0), all_seats(len(seats)), rules)) < len(seats):
            reading.fault("missing-key", "dealer", say("The dealer sits out: who deals?"))
        return Table(rules, seats, all_seats(len(seats)))
    dealer = read_player(name, seats, reading, "dealer")
    active = (
        all_seats(len(seats))
        if dealer is None
        else game.active(dealer, all_seats(len(seats)), rules)
    )
    return Table(rules, seats, active)


def _refused(request_id: object, reading: Reading, translate: Translate) -> Answer:
    return {"id": request_id, "ok": False, "problems": problem_list(reading.problems, translate)}


def paid(score: Score, table: Table[Any], translate: Translate) -> Answer:
    """Write a score with the players' names, step by step."""
    return {
        "made": score.made,
        "payouts": {table.name(seat): amount for seat, amount in score.payouts.items()},
        "why": [{"rule": step.rule, "text": translate(step.text)} for step in score.steps],
    }
