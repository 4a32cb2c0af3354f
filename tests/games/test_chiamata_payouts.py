import re
from typing import Any

import pytest
from hypothesis import given

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.operations import score
from scorer.rules.game import Score, Table
from scorer.rules.seats import Seat, all_seats
from scorer.texts import signed
from tests.data.examples import PRESETS, deals, payout_rows, published, request_for
from tests.data.strategies import examples, requests
from tests.games.oracle import pay

Deal = dict[str, Any]
ROWS = [
    pytest.param(slug, sheet, paid, id=" ".join([slug, *map(str, sheet.values())]))
    for slug, sheet, paid in payout_rows()
]
EXAMPLES = [pytest.param(deal, id=deal["id"]) for deal in [*deals(), *published()]]


def asked(deal: Deal) -> Deal:
    return {key: value for key, value in deal.items() if key not in {"expect", "note"}}


def read(request: Deal) -> tuple[ChiamataSheet, Table[ChiamataRules]]:
    """Read a sound request as the game does."""
    rules, _ = GAME.rules_from(request.get("rules"))
    seats = tuple(request["seats"])
    dealer = Seat(seats.index(request.get("dealer", seats[0])))
    table = Table(rules, seats, GAME.active(dealer, all_seats(len(seats)), rules))
    sheet, problems = GAME.read_sheet(request["sheet"], table)
    assert sheet is not None, problems
    return sheet, table


def paid(request: Deal) -> Score:
    """Pay a sound request, with the steps as they are inside."""
    return GAME.score(*read(request))


@pytest.mark.untraced
@pytest.mark.parametrize(("slug", "sheet", "payouts"), ROWS)
def test_score_table_pays_its_row(slug: str, sheet: Deal, payouts: dict[str, int]) -> None:
    answer = score(request_for(slug, sheet, PRESETS[slug]["players"]))

    assert answer["ok"], answer
    assert answer["payouts"] == payouts


@pytest.mark.untraced
@pytest.mark.parametrize("deal", EXAMPLES)
def test_worked_example_is_paid(deal: Deal) -> None:
    answer = score(asked(deal))

    assert answer["ok"], answer
    assert answer["id"] == deal["id"]
    assert (answer["made"], answer["payouts"]) == (
        deal["expect"]["made"],
        deal["expect"]["payouts"],
    )


@examples(200)
@given(requests())
def test_second_program_agrees_on_any_deal(request: Deal) -> None:
    answer = score(request)

    assert answer["ok"], answer
    assert (answer["made"], answer["payouts"]) == pay(request)


@examples(60)
@given(requests())
def test_steps_add_up_to_the_payouts_and_say_their_figures(request: Deal) -> None:
    result = paid(request)
    sums = dict.fromkeys(result.payouts, 0)
    for step in result.steps:
        for seat, amount in step.amounts.items():
            sums[seat] += amount
            assert step.rule in ("times", "blind") or signed(amount) in str(step.text)

    assert sums == result.payouts
    assert result.steps[0].rule == "target"
    answer = score(request)
    figures = re.findall(r"→ ([+−]?\d+)", "".join(step["text"] for step in answer["why"]))
    if not {"times", "blind"} & request["sheet"].keys():
        assert {signed(amount) for amount in answer["payouts"].values()} <= {"0", *figures}
    assert answer["why"] == [{"rule": step.rule, "text": str(step.text)} for step in result.steps]
