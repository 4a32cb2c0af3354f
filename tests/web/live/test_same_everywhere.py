"""A deal that is recorded through its form pays what the API and the command say of it."""

from typing import Any

import pytest

from scorer.games import all_games
from scorer.operations import score
from scorer.rules.game import Game, Table
from scorer.rules.seats import Seat, all_seats
from scorer.web.deals.entry_forms import deal_form
from scorer.web.deals.entry_forms.derived import DerivedForm
from tests.data import golden
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import state_of

AnyGame = Game[Any, Any]
#: What a box may leave open instead.
NOTHING = {"", "0"}


def at_table(game: AnyGame, asked: dict[str, Any]) -> tuple[Table[Any], Any]:
    """Seat those who play a deal, with somebody more where the dealer sits out; read its sheet."""
    rules, names = game.presets[asked["rules"]], list(asked["seats"])
    if not game.seating(rules).fits(len(names)):
        names.append("Gino")
    order = all_seats(len(names))
    table = Table(rules, tuple(names), game.active(order[-1], order, rules))
    sheet, problems = game.read_sheet(asked["sheet"], table)
    assert problems == []
    return table, sheet


def filled_in_otherwise(game: AnyGame, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give one of the deals for each way to fill in a form; a form of its own differs by the rules.

    That forms say the same by all other presets is seen without pages: test_derived_form.py.
    """
    form = deal_form(game)
    by_way: dict[object, dict[str, Any]] = {}
    for one in asked:
        table, sheet = at_table(game, one)
        filled = {name for name, value in form.values(sheet).items() if value}
        way = (len(table.seats), *sorted(filled)) if issubclass(form, DerivedForm) else one["id"]
        by_way.setdefault(way, one)
    return [*by_way.values()]


def recorded(phone: Phone, game: AnyGame, asked: dict[str, Any]) -> dict[str, int]:
    """Record a deal through the pages.

    The form that amends it has what was filled in, at the first table of the game.
    """
    table, sheet = at_table(game, asked)
    last, rules = len(table.seats) - 1, asked["rules"]
    phone.start(table.seats, game=game.slug, rules=rules, first_dealer=str(last))
    form, filled = phone.page("record").form("/record"), deal_form(game).values(sheet)
    answer = phone.post("record", form.sends(**filled))

    assert answer.status_code == 303, Page(answer).problems
    if rules == game.preset.slug:
        amend = dict(phone.page("deals/1/amend").form("/amend").fields)
        shown = {name: text for name, text in filled.items() if text not in NOTHING}
        assert {name: amend.get(name, text) for name, text in shown.items()} == shown
    totals = state_of(phone).evening.totals
    return {name: totals[Seat(seat)] for seat, name in enumerate(table.seats)}


@pytest.mark.parametrize("game", [pytest.param(game, id=game.slug) for game in all_games()])
def test_form_pays_what_the_api_and_the_command_say(phone: Phone, game: AnyGame) -> None:
    for asked in filled_in_otherwise(game, golden.sound_deals(game)):
        said, paid = score(asked)["payouts"], recorded(phone, game, asked)
        assert said == {name: paid[name] for name in said}, asked["id"]
