"""What a text of a deal cannot say: cards that nobody can read, and that the called was shown."""

from typing import Any

import pytest

from scorer.operations import check
from tests.cards.card_deals import HANDS, LADDER
from tests.data.rows import rows
from tests.samples import RECORD

SAID: dict[str, Any] = {"caller": "Bea", "bid": "K", "called_card": "KC"}
TRICKS = RECORD["tricks"]
WINNERS = ["Ezio", "Dora", "Bea", "Ezio", "Bea", "Ciro", "Bea", "Bea"]
G1: dict[str, Any] = {**RECORD, "rules": LADDER, "claim": SAID}


@pytest.mark.parametrize(
    ("change", "winners", "problems"),
    [
        pytest.param({"tricks": [["7B", "2D", "AC", "??", "JB"]]}, ["Ciro"],
                     [("card-not-in-deck", {"trick": 1, "card": "??"})], id="it can't have won"),
        pytest.param({"tricks": [["7B", "2D", "4S", "??", "JB"], TRICKS[1]]}, [None, None],
                     [("card-not-in-deck", {"trick": 1, "card": "??"})], id="it may have won"),
        pytest.param({"tricks": [["7B", "2D", "AC", "??", "??"]]}, [None],
                     [("card-not-in-deck", {"trick": 1, "card": "??"})] * 2, id="two of them"),
        pytest.param({"tricks": [{"cards": ["7B", "2D", "4S", "??", "JB"], "winner": "Ezio"},
                                 TRICKS[1]]}, ["Ezio", "Dora"],
                     [("card-not-in-deck", {"trick": 1, "card": "??"})], id="the winner is told"),
        pytest.param({"tricks": [*TRICKS[:7], {"cards": ["??", *TRICKS[7][1:]], "winner": "Ada"}]},
                     WINNERS,
                     [("card-not-in-deck", {"trick": 8, "card": "??"}),
                      ("missing-card", {"card": "AC"}), ("wrong-winner", {"trick": 8})],
                     id="another winner is told"),
        pytest.param({"tricks": [*TRICKS[:4], ["QS", "QD", "3S", "8X", "2S"], *TRICKS[5:]]},
                     WINNERS,
                     [("card-not-in-deck", {"trick": 5, "card": "8X"}),
                      ("missing-card", {"card": "7S"})], id="X7 of the rules"),
        pytest.param({"hands": {"Ada": [*HANDS["Ada"][1:], "4X"]}}, WINNERS,
                     [("card-not-in-deck", {"hand": "Ada", "card": "4X"})], id="in a hand"),
    ],
)  # fmt: skip
def test_card_that_cannot_be_read_is_found_and_takes_no_trick(
    change: dict[str, Any], winners: list[str | None], problems: list[tuple[str, Any]]
) -> None:
    answer = check({**G1, **change})

    assert answer["winners"] == winners
    assert [(problem["code"], problem["where"]) for problem in answer["problems"]] == problems


MONTE: dict[str, Any] = {
    "game": "briscola-chiamata",
    "rules": "monte-5",
    "seats": RECORD["seats"],
    "dealer": "Ezio",
    "claim": {"caller": "Bea", "bid": "61", "called_card": "AC"},
    "tricks": TRICKS[:7],
}
LEFT = ["AC", "2C", "2B", "JD", "4C"]


def monte(change: dict[str, Any], **answers: Any) -> dict[str, Any]:
    return check({**MONTE, **change, "claim": {**MONTE["claim"], **answers}})


@pytest.mark.parametrize("left", [{}, {"discards": LEFT}], ids=["untold", "told"])
@rows(__file__, "discards")
def test_called_card_among_the_discards_proves_no_partner_and_the_claim_is_paid(
    left: dict[str, Any], said: dict[str, Any], paid: str | None, codes: list[str]
) -> None:
    answer = monte(left, **said)

    assert [problem["code"] for problem in answer["problems"]] == codes
    assert (answer["partner"], answer["alone"]) == (None, None)
    assert (answer["side_points"] is None) is (paid is None)
    payouts = answer["payouts"] or {}
    assert (payouts == {}) is (paid is None)
    assert (payouts.get("Ciro") == payouts.get("Dora")) is (paid != "Ciro")
    assert sum(answer["card_points"].values()) == 120
    assert answer["complete"]


@pytest.mark.parametrize(
    ("record", "code"),
    [
        pytest.param(RECORD, "shown-without-monte", id="without a monte"),
        pytest.param({**MONTE, "tricks": [["2C", "AC"]]}, "wrong-shown", id="another had it"),
    ],
)
def test_called_card_that_cannot_have_been_shown_is_found(
    record: dict[str, Any], code: str
) -> None:
    answer = check({**record, "claim": {**record["claim"], "shown": True}})

    assert [problem["code"] for problem in answer["problems"]] == [code]
    assert [problem["where"] for problem in answer["problems"]] == [{"claim": "shown"}]


def test_partner_without_a_shown_card_held_the_called_one() -> None:
    before = {"tricks": [*MONTE["tricks"][:6], None]}
    low, high = monte(before, partner="Ciro")["bounds"]

    least, most = monte(before, partner="Ciro", shown=False)["bounds"]

    assert low <= least <= most <= high


def test_discards_that_nobody_wrote_down_are_not_counted_beside_a_doubtful_card() -> None:
    first = [MONTE["tricks"][1][0], *MONTE["tricks"][0][1:]]
    answer = monte({"tricks": [first, *MONTE["tricks"][1:]]})

    assert "duplicate-card" in [problem["code"] for problem in answer["problems"]]
    assert sum(answer["card_points"].values()) < 120
