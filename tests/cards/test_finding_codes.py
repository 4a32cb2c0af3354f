from typing import Any

import pytest

from scorer.operations import check
from tests.samples import RECORD

LADDER = {
    "preset": "classic",
    "auction": {"style": "ladder-then-points"},
    "call": {"rank": "exact", "lowest_not_held": True},
}
SAID: dict[str, Any] = {"caller": "Bea", "bid": "K", "called_card": "KC"}
G1: dict[str, Any] = {**RECORD, "rules": LADDER, "claim": SAID}
HANDS: dict[str, list[str]] = {
    name: [
        trick[(seat - leader) % 5]
        for trick, leader in zip(RECORD["tricks"], (0, 4, 3, 1, 4, 1, 2, 1), strict=True)
    ]
    for seat, name in enumerate(RECORD["seats"])
}


def claimed(**answers: Any) -> dict[str, Any]:
    return {"claim": {**SAID, **answers}}


def played(number: int, trick: Any) -> dict[str, Any]:
    """Write another trick in the place of one."""
    tricks = list(RECORD["tricks"])
    tricks[number - 1] = trick
    return {"tricks": tricks}


def ruled(**rules: Any) -> dict[str, Any]:
    return {"rules": {**LADDER, **rules}}


def of(number: int, **told: Any) -> dict[str, Any]:
    """Write down more of a trick than its cards."""
    return played(number, {"cards": RECORD["tricks"][number - 1], **told})


