"""A deal that is recorded through its form pays what the API and the command say of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorer import cli
from scorer.games import all_games
from scorer.operations import score
from scorer.rules.game import Game, Table
from scorer.rules.seats import Seat, all_seats
from scorer.services.session.state import load_state
from scorer.web.deals.entry_forms import deal_form
from tests.data import golden
from tests.data.golden import SEATS
from tests.web.pages import Page
from tests.web.phones import Phone

AnyGame = Game[Any, Any]
#: What a box may leave open instead.
NOTHING = {"", "0"}


def sound_deals(game: AnyGame) -> list[dict[str, Any]]:
    """Give a deal of the golden files for every preset, by whose rules it can be played."""
    cases = [
        {"game": game.slug, "seats": list(SEATS[: case["players"][0]]), "sheet": case["sheet"]}
        for slug, case in golden.cases("sheets")
        if slug == game.slug and "payouts" in case
    ]
    return [
        next(
            asked
            for deal in (*reversed(golden.deals(game)), *cases)
            if score(asked := {**deal, "rules": slug, "id": slug})["ok"]
        )
        for slug in game.presets
    ]


def recorded(phone: Phone, game: AnyGame, asked: dict[str, Any]) -> dict[str, int]:
    """Record a deal through the pages, with somebody more where the dealer sits out.

    The form that amends it has what was filled in, at the first table of the game.
    """
    rules, names = game.presets[asked["rules"]], list(asked["seats"])
    if not game.seating(rules).fits(len(names)):
        names.append("Gino")
    dealer, order = Seat(len(names) - 1), all_seats(len(names))
    table = Table(rules, tuple(names), game.active(dealer, order, rules))
    sheet, problems = game.read_sheet(asked["sheet"], table)
    assert problems == []

    phone.start(names, game=game.slug, rules=rules.slug, first_dealer=str(dealer))
    form, filled = phone.page("record").form("/record"), deal_form(game).values(sheet)
    answer = phone.post("record", form.sends(**filled))

    assert answer.status_code == 303, Page(answer).problems
    if rules is game.preset:
        amend = dict(phone.page("deals/1/amend").form("/amend").fields)
        shown = {name: text for name, text in filled.items() if text not in NOTHING}
        assert {name: amend.get(name, text) for name, text in shown.items()} == shown
    with phone.app.app_context():
        totals = load_state(*phone.keys).evening.totals
    return {name: totals[seat] for name, seat in zip(names, order, strict=True)}


@pytest.mark.parametrize("game", [pytest.param(game, id=game.slug) for game in all_games()])
def test_form_api_and_command_pay_the_same_by_every_preset(
    phone: Phone, game: AnyGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = sound_deals(game)
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")

    status = cli.main(["score", str(file)])
    by_command = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    by_api = [phone.client.post("/api/v1/score", json=one).get_json() for one in asked]
    by_form = [recorded(phone, game, one) for one in asked]

    assert status == 0
    assert by_api == by_command
    for answer, paid in zip(by_api, by_form, strict=True):
        assert answer["payouts"] == {name: paid[name] for name in answer["payouts"]}, answer["id"]
