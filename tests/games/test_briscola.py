from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.briscola import GAME
from scorer.rules.game import Outcome
from tests.data.strategies import examples
from tests.games import plain
from tests.games.plain import balances

WORTHS = [11, 10, 4, 3, 2, 0, 0, 0, 0, 0] * 4
DRAW = {"card_points": [60, 60]}
A: dict[str, Any] = {"card_points": [71, 49]}
B: dict[str, Any] = {"card_points": [50, 70]}
ALL_A: dict[str, Any] = {"card_points": [120, 0]}
ALL_B: dict[str, Any] = {"card_points": [0, 120]}
ONE: dict[str, Any] = {"card_points": [60, 40, 20]}
TWO: dict[str, Any] = {"card_points": [20, 60, 40]}
THREE: dict[str, Any] = {"card_points": [40, 20, 60]}


@pytest.mark.parametrize(
    ("points", "rules", "payouts"),
    [
        pytest.param([61, 59], None, [1, 0], id="BR1, two players"),
        pytest.param([75, 45], None, [1, 0, 1, 0], id="BR3, two pairs"),
        pytest.param([45, 44, 31], None, [1, 0, 0], id="BR5, two of three over 41"),
        pytest.param([50, 50, 20], None, [0, 0, 0], id="BR7, two of three level"),
        pytest.param([40, 40, 40], None, [0, 0, 0], id="all three level"),
        pytest.param([60, 60], None, [0, 0], id="drawn"),
        pytest.param([2, 118], None, [0, 1, 0, 1, 0, 1], id="two threes"),
        pytest.param([120, 0], None, [1, 0], id="everything, where that is nothing special"),
        pytest.param([120, 0], {"cappotto": "two"}, [2, 0], id="everything counts as two"),
        pytest.param([0, 120], {"cappotto": "match"}, [0, 1, 0, 1], id="everything is the match"),
        pytest.param([118, 2], {"cappotto": "two"}, [1, 0], id="not quite everything"),
        pytest.param([70, 50], "points-120", [70, 50], id="BR11, card points"),
        pytest.param([60, 60], "points-120", [60, 60], id="BR13, card points level"),
        pytest.param([120, 0], {"match": "points", "cappotto": "two"}, [120, 0],
                     id="everything, where card points are counted"),
    ],
)  # fmt: skip
def test_deal_is_paid(points: list[int], rules: object, payouts: list[int]) -> None:
    sheet = {"card_points": points}

    assert plain.paid("briscola", sheet, len(payouts), rules) == payouts


@pytest.mark.parametrize(
    ("points", "last", "payouts"),
    [
        pytest.param([60, 60], 1, [0, 1], id="drawn: the last trick"),
        pytest.param([61, 59], 1, [1, 0], id="not drawn"),
        pytest.param([50, 20, 50], 2, [0, 0, 1], id="of two who are level"),
        pytest.param([50, 20, 50], 1, [0, 0, 0], id="of the third, who isn't"),
    ],
)
def test_last_trick_decides_a_drawn_deal(points: list[int], last: int, payouts: list[int]) -> None:
    sheet = {"card_points": points, "last_trick": last}

    assert plain.paid("briscola", sheet, len(payouts), {"drawn": "last-trick"}) == payouts


@pytest.mark.parametrize(
    ("sheet", "count", "rules", "problems"),
    [
        pytest.param({"card_points": [71, 48]}, 2, None, [("sum-120", "card_points")],
                     id="too few together"),
        pytest.param({"card_points": [71, 50]}, 2, None, [("sum-120", "card_points")],
                     id="too many together"),
        pytest.param({"card_points": [1, 119]}, 2, None,
                     [("points-impossible", "card_points[0]"),
                      ("points-impossible", "card_points[1]")], id="one point"),
        pytest.param({"card_points": [1, 60, 59]}, 3, None,
                     [("points-impossible", "card_points[0]")], id="one point among three"),
        pytest.param({"card_points": [-10, 130]}, 2, None,
                     [("out-of-range", "card_points[0]"), ("out-of-range", "card_points[1]")],
                     id="out of range"),
        pytest.param({"card_points": [71, 49, 0]}, 2, None, [("sides-count", "card_points")],
                     id="three values for two"),
        pytest.param({"card_points": [71, 49]}, 3, None, [("sides-count", "card_points")],
                     id="two values for three"),
        pytest.param({}, 2, None, [("missing-key", "card_points")], id="nothing written down"),
        pytest.param(DRAW, 2, {"drawn": "last-trick"}, [("missing-key", "last_trick")],
                     id="drawn, and the last trick isn't known"),
        pytest.param({**DRAW, "last_trick": 2}, 4, {"drawn": "last-trick"},
                     [("unknown-side", "last_trick")], id="a third side"),
        pytest.param({**DRAW, "last_trick": "Ada"}, 2, None, [("wrong-type", "last_trick")],
                     id="a name for a side"),
        pytest.param(DRAW, 2, {"drawn": "last-trick", "match": "points"}, [],
                     id="drawn, where card points are counted"),
    ],
)  # fmt: skip
def test_sheet_is_checked(
    sheet: dict[str, Any], count: int, rules: object, problems: list[tuple[str, str]]
) -> None:
    assert plain.problems("briscola", sheet, count, rules) == problems