def found(change: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    answer = check({**G1, **change})
    assert answer["ok"] is (not answer["problems"])
    return [(problem["code"], problem["where"]) for problem in answer["problems"]]


def test_golden_deal_is_told_as_the_rules_have_it() -> None:
    answer = check({**G1, **claimed(partner="Ciro", card_points=72, made=True)})

    assert answer == {
        "id": "g1", "ok": True, "complete": True,
        "winners": ["Ezio", "Dora", "Bea", "Ezio", "Bea", "Ciro", "Bea", "Bea"],
        "card_points": {"Ada": 0, "Bea": 58, "Ciro": 14, "Dora": 25, "Ezio": 23},
        "tricks_won": {"Ada": 0, "Bea": 4, "Ciro": 1, "Dora": 1, "Ezio": 2},
        "partner": "Ciro", "alone": False, "side_points": 72, "bounds": [72, 72], "exact": True,
        "status": "made",
        "payouts": {"Ada": -1, "Bea": 2, "Ciro": 1, "Dora": -1, "Ezio": -1},
        "problems": [], "warnings": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("known", "said", "bounds", "status", "at_73"),
    [
        pytest.param([1], ["Ciro"], [0, 114], "open", "open", id="P1"),
        pytest.param([1, 2, 3, 4], ["Ciro"], [17, 72], "open", "missed", id="P3"),
        pytest.param([1, 2, 3, 4, 5, 6, 7], ["Ciro"], [59, 72], "open", "missed", id="P5"),
        pytest.param([1, 2, 3, 4, 5, 6, 7, 8], ["Ciro"], [72, 72], "made", "missed", id="P6"),
        pytest.param([1, 4, 8], ["Ciro"], [13, 97], "open", "open", id="P7"),
        pytest.param([1, 2, 3, 4], [], [17, 97], "open", "open", id="P9"),
    ],
)
def test_part_of_the_golden_deal_is_bounded_as_the_rules_have_it(
    known: list[int], said: list[str], bounds: list[int], status: str, at_73: str
) -> None:
    tricks: list[Any] = [
        trick if number in known else None
        for number, trick in enumerate(RECORD["tricks"][: max(known)], start=1)
    ]
    if known == [1, 4, 8]:
        tricks[3] = {"leader": "Bea", "cards": tricks[3]}
        tricks[7] = {"leader": "Bea", "cards": tricks[7]}
    partner = {"partner": said[0]} if said else {}

    answer = check({**G1, **claimed(**partner), "tricks": tricks})
    higher = check({**G1, **claimed(**partner, bid="2@73"), "tricks": tricks})

    assert answer["ok"]
    assert answer["bounds"] == higher["bounds"] == bounds
    assert (answer["status"], higher["status"]) == (status, at_73)


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        pytest.param(
            played(4, ["KB", "JS", "5B", "AB", "6S"]),
            [("duplicate-card", {"trick": 4, "card": "5B", "again": {"trick": 6}}),
             ("missing-card", {"card": "5D"})],
            id="X1, a card twice",
        ),
        pytest.param(of(3, winner="Ezio"), [("wrong-winner", {"trick": 3})],
                     id="X3, another winner"),
        pytest.param(
            played(8, {"cards": ["??", "2C", "2B", "JD", "4C"], "winner": "Ada"}),
            [("card-not-in-deck", {"trick": 8, "card": "??"}), ("missing-card", {"card": "AC"}),
             ("wrong-winner", {"trick": 8})],
            id="another winner, though the best card can't be read",
        ),
        pytest.param(claimed(card_points=74), [("points-mismatch", {"claim": "card_points"})],
                     id="X5, other points"),
        pytest.param(
            played(5, ["QS", "QD", "3S", "8X", "2S"]),
            [("card-not-in-deck", {"trick": 5, "card": "8X"}), ("missing-card", {"card": "7S"})],
            id="X7, no such card",
        ),
        pytest.param(
            claimed(called_card="AC", partner="Ciro"),
            [("call-rank", {"claim": "called_card"}),
             ("called-by-caller", {"claim": "partner", "trick": 8, "card": "AC"})],
            id="X9, the caller's own card",
        ),
        pytest.param(claimed(made=False), [("wrong-result", {"claim": "made"})],
                     id="X11, not missed"),
        pytest.param(claimed(card_points=119), [("points-impossible", {"claim": "card_points"})],
                     id="X13, no cards make that"),
        pytest.param(claimed(bid="2"), [("call-lowest", {"claim": "called_card"})],
                     id="X15, others hold lower ones"),
        pytest.param(played(2, ["4D", "3B", "KD", "AS"]), [("trick-size", {"trick": 2})],
                     id="a card too few"),
        pytest.param({"tricks": [*RECORD["tricks"][:3], ["KB"], None, None]}, [],
                     id="the last trick that was entered is not over"),
        pytest.param({"tricks": [["7B"], None, RECORD["tricks"][2]]},
                     [("trick-size", {"trick": 1})],
                     id="a trick that is not over before another"),
        pytest.param(
            played(2, ["4D", "3B", "KD", "AS", "5C", "4D"]),
            [("duplicate-card", {"trick": 2, "card": "4D", "again": {"trick": 2}}),
             ("trick-size", {"trick": 2})],
            id="a card too many",
        ),
        pytest.param({"tricks": [*RECORD["tricks"], None]}, [("trick-count", {"trick": 9})],
                     id="a trick too many"),
        pytest.param(of(1, leader="Bea"), [("wrong-first-leader", {"trick": 1})],
                     id="another leads first"),
        pytest.param(of(4, leader="Ada"), [("wrong-leader", {"trick": 4})], id="another leads"),
        pytest.param(claimed(partner="Dora"),
                     [("wrong-partner", {"claim": "partner", "trick": 6, "card": "KC"})],
                     id="another partner"),
        pytest.param(claimed(partner=None),
                     [("not-alone", {"claim": "partner", "trick": 6, "card": "KC"})],
                     id="not alone"),
        pytest.param(claimed(partner="Bea"), [("caller-is-partner", {"claim": "partner"})],
                     id="a partner of oneself"),
        pytest.param(claimed(player_points={"Ada": 2}),
                     [("points-mismatch", {"claim": "player_points", "player": "Ada"})],
                     id="other points of a player"),
        pytest.param(claimed(player_points={"Ada": 1}),
                     [("points-impossible", {"claim": "player_points", "player": "Ada"})],
                     id="points of a player that no cards make"),
        pytest.param(
            claimed(player_points={"Ada": 0, "Bea": 58, "Ciro": 14, "Dora": 25, "Ezio": 20}),
            [("points-mismatch", {"claim": "player_points", "player": "Ezio"}),
             ("points-total", {"claim": "player_points"})],
            id="points that don't make the pack",
        ),
        pytest.param({"tricks": [], **claimed(player_points={"Ada": 80, "Bea": 70})},
                     [("points-total", {"claim": "player_points"})],
                     id="points that are more than the pack"),
        pytest.param(claimed(cappotto=True), [("wrong-cappotto", {"claim": "cappotto"})],
                     id="no cappotto"),
        pytest.param(claimed(bid="2@61"), [("bid-range", {"claim": "bid"}),
                                           ("call-lowest", {"claim": "called_card"})],
                     id="a bid too low"),
        pytest.param(
            played(6, ["3D", "AC", "4B", "5B", "5S"]),
            [("duplicate-card", {"trick": 6, "card": "AC", "again": {"trick": 8}}),
             ("missing-card", {"card": "KC"}), ("called-not-played", {"claim": "called_card"})],
            id="the called card is not there",
        ),
        pytest.param({"discards": ["7B"]},
                     [("duplicate-card", {"trick": 1, "card": "7B", "again": {"discards": True}}),
                      ("discard-count", {"discards": True})],
                     id="discards where there is no monte"),
        pytest.param({**ruled(call={"rank": "any", "own_card": False}),
                      **claimed(called_card="AC")},
                     [("own-card-forbidden", {"claim": "partner", "trick": 8, "card": "AC"})],
                     id="an own card where that is forbidden"),
        pytest.param({**ruled(call={"rank": "any", "own_card": False}), "tricks": [],
                      **claimed(partner=None)},
                     [("own-card-forbidden", {"claim": "partner"})],
                     id="alone where that is forbidden"),
    ],
)  # fmt: skip
def test_fault_is_found_with_its_code_where_it_is(
    change: dict[str, Any], problems: list[tuple[str, dict[str, Any]]]
) -> None:
    assert found(change) == problems


