"""Which card the caller may call is known once his hand is."""

from itertools import islice
from typing import Any

import pytest

from scorer.games.briscola_chiamata import GAME
from scorer.operations import check

PEOPLE = ["Ada", "Bea", "Ciro", "Dora", "Ezio"]
EXACT = {"rank": "exact", "lowest_not_held": False}
LOWEST = {"rank": "exact", "lowest_not_held": True}
STRONGER = {"rank": "bid-or-stronger"}
WEAKER = {"rank": "bid-or-weaker"}
ANY = {"rank": "any"}


@pytest.mark.parametrize(
    ("preset", "call", "bid", "trumps", "called", "code"),
    [
        pytest.param("ladder-bands", EXACT, "K", "A 3 Q", "K", None, id="CL1"),
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
        pytest.param("ladder-bands", LOWEST, "2@75", "2 4", "5", None, id="points after a two"),
        pytest.param("ladder-bands", LOWEST, "75", "2 4", "5", None, id="the two left unsaid"),
        pytest.param("ladder-bands", LOWEST, "75", "2 4", "6", "call-lowest", id="unsaid, too far"),
        pytest.param("ladder-bands", STRONGER, "K", "2", "A", None, id="stronger: the ace"),
        pytest.param("ladder-bands", ANY, "K", "2", "3", None, id="any card"),
        pytest.param("ladder-bands", {**ANY, "lowest_not_held": True}, "2", "2 4", "A", None,
                     id="any card, also after a two"),
        pytest.param("classic", LOWEST, "75", "2 4", "A", None, id="any card after points"),
        pytest.param("classic", LOWEST, "2", "2 4", "A", "call-lowest", id="a two among points"),
        pytest.param("bastarda", {}, "75", "A", "A", "own-card-forbidden", id="bastarda, own card"),
        pytest.param("bastarda", {}, "75", "A", "3", None, id="bastarda, any other card"),
    ],
)  # fmt: skip
def test_called_card_is_compared_with_the_hand_of_the_caller(
    preset: str, call: dict[str, Any], bid: str, *, trumps: str, called: str, code: str | None
) -> None:
    rules, problems = GAME.rules_from({"preset": preset, "call": call})
    assert problems == []
    trump, *others = rules.cards.suits
    rest = (f"{rank}{suit}" for suit in others for rank in rules.cards.ranks)
    hand = [f"{rank}{trump}" for rank in trumps.split()]
    hand += islice(rest, rules.cards_each - len(hand))

    answer = check(
        {
            "game": GAME.slug,
            "rules": {"preset": preset, "call": call},
            "seats": PEOPLE,
            "claim": {"caller": "Bea", "bid": bid, "called_card": f"{called}{trump}"},
            "hands": {"Bea": hand},
            "tricks": [],
        }
    )

    assert [problem["code"] for problem in answer["problems"]] == [code] * bool(code)