@pytest.mark.parametrize(
    ("rules", "deals", "after", "winners"),
    [
        pytest.param(None, [A, B], [1, 1], [], id="best of three, undecided"),
        pytest.param(None, [A, B, A], [2, 1], ["Ada"], id="BR9, best of three"),
        pytest.param(None, [B, B], [0, 2], ["Bea"], id="best of three, decided after two"),
        pytest.param(None, [A, DRAW, DRAW, DRAW], [1, 0], [], id="drawn deals don't count"),
        pytest.param(None, [A, DRAW, A], [2, 0], ["Ada"], id="a drawn deal in between"),
        pytest.param(None, [A, DRAW, B], [1, 1], [], id="three deals, one of them drawn"),
        pytest.param(None, [A, DRAW, B, A], [2, 1], ["Ada"], id="BR10, the fourth decides"),
        pytest.param({"drawn": "replay"}, [A, DRAW, B, A], [2, 1], ["Ada"],
                     id="the fourth decides, where drawn deals are played again"),
        pytest.param({"deals": 1}, [B], [0, 1], ["Bea"], id="a single deal"),
        pytest.param({"deals": 4}, [A, B, B, A], [2, 2], [], id="best of four, level"),
        pytest.param({"deals": 4}, [A, B, B, A, A], [3, 2], ["Ada"], id="one more decides"),
        pytest.param({"deals": 4}, [A, A, B], [2, 1], [], id="the fourth may level"),
        pytest.param("best-of-5", [A, B, A, A], [3, 1], ["Ada"], id="best of five"),
        pytest.param({"match": "first-to", "deals": 3}, [A, A, B, B], [2, 2], [], id="first to 3"),
        pytest.param({"match": "first-to", "deals": 2}, [A, B, B], [1, 2], ["Bea"],
                     id="first to two"),
        pytest.param({"cappotto": "two"}, [ALL_B], [0, 2], ["Bea"], id="cappotto as two deals"),
        pytest.param({"deals": 5, "cappotto": "match"}, [A, A, ALL_B], [2, 1], ["Bea"],
                     id="cappotto as the match, from behind"),
        pytest.param({"deals": 5, "cappotto": "match"}, [A, {"outcome": "misdeal"}], [1, 0], [],
                     id="no cappotto in a misdeal"),
        pytest.param({"match": "open", "cappotto": "match"}, [ALL_A] * 4, [4, 0], [],
                     id="no match, no end"),
        pytest.param("points-120", [{"card_points": [70, 50]}, {"card_points": [55, 65]}],
                     [125, 115], ["Ada"], id="BR11, points to 120"),
        pytest.param("points-120", [DRAW, DRAW], [120, 120], [], id="BR13, level: play on"),
        pytest.param("points-120", [DRAW, DRAW, A], [191, 169], ["Ada"], id="and decided"),
        pytest.param({"match": "points", "cappotto": "match"}, [B, B, ALL_A], [220, 140], ["Bea"],
                     id="what was won before stays won"),
        pytest.param({"match": "points", "target": 300, "cappotto": "match"}, [B, B, ALL_A],
                     [220, 140], ["Ada"], id="cappotto as the match, with card points"),
    ],
)  # fmt: skip
def test_match_is_played_to_its_end(
    rules: object, deals: list[dict[str, Any]], after: list[int], winners: list[str]
) -> None:
    answer = plain.evening("briscola", deals, rules=rules)

    assert balances(answer) == after
    assert (answer["finished"], answer["winners"]) == (bool(winners), winners)


@pytest.mark.parametrize(
    ("deals", "winners"),
    [
        pytest.param([ONE, TWO, THREE], [], id="one each"),
        pytest.param([ONE, TWO, THREE, TWO], ["Bea"], id="one each, and one more"),
        pytest.param([ONE, THREE, ONE], ["Ada"], id="two of three"),
    ],
)
def test_best_of_three_among_three_needs_more_than_anybody_else(
    deals: list[dict[str, Any]], winners: list[str]
) -> None:
    assert plain.evening("briscola", deals, 3)["winners"] == winners


def test_everybody_of_the_side_wins() -> None:
    assert plain.evening("briscola", [A, A], 6)["winners"] == ["Ada", "Ciro", "Ezio"]


