from typing import Any

import pytest

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.bids import Bid, call_problems, callable_ranks

EXACT = {"rank": "exact", "lowest_not_held": False}
LOWEST = {"rank": "exact", "lowest_not_held": True}
STRONGER = {"rank": "bid-or-stronger"}
WEAKER = {"rank": "bid-or-weaker"}
ANY = {"rank": "any"}
ALL = "A 3 K Q J 7 6 5 4 2"


@pytest.mark.parametrize(
    ("preset", "call", "bid", "called"),
    [
        pytest.param("ladder-bands", EXACT, "K", "Q", id="CL3 exact"),
        pytest.param("ladder-bands", LOWEST, "K", "5", id="only after a two"),
        pytest.param("ladder-bands", EXACT, "2", "5", id="not at this table"),
        pytest.param("ladder-bands", STRONGER, "K", "Q", id="stronger: no queen"),
        pytest.param("ladder-bands", WEAKER, "K", "3", id="weaker: no three"),
    ],
)
def test_called_rank_must_be_one_of_the_rules(
    preset: str, call: dict[str, Any], bid: str, called: str
) -> None:
    rules, problems = GAME.rules_from({"preset": preset, "call": call})
    assert problems == []
    bid_made, path = Bid.parse(bid, rules.cards), "sheet.called_card"

    faults = call_problems(bid_made, rules.cards.rank(called), rules, path)

    assert [(p.code, p.field) for p in faults] == [("call-rank", path)]


@pytest.mark.parametrize(
    ("preset", "call", "bid", "ranks"),
    [
        pytest.param("ladder-bands", EXACT, "K", "K", id="the rank that was bid"),
        pytest.param("ladder-bands", EXACT, "2@75", "2", id="points after a two"),
        pytest.param("ladder-bands", EXACT, "75", "2", id="points, the two left unsaid"),
        pytest.param("ladder-bands", LOWEST, "2", ALL, id="whatever the caller doesn't hold"),
        pytest.param("ladder-bands", LOWEST, "4", "4", id="the next to last rank"),
        pytest.param("ladder-bands", STRONGER, "K", "A 3 K", id="the rank or a stronger one"),
        pytest.param("ladder-bands", WEAKER, "5", "5 4 2", id="the rank or a weaker one"),
        pytest.param("ladder-bands", ANY, "K", ALL, id="any rank"),
        pytest.param("classic", EXACT, "75", ALL, id="any rank after points"),
        pytest.param("classic", EXACT, "K", "K", id="a rank among points"),
        pytest.param("rulebook", WEAKER, "4", "4 3 2", id="the order of another deck"),
    ],
)
def test_callable_ranks_follow_from_the_bid(
    preset: str, call: dict[str, Any], bid: str, ranks: str
) -> None:
    rules, _ = GAME.rules_from({"preset": preset, "call": call})

    callable_now = callable_ranks(Bid.parse(bid, rules.cards), rules)

    assert " ".join(map(str, callable_now)) == ranks


def test_hand_that_nobody_knows_is_no_reason_to_refuse_a_call() -> None:
    rules, _ = GAME.rules_from({"preset": "ladder-bands", "call": {"own_card": False, **LOWEST}})

    assert call_problems(Bid.parse("2"), rules.cards.rank("7"), rules, "called_card") == []
