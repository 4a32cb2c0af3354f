"""The form that any game has: what it sends for a sheet is read back as that sheet."""

from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scorer.games import all_games, find_game
from scorer.rules.game import Game, Table
from scorer.rules.seats import all_seats
from scorer.web.deals.entry_forms import deal_form
from scorer.web.deals.entry_forms.derived import DerivedForm
from tests.data.golden import deals, sound_deals
from tests.data.rows import rows
from tests.web.phones import Phone
from tests.web.rows import balances, state_of

GAMES = [game for game in all_games() if issubclass(deal_form(game), DerivedForm)]
SEATS = ("Ada", "Bea", "Ciro", "Dora")
DEALS = [
    pytest.param(game, deal, id=f"{game.slug}: {deal['id']}")
    for game in GAMES
    for deal in (*deals(game), *sound_deals(game))
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
    form = deal_form(game)

    sent = form.at(game, table, MultiDict(form.values(sheet))).sheet()

    again, problems = game.read_sheet(sent, table)
    assert problems == []
    assert game.score(again, table) == game.score(sheet, table)


def test_answer_that_the_rules_no_longer_ask_for_stays_when_a_deal_is_amended(phone: Phone) -> None:
    phone.start(game="burraco", players=["Ada", "Bea"], rules="semi-clean")
    counted = {"closed": "nobody", "semi_clean-0": "1", "melded-0": "105", "in_hand-0": "35"}
    counted |= {"melded-1": "60", "in_hand-1": "20"}
    phone.post("record", phone.page("record").form("/record").sends(**counted))
    forms = phone.page("rules/change?rules=to-2005&from=1").forms
    change = next(form for form in forms if dict(form.fields).get("next_number"))
    phone.post("rules/change", change.sends(reason="As agreed"))

    amend = phone.page("deals/1/amend").form("/amend")
    answer = phone.post("deals/1/amend", amend.sends(reason="Nothing to change"))

    assert amend["semi_clean-0"] == "1"
    assert answer.status_code == 303
    assert balances(phone) == [170, 40]


@rows(__file__, "problems")
def test_problem_says_whose_answer_it_means(
    phone: Phone, *, game: str, players: int, sent: dict[str, str], field: str, said: str
) -> None:
    complete = {"coins-0": "6", "coins-1": "4", "settebello": "0", "primiera_winner": "0"}
    phone.start(game=game, players=SEATS[:players], rules=find_game(game).preset.slug)
    form = phone.page("record").form("/record")

    page = phone.sent("record", form.sends(**(complete if game == "scopa" else {}), **sent))

    assert page.status == 422
    assert page.problems[field] == said


@rows(__file__, "declarations")
def test_declarations_are_four_lists_a_side(
    phone: Phone, rules: str, picked: dict[str, str], declared: list[dict[str, Any]]
) -> None:
    phone.start(SEATS, game="tressette", rules=rules)
    form = phone.page("record").form("/record")
    sent = {f"declarations-0-{name}": value for name, value in picked.items()}

    phone.post("record", form.sends(**{"hand_points-0": "7", "hand_points-1": "4"}, **sent))

    assert len([name for name in form.lists() if name.startswith("declarations-0-")]) == 4
    answers = state_of(phone).deals[0].entry.answers(SEATS) or {}
    found, others = answers["declarations"]
    assert all(one.items() >= told.items() for one, told in zip(found, declared, strict=True))
    assert others == []
    assert phone.page("deals/1/amend").form("/amend").sends().items() >= sent.items()
