import pytest

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.games.briscola_chiamata.spoken import heard
from scorer.rules.seats import Seat
from tests.data.rows import rows

NAMES = {Seat(0): "Piero", Seat(1): "Lucia"}
NAMES |= {Seat(2): "Maria Teresa", Seat(3): "Maria Rosa", Seat(5): "Nicolò"}


def rules_of(style: str) -> ChiamataRules:
    rules, _ = GAME.rules_from({"preset": "ladder-bands", "auction": {"style": style}})
    return rules


@rows(__file__, "heard")
def test_answers_are_heard_in_both_languages(
    style: str, said: str, values: dict[str, str], rest: str
) -> None:
    assert heard(said, NAMES, rules_of(style), {}) == (values, rest)


@pytest.mark.parametrize("style", ["ladder-then-points", "none"])
def test_bid_is_heard_as_points_where_a_rank_would_need_nothing(style: str) -> None:
    house = {"preset": "ladder-bands", "auction": {"style": style}, "floor": 0}
    rules, _ = GAME.rules_from(house)

    values, rest = heard("Piero settanta re con Lucia ottanta", NAMES, rules, {})

    assert (values["bid_points"], values["card_points"], rest) == ("70", "80", "")
    assert ("bid_rank" in values, values["called_rank"]) == (False, "K")


def test_nobody_is_alone_where_the_rules_know_no_lone_caller() -> None:
    rules, _ = GAME.rules_from({"preset": "ladder-bands", "call": {"own_card": False}})
    assert heard("Piero, re, da solo", NAMES, rules, {})[1] == "da solo"
