from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer.games import find_game
from scorer.games.scala_quaranta import GAME, BuyIn, ScalaSheet
from scorer.operations import replay
from scorer.rules.game import Table
from scorer.rules.seats import Seat, all_seats
from tests.data.examples import NAMES
from tests.data.strategies import examples


def closed(name: str, **hands: int) -> dict[str, Any]:
    return {"closed": name, "hands": hands}


def test_sheet_tells_who_comes_back_in() -> None:
    sheet = ScalaSheet(Seat(0), {Seat(1): 20}, buy_in=(Seat(2),))

    table = Table(GAME.preset, NAMES[:4], all_seats(4)[:2], all_seats(4))

    assert GAME.back_in(sheet, table, {Seat(1): 20, Seat(2): -30}) == {2: -30}
    assert find_game("scopa").back_in(None, table, {}) == {}


def test_what_coming_back_costs_is_for_the_pot_where_one_can() -> None:
    offered = replace(GAME.presets["buy-in"], fee=500)

    assert GAME.buy_in_fee(offered) == 500
    assert GAME.buy_in_fee(replace(offered, buy_in=BuyIn.OFF)) == 0
    assert GAME.buy_in_fee(GAME.presets["buy-in"]) == 0
    assert find_game("scopa").buy_in_fee(None) == 0


@st.composite
def nights(draw: st.DrawFn) -> dict[str, Any]:
    """Give the evening of some people, drawn deal by deal until one is left or all are tired."""
    seats = list(NAMES[: draw(st.integers(2, 6))])
    rules = {
        "limit": draw(st.integers(50, 150)),
        "out": draw(st.sampled_from(["at", "over"])),
        "buy_in": draw(st.sampled_from(["off", "highest"])),
    }
    standing, deals = dict.fromkeys(seats, 0), []
    for _ in range(draw(st.integers(0, 12))):
        here = [name for name in seats if not out(standing[name], rules)]
        if len(here) < 2:
            break
        closer = draw(st.sampled_from(here))
        hands = {name: draw(st.integers(2, 90)) for name in here if name != closer}
        for name, value in hands.items():
            standing[name] += value
        gone = [name for name in seats if out(standing[name], rules)]
        back = draw(st.lists(st.sampled_from(gone), unique=True)) if gone else []
        back = back if rules["buy_in"] == "highest" else []
        highest = max(value for value in standing.values() if not out(value, rules))
        standing |= dict.fromkeys(back, highest)
        deals.append({"sheet": {"closed": closer, "hands": hands, "buy_in": back}})
    return {
        "game": "scala-quaranta",
        "rules": rules,
        "seats": seats,
        "deals": deals,
        "standing": standing,
    }


def out(balance: int, rules: dict[str, Any]) -> bool:
    return bool(balance > rules["limit"] or (balance == rules["limit"] and rules["out"] == "at"))


@examples(150)
@given(nights())
def test_whoever_is_out_is_never_paid(night: dict[str, Any]) -> None:
    standing = night.pop("standing")

    answer = replay(night)

    assert answer["ok"], answer["problems"]
    before = dict.fromkeys(night["seats"], 0)
    for deal, row in zip(night["deals"], answer["deals"], strict=True):
        still_in = {name for name, balance in before.items() if not out(balance, night["rules"])}
        assert set(row["payouts"]) == still_in | set(deal["sheet"]["buy_in"])
        assert row["dealer"] in still_in
        before = row["balances"]
    left = [name for name, balance in standing.items() if not out(balance, night["rules"])]
    assert before == standing
    assert answer["winners"] == (left if len(left) == 1 else [])