@pytest.mark.parametrize(
    ("hands", "problems"),
    [
        pytest.param(HANDS, [], id="all the hands"),
        pytest.param({"Ada": HANDS["Ada"][1:]}, [("hand-size", {"hand": "Ada"})],
                     id="a hand too small"),
        pytest.param({"Ada": [*HANDS["Ada"][1:], "4X"]},
                     [("card-not-in-deck", {"hand": "Ada", "card": "4X"})], id="a strange card"),
        pytest.param({"Ada": [*HANDS["Ada"][1:], "JC"]},
                     [("duplicate-card", {"hand": "Ada", "card": "JC", "again": {"hand": "Ada"}})],
                     id="a card twice in a hand"),
        pytest.param({"Ada": [*HANDS["Ada"][1:], "2D"]},
                     [("card-not-held", {"trick": 1, "card": "7B"}),
                      ("card-not-held", {"trick": 1, "card": "2D"})],
                     id="a card of another"),
    ],
)  # fmt: skip
def test_hands_are_compared_with_the_play(
    hands: dict[str, list[str]], problems: list[tuple[str, dict[str, Any]]]
) -> None:
    assert found({"hands": hands}) == problems


@pytest.mark.parametrize(
    ("given", "problems"),
    [
        pytest.param({"hands": {"Dora": HANDS["Dora"]}, **claimed(partner="Dora")},
                     [("wrong-partner", {"claim": "partner"})], id="a hand without the card"),
        pytest.param({"hands": {"Bea": HANDS["Bea"]}, **claimed(partner=None)},
                     [("not-alone", {"claim": "partner"})], id="the caller's hand without it"),
        pytest.param({"hands": {"Ciro": HANDS["Ciro"]}, **claimed(partner="Ada")},
                     [("wrong-partner", {"claim": "partner"})], id="a hand with it"),
        pytest.param({"hands": {"Bea": HANDS["Bea"]}, **claimed(bid="2", called_card="5C")},
                     [("call-lowest", {"claim": "called_card"})], id="a lower one not in the hand"),
        pytest.param({"hands": {"Bea": HANDS["Bea"]}, **claimed(bid="2", called_card="QC")},
                     [("call-lowest", {"claim": "called_card"})], id="the called one in the hand"),
        pytest.param({"hands": {"Ciro": HANDS["Ciro"]}, **claimed(bid="2", called_card="5C")},
                     [("call-lowest", {"claim": "called_card"})], id="a lower one in another hand"),
    ],
)  # fmt: skip
def test_hands_prove_what_no_trick_shows(
    given: dict[str, Any], problems: list[tuple[str, dict[str, Any]]]
) -> None:
    assert found({"tricks": [], **given}) == problems