@pytest.mark.parametrize(
    ("rules", "dealers"),
    [
        pytest.param(None, ["Ada", "Bea", "Ada"], id="goes on"),
        pytest.param({"drawn": "replay"}, ["Ada", "Ada", "Bea"], id="the same dealer again"),
        pytest.param({"drawn": "replay", "match": "points"}, ["Ada", "Bea", "Ada"],
                     id="goes on where the card points count"),
    ],
)  # fmt: skip
def test_drawn_deal_goes_on_or_is_dealt_again(rules: object, dealers: list[str]) -> None:
    answer = plain.evening("briscola", [DRAW, A, A], rules=rules)

    assert [row["dealer"] for row in answer["deals"]] == dealers


@pytest.mark.parametrize(
    ("sheet", "rules", "steps"),
    [
        (A, None, ["Ada: deal won with 71 card points against 49 → +1."]),
        (DRAW, None, ["60–60: nobody wins the deal."]),
        ({**DRAW, "last_trick": 1}, {"drawn": "last-trick"},
         ["Bea: 60–60, and the last trick wins the deal → +1."]),
        (ALL_A, {"cappotto": "two"}, ["Ada: deal won with 120 card points against 0 → +1.",
                                      "Ada: cappotto counts as two deals, one more → +1."]),
        (ALL_A, {"cappotto": "match"}, ["Ada: deal won with 120 card points against 0 → +1.",
                                        "Ada: cappotto wins the match."]),
        (A, "points-120", ["Ada: card points → +71.", "Bea: card points → +49."]),
    ],
)  # fmt: skip
def test_reasons_are_told(sheet: dict[str, Any], rules: object, steps: list[str]) -> None:
    assert plain.reasons("briscola", sheet, rules=rules) == steps


@pytest.mark.parametrize(
    ("rules", "end", "reachable"),
    [
        ("best-of-3", "Best of 3", True),
        ("first-to-4", "First to win 4 deals", True),
        ("points-120", "To 120 points", True),
        ("deal-by-deal", "Open end", False),
    ],
)
def test_end_is_said(rules: str, end: str, *, reachable: bool) -> None:
    read, _ = GAME.rules_from(rules)

    assert str(GAME.end_text(read)) == end
    assert GAME.can_end(read) == reachable


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"drawn": "replay"}, "the same dealer deals again"),
        ({"drawn": "last-trick"}, "won by the last trick"),
        ({}, "A drawn deal counts for nothing."),
        ({"cappotto": "match"}, "wins the match at once"),
        ({"cappotto": "two"}, "counts as two deals"),
        ({"turned_up_honour": "returned"}, "another card is turned up"),
    ],
)
def test_options_are_told(rules: dict[str, Any], sentence: str) -> None:
    read, _ = GAME.rules_from(rules)

    assert sentence in " ".join(map(str, GAME.describe(read).words))


def test_group_s_own_rules_are_called_so() -> None:
    read, _ = GAME.rules_from({"deals": 7, "name": "Ours"})
    description = GAME.describe(read)

    assert (str(description.name), str(description.blurb)) == ("Ours", "The group's own table.")
    assert str(description.seats_text) == "2 / 3 / 4 / 6 players"


@pytest.mark.parametrize("count", [1, 5, 7])
def test_not_every_number_can_play(count: int) -> None:
    assert plain.problems("briscola", A, count) == [("seats-count", "seats")]


def test_cards_may_be_dealt_again() -> None:
    assert GAME.outcomes(GAME.preset) == (Outcome.MISDEAL, Outcome.REDEAL)


@examples(60)
@given(st.permutations(WORTHS), st.sampled_from([2, 3]), st.data())
def test_points_of_a_deal_that_was_played_are_sound(
    pack: list[int], count: int, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, 40), min_size=count - 1, max_size=count - 1)))
    piles = [pack[low:high] for low, high in zip([0, *cuts], [*cuts, 40], strict=True)]
    points = [sum(pile) for pile in piles]

    payouts = plain.paid("briscola", {"card_points": points}, count)

    assert sum(payouts) <= 1
    assert all(points[seat] == max(points) for seat, amount in enumerate(payouts) if amount)
    assert sum(payouts) == (points.count(max(points)) == 1)


@pytest.mark.parametrize(
    ("rules", "asked"),
    [
        ({}, ["card_points"]),
        ({"drawn": "last-trick"}, ["card_points", "last_trick"]),
        ({"drawn": "last-trick", "match": "points"}, ["card_points"]),
    ],
)
def test_last_trick_is_asked_where_it_decides(rules: dict[str, Any], asked: list[str]) -> None:
    read, _ = GAME.rules_from(rules)

    assert plain.asked(GAME, read) == asked


def test_deal_is_won_only_where_its_card_points_are_not_added_up() -> None:
    first_words = {slug: str(next(GAME.words(rules))) for slug, rules in GAME.presets.items()}

    assert {
        slug for slug, first in first_words.items() if not first.startswith("61 card points")
    } == {"points-120"}
