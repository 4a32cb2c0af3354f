"""``check``: examine a deal that was written down card by card, and compare it with the claim."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading
from scorer.rules.sheet import unknown_keys
from scorer.texts import say
from scorer.verbs.requests import problem_list
from scorer.verbs.requests import read_player
from scorer.verbs.requests import read_setting

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Mapping

    from scorer.rules.findings import Examined
    from scorer.rules.findings import Finding
    from scorer.verbs.requests import Answer
    from scorer.verbs.requests import Setting
    from scorer.verbs.requests import Translate

KEYS = frozenset({
    "id", "game", "rules", "seats", "dealer", "claim", "auction", "hands", "discards", "tricks",
})  # fmt: skip


def check(request: object, translate: Translate = str) -> Answer:
    """Answer one record: what it proves, and every problem in it with its trick and card."""
    reading = Reading()
    if not isinstance(request, dict):
        reading.fault("wrong-type", "", say("An object with named fields is needed."))
        return _refused(None, reading, translate)
    unknown_keys(request, KEYS, reading, "")
    setting = read_setting(request, reading)
    if setting is None:
        return _refused(request.get("id"), reading, translate)
    dealer = _read_dealer(request, setting, reading)
    count = len(setting.seats)
    active = setting.game.active(dealer or Seat(0), count, setting.rules)
    if dealer is None and len(active) < count:
        reading.fault("missing-key", "dealer", say("The dealer sits out: who deals?"))
    table = Table(setting.rules, setting.seats, active)
    examined = setting.game.examine(request, table, dealer, reading)
    if examined is None or reading.problems:
        return _refused(request.get("id"), reading, translate)
    return {"id": request.get("id"), **_answer(examined, setting.seats, translate)}


def _read_dealer(request: dict[str, Any], setting: Setting, reading: Reading) -> Seat | None:
    if request.get("dealer") is None:
        return None
    return read_player(request["dealer"], setting.seats, reading, "dealer")


def _refused(request_id: object, reading: Reading, translate: Translate) -> Answer:
    return {"id": request_id, "ok": False, "problems": problem_list(reading.problems, translate)}


def _answer(examined: Examined, names: tuple[str, ...], translate: Translate) -> Answer:
    return {
        "ok": not examined.problems,
        "complete": examined.complete,
        "winners": [None if seat is None else names[seat] for seat in examined.winners],
        "card_points": _by_name(examined.card_points, names),
        "tricks_won": _by_name(examined.tricks_won, names),
        "partner": None if examined.partner is None else names[examined.partner],
        "alone": examined.alone,
        "side_points": examined.side_points,
        "bounds": list(examined.bounds),
        "status": examined.status,
        "payouts": None if examined.payouts is None else _by_name(examined.payouts, names),
        "problems": _findings(examined.problems, translate),
        "warnings": _findings(examined.warnings, translate),
    }


def _by_name(amounts: Mapping[Seat, int], names: tuple[str, ...]) -> dict[str, int]:
    return {names[seat]: amount for seat, amount in amounts.items()}


def _findings(findings: Iterable[Finding], translate: Translate) -> list[Answer]:
    return [
        {"code": one.code, "where": one.where, "message": translate(one.message)}
        for one in findings
    ]