def test_hand_tells_who_led() -> None:
    tricks = [None, RECORD["tricks"][1], RECORD["tricks"][2]]
    record = {**G1, "tricks": tricks}

    assert check(record)["winners"] == [None, None, None]
    assert check({**record, "hands": {"Ada": HANDS["Ada"]}})["winners"] == [None, "Dora", "Bea"]


@pytest.mark.parametrize(
    ("tricks", "winners"),
    [
        pytest.param([None, {"cards": ["4D", "3B", "KD", "AS", "5C"], "winner": "Dora"},
                      ["6D", "AD", "7D", "QC", "QB"]], [None, "Dora", "Bea"],
                     id="a winner after a gap"),
        pytest.param([None, ["4D", "3B", "KD", "AS", "5C"],
                      {"leader": "Dora", "cards": ["6D"]}], [None, "Dora", None],
                     id="the next leader after a gap"),
        pytest.param([["7B", "2D", "4S", "KS"], {"leader": "Ezio",
                      "cards": ["4D", "3B", "KD", "AS", "5C"]}], [None, "Dora"],
                     id="a leader after a faulty trick"),
        pytest.param([{"cards": ["7B", "2D", "4S", "KS"], "winner": "Ezio"},
                      ["4D", "3B", "KD", "AS", "5C"]], [None, "Dora"],
                     id="a winner of a faulty trick"),
        pytest.param([{"cards": ["7B", "2D", "4S", "??", "JB"], "winner": "Ezio"},
                      ["4D", "3B", "KD", "AS", "5C"]], ["Ezio", "Dora"],
                     id="a winner where a card can't be read"),
        pytest.param([["7B", "2D", "4S", "??", "JB"], ["4D", "3B", "KD", "AS", "5C"]],
                     [None, None], id="a card that can't be read and may have won"),
        pytest.param([["7B", "2D", "AC", "??", "JB"]], ["Ciro"],
                     id="a card that can't be read and can't have won"),
        pytest.param([["7B", "2D", "AC", "??", "??"]], [None], id="two cards that can't be read"),
    ],
)  # fmt: skip
def test_winner_is_told_by_whatever_tells_him(tricks: list[Any], winners: list[str | None]) -> None:
    assert check({**G1, "tricks": tricks})["winners"] == winners


def test_dealer_is_told_by_who_bids_first() -> None:
    record = {key: value for key, value in G1.items() if key != "dealer"}
    calls = [[name, "pass"] for name in ("Ciro", "Dora", "Ezio", "Ada")]

    assert check(record)["winners"][0] is None
    assert check({**record, "auction": [["Ada", "A"], ["Bea", "K"], *calls]})["ok"]


