from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from scorer.evening import JudgedDeal
from scorer.games import find_game
from scorer.games.scala_quaranta import GAME, ScalaRules, ScalaSheet
from scorer.rules.closing_game import BuyIn
from scorer.rules.game import Outcome, Table
from scorer.rules.plain_game import Partners
from scorer.rules.seats import Seat, all_seats
from tests.data.examples import NAMES


def test_what_coming_back_costs_is_for_the_pot_where_one_can() -> None:
    offered = replace(GAME.presets["buy-in"], fee=500)

    assert GAME.buy_in_fee(offered) == 500
    assert GAME.buy_in_fee(replace(offered, buy_in=BuyIn.OFF)) == 0
    assert GAME.buy_in_fee(GAME.presets["buy-in"]) == 0
    assert find_game("scopa").buy_in_fee(None) == 0


BACK = replace(GAME.presets["buy-in"], fee=550)
#: Ciro is out with this deal, Dora since one before.
FALLEN = ScalaSheet(Seat(0), {Seat(1): 20, Seat(2): 40})


def before(*balances: int) -> dict[Seat, int]:
    return dict(zip(all_seats(4), balances, strict=True))


def night_of(rules: ScalaRules = BACK, **more: Any) -> Table[ScalaRules]:
    here = all_seats(4)
    table = Table(rules, NAMES[:4], here[:3], here, before(0, 10, 70, 110))
    return replace(table, **more)


def buy_ins(sheet: ScalaSheet, table: Table[ScalaRules]) -> Mapping[Seat, Any]:
    return JudgedDeal(GAME, Outcome.PLAYED, table, sheet).buy_ins


def test_each_who_is_out_may_come_back_in_and_whoever_did_may_stay_out() -> None:
    back = replace(FALLEN, buy_in=(Seat(2),))

    assert buy_ins(FALLEN, night_of()) == {2: back, 3: replace(FALLEN, buy_in=(Seat(3),))}
    assert buy_ins(back, night_of()) == {2: FALLEN, 3: replace(back, buy_in=(Seat(2), Seat(3)))}


@pytest.mark.parametrize(
    "rules", [replace(BACK, buy_in=BuyIn.OFF), replace(BACK, gate=20)], ids=["nobody", "the gate"]
)
def test_rules_may_let_nobody_back_in(rules: ScalaRules) -> None:
    assert buy_ins(FALLEN, night_of(rules)) == {}


def test_partners_come_back_together() -> None:
    table = night_of(replace(BACK, sides=Partners.PAIRS), active=all_seats(4))
    sheet = ScalaSheet(Seat(1), {Seat(0): 60, Seat(2): 40, Seat(3): 0})

    assert list(buy_ins(sheet, replace(table, balances=before(1, 9, 1, 9)))) == [0]


def test_preview_tells_what_coming_back_costs() -> None:
    score = GAME.score(replace(FALLEN, buy_in=(Seat(2),)), night_of())

    assert [str(step.brief) for step in score.steps if step.brief] == [
        f"{NAMES[2]}: out with 110, back in with 30, for 5.50"
    ]
