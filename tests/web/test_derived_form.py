"""The form that any game has: what it sends for a sheet is read back as that sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scorer.games import all_games
from scorer.rules.game import Table
from scorer.rules.seats import all_seats
from scorer.web.sheets import sheet_form
from scorer.web.sheets.derived import DerivedForm
from tests.data.golden import deals
from tests.web.pages import Page
from tests.web.rows import balances

if TYPE_CHECKING:
    from scorer.rules.game import Game
    from tests.web.phones import Phone

GAMES = [game for game in all_games() if isinstance(sheet_form(game), DerivedForm)]
DEALS = [
    pytest.param(game, deal, id=f"{game.slug}: {deal['id']}")
    for game in GAMES
    for deal in deals(game)
]


def read(game: Game[Any, Any], deal: dict[str, Any]) -> tuple[Any, Table[Any]]:
    rules, _ = game.rules_from(deal["rules"])
    seats = all_seats(len(deal["seats"]))
    table = Table(rules, tuple(deal["seats"]), seats, seats)
    sheet, problems = game.read_sheet(deal["sheet"], table)
    assert problems == []
    return sheet, table


@pytest.mark.parametrize(("game", "deal"), DEALS)
def test_form_that_is_filled_in_from_a_sheet_sends_that_sheet(
    game: Game[Any, Any], deal: dict[str, Any]
) -> None:
    sheet, table = read(game, deal)
    form = sheet_form(game)

    sent = form(MultiDict(form.values(sheet))).sheet(table)

    again, problems = game.read_sheet(sent, table)
    assert problems == []
    assert game.score(again, table) == game.score(sheet, table)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.slug) for game in GAMES])
def test_deals_of_a_golden_evening_are_recorded_through_the_pages(
    phone: Phone, game: Game[Any, Any]
) -> None:
    deal = deals(game)[0]
    sheet, table = read(game, deal)
    phone.start(game=game.slug, players=deal["seats"], rules=table.rules.slug)
    form, filled = phone.page("record").form("/record"), sheet_form(game).values(sheet)

    answer = phone.post("record", form.sends(**filled))

    paid = game.score(sheet, table).payouts
    amend = phone.page("deals/1/amend").form("/amend")
    assert answer.status_code == 303
    assert balances(phone) == [paid[side[0]] for side in game.sides(table.active)]
    assert {key: value for key, value in amend.fields if key in filled} == {
        key: value for key, value in filled.items() if value and key in dict(amend.fields)
    }


@pytest.mark.parametrize("game", [pytest.param(game, id=game.slug) for game in GAMES])
def test_empty_form_is_refused_with_what_is_missing(phone: Phone, game: Game[Any, Any]) -> None:
    phone.start(game=game.slug, players=deals(game)[0]["seats"], rules=game.preset.slug)

    page = Page(phone.post("record", phone.page("record").form("/record").sends()))

    assert page.status == 422
    assert page.problems