@pytest.mark.parametrize(
    ("auction", "problems"),
    [
        pytest.param("Ada A, Bea K, Ciro pass, Dora pass, Ezio pass, Ada pass", [],
                     id="closed"),
        pytest.param("Ada A, Bea K", [("auction-open", {"auction": True})], id="AU13, open"),
        pytest.param("Ada pass, Bea K, Ciro K", [("bid-not-higher", {"call": 3})],
                     id="AU3, not higher"),
        pytest.param("Ada pass, Bea A, Ciro pass, Dora pass, Ezio 3, Ada K",
                     [("bid-after-pass", {"call": 6})], id="AU5, after a pass"),
        pytest.param("Bea K", [("bid-turn", {"call": 1})], id="out of turn"),
        pytest.param("Ada 2@61", [("bid-range", {"call": 1})], id="too low"),
        pytest.param("Ada K, Bea pass, Ciro pass, Dora pass, Ezio pass",
                     [("caller-mismatch", {"claim": "caller"})], id="another caller"),
        pytest.param("Ada pass, Bea pass, Ciro pass, Dora pass, Ezio pass",
                     [("caller-mismatch", {"claim": "caller"})], id="AU9, nobody"),
        pytest.param("Ada pass, Bea Q, Ciro pass, Dora pass, Ezio pass",
                     [("bid-mismatch", {"claim": "bid"})], id="another bid"),
    ],
)  # fmt: skip
def test_auction_is_followed_and_compared_with_the_claim(
    auction: str, problems: list[tuple[str, dict[str, Any]]]
) -> None:
    assert found({"auction": [call.split() for call in auction.split(", ")]}) == problems


def test_jump_over_the_plain_two_is_odd() -> None:
    calls = [["Ada", "pass"], ["Bea", "2@70"], *([n, "pass"] for n in ("Ciro", "Dora", "Ezio"))]
    answer = check({**G1, **claimed(bid="2@70", called_card="2C"), "auction": calls})

    assert answer["ok"]
    assert [(w["code"], w["where"]) for w in answer["warnings"]] == [("bid-skips-two", {"call": 2})]


def test_suit_that_was_not_followed_is_odd() -> None:
    strict = ruled(play={"follow_suit": True})

    warnings = check({**G1, **strict, "tricks": RECORD["tricks"][:3]})["warnings"]

    assert {warning["code"] for warning in warnings} == {"revoke"}
    assert [warning["where"] for warning in warnings] == [
        {"trick": 1, "card": "4S"},
        {"trick": 2, "card": "3B"},
        {"trick": 2, "card": "5C"},
    ]


MONTE: dict[str, Any] = {
    "game": "briscola-chiamata",
    "rules": "monte-5",
    "seats": RECORD["seats"],
    "dealer": "Ezio",
    "claim": {"caller": "Bea", "bid": "61", "called_card": "AC"},
    "tricks": [
        ["7B", "2D", "4S", "KS", "JB"],
        ["4D", "3B", "KD", "AS", "5C"],
        ["6D", "AD", "7D", "QC", "QB"],
        ["KB", "JS", "5D", "AB", "6S"],
        ["QS", "QD", "3S", "7S", "2S"],
        ["3D", "KC", "4B", "5B", "5S"],
        ["6C", "6B", "7C", "JC", "3C"],
    ],
}
LEFT = ["AC", "2C", "2B", "JD", "4C"]


def monte(change: dict[str, Any], **answers: Any) -> dict[str, Any]:
    return check({**MONTE, **change, "claim": {**MONTE["claim"], **answers}})


@pytest.mark.parametrize("left", [{}, {"discards": LEFT}], ids=["untold", "told"])
@pytest.mark.parametrize(
    ("said", "paid", "codes"),
    [
        pytest.param({}, None, [], id="nothing said"),
        pytest.param({"partner": None}, "alone", [], id="alone"),
        pytest.param({"shown": False}, "alone", [], id="not shown"),
        pytest.param({"partner": "Ciro"}, "Ciro", [], id="the neighbour"),
        pytest.param({"shown": True}, "Ciro", [], id="shown"),
        pytest.param({"shown": True, "partner": "Ciro"}, "Ciro", [], id="shown to the neighbour"),
        pytest.param({"shown": True, "partner": None}, "alone", ["shown-alone"],
                     id="shown for nobody"),
        pytest.param({"partner": "Dora"}, None, ["called-by-caller"], id="not the neighbour"),
    ],
)  # fmt: skip
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


def test_card_laid_aside_is_not_said_to_have_been_had() -> None:
    (problem,) = monte({"discards": LEFT}, partner="Dora")["problems"]

    assert problem["message"].endswith(
        "was laid aside, so only Ciro, the next player after the caller, can have become the "
        "partner."
    )


