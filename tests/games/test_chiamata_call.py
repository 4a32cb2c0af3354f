from __future__ import annotations

from typing import Any

import pytest

from scorer.games.briscola_chiamata.auction import call_problems, callable_ranks
from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.game import GAME

EXACT = {"rank": "exact", "lowest_not_held": False}
LOWEST = {"rank": "exact", "lowest_not_held": True}
STRONGER = {"rank": "bid-or-stronger"}
WEAKER = {"rank": "bid-or-weaker"}
ANY = {"rank": "any"}
ALL = "A 3 K Q J 7 6 5 4 2"


@pytest.mark.parametrize(
    ("preset", "call", "bid", "trumps", "called", "code"),
    [
        pytest.param("ladder-bands", EXACT, "K", "A 3 Q", "K", None, id="CL1"),
        pytest.param("ladder-bands", EXACT, "K", "A 3", "Q", "call-rank", id="CL3 exact"),
        pytest.param("ladder-bands", WEAKER, "K", "A 3", "Q", None, id="CL3 weaker"),
        pytest.param("ladder-bands", LOWEST, "2", "2 5 A 3", "6", "call-lowest", id="CL5"),
        pytest.param("ladder-bands", LOWEST, "2", "2 5 A 3", "4", None, id="CL5 the four"),
        pytest.param("ladder-bands", EXACT, "2@72", "2 A 3 K", "2", None, id="CL7"),
        pytest.param(
            "ladder-bands", {**EXACT, "own_card": False}, "2@72", "2 A 3 K", "2",
            "own-card-forbidden", id="CL7 where nobody calls their own",
        ),
        pytest.param("rulebook", LOWEST, "2", "2 3 A", "4", None, id="CL9"),
        pytest.param("rulebook", LOWEST, "2", "2 3 A", "5", "call-lowest", id="CL9 a rank too far"),
        pytest.param("rulebook", LOWEST, "2", "2 3 4 5 6", "J", None, id="CL9 no seven there"),
        pytest.param("ladder-bands", LOWEST, "2", "2 4", "5", None, id="holds 2 and 4: the 5"),
        pytest.param("ladder-bands", LOWEST, "2", "2 5", "4", None, id="holds 2 and 5: the 4"),
        pytest.param("ladder-bands", LOWEST, "2", "2 5", "2", None, id="holds 2 and 5: alone"),
        pytest.param("ladder-bands", LOWEST, "2", "4 5", "2", None, id="without the 2: the 2"),
        pytest.param("ladder-bands", LOWEST, "2", "4 5", "6", "call-lowest", id="without the 2"),
        pytest.param("ladder-bands", LOWEST, "2", "", "4", "call-lowest", id="without a trump"),
        pytest.param("ladder-bands", LOWEST, "2", "2 5", "5", "call-lowest", id="a held one"),
        pytest.param("ladder-bands", LOWEST, "2", ALL, "A", "call-lowest", id="holds all ten"),
        pytest.param("ladder-bands", LOWEST, "2@75", "2 4", "5", None, id="points after a two"),
        pytest.param("ladder-bands", LOWEST, "75", "2 4", "5", None, id="the two left unsaid"),
        pytest.param("ladder-bands", LOWEST, "75", "2 4", "6", "call-lowest", id="unsaid, too far"),
        pytest.param("ladder-bands", LOWEST, "K", "2 4", "5", "call-rank", id="only after a two"),
        pytest.param("ladder-bands", EXACT, "2", "2 4", "5", "call-rank", id="not at this table"),
        pytest.param("ladder-bands", STRONGER, "K", "2", "A", None, id="stronger: the ace"),
        pytest.param("ladder-bands", STRONGER, "K", "2", "Q", "call-rank", id="stronger: no queen"),
        pytest.param("ladder-bands", WEAKER, "K", "2", "3", "call-rank", id="weaker: no three"),
        pytest.param("ladder-bands", ANY, "K", "2", "3", None, id="any card"),
        pytest.param("ladder-bands", {**ANY, "lowest_not_held": True}, "2", "2 4", "A", None,
                     id="any card, also after a two"),
        pytest.param("classic", LOWEST, "75", "2 4", "A", None, id="any card after points"),
        pytest.param("classic", LOWEST, "2", "2 4", "A", "call-lowest", id="a two among points"),
        pytest.param("bastarda", {}, "75", "A", "A", "own-card-forbidden", id="bastarda, own card"),
        pytest.param("bastarda", {}, "75", "A", "3", None, id="bastarda, any other card"),
    ],
)  # fmt: skip
def test_called_rank_must_be_one_of_the_rules(
    preset: str, call: dict[str, Any], bid: str, *, trumps: str, called: str, code: str | None
) -> None:
    rules, problems = GAME.rules_from({"preset": preset, "call": call})
    assert problems == []
    held = [rules.cards.rank(rank) for rank in trumps.split()]

    found = call_problems(
        Bid.parse(bid, rules.cards),
        rules.cards.rank(called),
        rules,
        "sheet.called_card",
        trumps=held,
    )

    assert [(p.code, p.field) for p in found] == [(code, "sheet.called_card")] * bool(code)


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

    found = callable_ranks(Bid.parse(bid, rules.cards), rules)

    assert " ".join(map(str, found)) == ranks


def test_hand_that_nobody_knows_is_no_reason_to_refuse_a_call() -> None:
    rules, _ = GAME.rules_from({"preset": "ladder-bands", "call": {"own_card": False}})

    assert call_problems(Bid.parse("2"), rules.cards.rank("7"), rules, "called_card") == []