def test_card_that_the_caller_played_is_said_to_have_been_had() -> None:
    (problem,) = monte({"tricks": [["AC"]]}, partner="Dora")["problems"]

    said = (
        "Bea had the Ace of cups, the called card, so only Ciro, the next player after the "
        "caller, can have become the partner."
    )
    assert problem["message"] == said


def test_partner_without_a_shown_card_held_the_called_one() -> None:
    before = {"tricks": [*MONTE["tricks"][:6], None]}
    low, high = monte(before, partner="Ciro")["bounds"]

    least, most = monte(before, partner="Ciro", shown=False)["bounds"]

    assert low <= least <= most <= high


def test_discards_go_to_whoever_won_last() -> None:
    before, after = monte({"tricks": MONTE["tricks"][:6]}), monte({"discards": LEFT})

    last, last_trick, discards = after["winners"][-1], 12, 13
    assert after["card_points"][last] - before["card_points"][last] == last_trick + discards
    assert after["card_points"] == monte({})["card_points"]


@pytest.mark.parametrize(
    ("discards", "problems"),
    [
        pytest.param(LEFT[:4], [("missing-card", {"card": "4C"}),
                                ("discard-count", {"discards": True})], id="one too few"),
        pytest.param([*LEFT[:4], "JB"],
                     [("duplicate-card", {"trick": 1, "card": "JB", "again": {"discards": True}}),
                      ("missing-card", {"card": "4C"})], id="one that was played"),
        pytest.param([*LEFT[:4], "4X"],
                     [("card-not-in-deck", {"discards": True, "card": "4X"}),
                      ("missing-card", {"card": "4C"})], id="one that can't be read"),
    ],
)  # fmt: skip
def test_discards_are_compared_with_the_play(
    discards: list[str], problems: list[tuple[str, dict[str, Any]]]
) -> None:
    answer = monte({"discards": discards})

    assert [(problem["code"], problem["where"]) for problem in answer["problems"]] == problems


def test_discards_that_nobody_wrote_down_are_not_counted_beside_a_doubtful_card() -> None:
    first = [MONTE["tricks"][1][0], *MONTE["tricks"][0][1:]]
    answer = monte({"tricks": [first, *MONTE["tricks"][1:]]})

    assert "duplicate-card" in [problem["code"] for problem in answer["problems"]]
    assert sum(answer["card_points"].values()) < 120


@pytest.mark.parametrize(
    ("claim", "who"),
    [
        pytest.param({"card_points": 74}, "the caller's side took 72", id="with a partner"),
        pytest.param({"bid": "A", "called_card": "AC", "card_points": 60}, "Bea took 58",
                     id="alone"),
    ],
)  # fmt: skip
def test_card_points_are_said_of_whose_they_are(claim: dict[str, Any], who: str) -> None:
    (problem,) = check({**G1, **claimed(**claim)})["problems"]

    assert problem["message"] == f"Going by the cards entered, {who} card points."


def test_card_points_of_a_part_are_told_by_their_bounds() -> None:
    (problem,) = check({**G1, **claimed(card_points=110), "tricks": G1["tricks"][:5]})["problems"]

    assert problem["message"] == (
        "Going by the cards entered, the caller's side must have taken between 33 and 97 card "
        "points, not 110."
    )


def test_bid_to_beat_is_named() -> None:
    calls = [["Ada", "pass"], ["Bea", "K"], ["Ciro", "K"]]

    (problem,) = check({**G1, "auction": calls})["problems"]

    assert problem["message"] == "The bid to beat is already the King: the King doesn't beat it."


def test_caller_of_the_auction_is_named() -> None:
    calls = [["Ada", "pass"], ["Bea", "K"], ["Ciro", "Q"], ["Dora", "pass"], ["Ezio", "pass"]]

    (problem,) = check({**G1, "auction": [*calls, ["Bea", "pass"]]})["problems"]

    assert problem["message"] == "Ciro bid highest, so Ciro is the caller."
