from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games import find_game
from scorer.games.tressette import GAME
from scorer.rules.sheet import questions
from tests.data.strategies import examples
from tests.games import plain
from tests.games.plain import balances

PLAIN: dict[str, Any] = {"aces": [3, 1], "thirds": [11, 9], "last_trick": 0}
NAPOLETANA = {"kind": "napoletana", "suit": "D"}
FOUR_TWOS = {"kind": "four", "rank": "2"}
THREE_ACES = {"kind": "three", "rank": "A", "missing": "C"}


def points(*values: int, **more: object) -> dict[str, Any]:
    return {"hand_points": list(values), **more}


def declared(*sides: list[dict[str, Any]]) -> dict[str, Any]:
    return points(4, 7, declarations=list(sides))


@pytest.mark.parametrize(
    ("sheet", "paid"),
    [
        pytest.param(PLAIN, [7, 4], id="TR1"),
        pytest.param({"aces": [4, 0], "thirds": [20, 0], "last_trick": 0}, [11, 0], id="TR3"),
        pytest.param(points(4, 7, declarations=[[NAPOLETANA, FOUR_TWOS], []]), [11, 7], id="TR5"),
        pytest.param(points(7, 4), [7, 4], id="hand points"),
        pytest.param({**PLAIN, "hand_points": [7, 4]}, [7, 4], id="both, as they should be"),
        pytest.param({"aces": [0, 4], "thirds": [8, 12], "last_trick": 0}, [3, 8],
                     id="two thirds of a point are dropped"),
        pytest.param(points(11, 0, declarations=[[], [THREE_ACES]]), [11, 3], id="three aces"),
    ],
)  # fmt: skip
def test_deal_is_counted(sheet: dict[str, Any], paid: list[int]) -> None:
    assert plain.paid("tressette", sheet, 2) == paid
    assert plain.paid("tressette", sheet, 4) == paid * 2


@pytest.mark.parametrize(
    ("sheet", "paid"),
    [
        pytest.param({"aces": [2, 1, 1], "thirds": [8, 8, 4], "last_trick": 1}, [4, 4, 2],
                     id="fractions of a whole point are lost"),
        pytest.param({"aces": [2, 1, 1], "thirds": [9, 8, 3], "last_trick": 1}, [5, 4, 2],
                     id="no whole point is lost"),
        pytest.param(points(5, 5, 0), [5, 5, 0], id="ten hand points"),
        pytest.param(points(5, 5, 1), [5, 5, 1], id="eleven hand points"),
    ],
)  # fmt: skip
def test_three_play_each_for_themselves(sheet: dict[str, Any], paid: list[int]) -> None:
    assert plain.paid("tressette", sheet, 3) == paid


@pytest.mark.parametrize(
    ("sheet", "problems"),
    [
        pytest.param({**PLAIN, "aces": [3, 2]}, [("sum-aces", "aces")], id="TR9"),
        pytest.param({**PLAIN, "thirds": [11, 8]}, [("sum-thirds", "thirds")], id="19 thirds"),
        pytest.param(points(7, 5), [("sum-11", "hand_points")], id="TR13"),
        pytest.param(points(5, 5), [("sum-11", "hand_points")], id="ten of two sides"),
        pytest.param(points(12, -1), [("out-of-range", "hand_points[0]"),
                                      ("out-of-range", "hand_points[1]")], id="out of range"),
        pytest.param({}, [("missing-key", "hand_points")], id="nothing"),
        pytest.param({"last_trick": 0}, [("missing-key", "hand_points")], id="the last trick"),
        pytest.param({"aces": [3, 1], "last_trick": 0}, [("missing-key", "thirds")],
                     id="only the aces"),
        pytest.param({"thirds": [11, 9]}, [("missing-key", "aces"), ("missing-key", "last_trick")],
                     id="only the thirds"),
        pytest.param({**PLAIN, "last_trick": None}, [("missing-key", "last_trick")],
                     id="nobody took the last trick"),
        pytest.param({**PLAIN, "hand_points": [6, 5]}, [("hand-points-differ", "hand_points")],
                     id="other hand points than the cards"),
        pytest.param(points(11, 0, last_trick=1), [("hand-points-differ", "last_trick")],
                     id="the last trick without its point"),
        pytest.param(points(10, 1, last_trick=1), [], id="the last trick with its point alone"),
        pytest.param({**PLAIN, "hand_points": [6, 5]}, [("hand-points-differ", "hand_points")],
                     id="cards that tell the last trick's point too"),
        pytest.param(points(7, 4, called_out=0), [("called-out", "called_out")],
                     id="called out where nobody does"),
        pytest.param(points(7, 4, last_trick=2), [("unknown-side", "last_trick")],
                     id="a third side"),
    ],
)  # fmt: skip
def test_sheet_is_checked(sheet: dict[str, Any], problems: list[tuple[str, str]]) -> None:
    assert plain.problems("tressette", sheet) == problems


@pytest.mark.parametrize(("values", "sound"), [((5, 5, 2), False), ((4, 4, 1), False)])
def test_hand_points_of_three_are_ten_or_eleven(values: tuple[int, ...], *, sound: bool) -> None:
    assert (plain.problems("tressette", points(*values), 3) == []) == sound


@pytest.mark.parametrize(
    ("sides", "problems"),
    [
        pytest.param(
            [[{"kind": "three", "rank": "3"}], [{"kind": "three", "rank": "3"}]],
            [("declaration-duplicate", "declarations[1][0]")], id="TR11",
        ),
        pytest.param([[FOUR_TWOS, {"kind": "three", "rank": "2"}], []],
                     [("declaration-duplicate", "declarations[0][1]")], id="four and three twos"),
        pytest.param([[NAPOLETANA], [NAPOLETANA]],
                     [("declaration-duplicate", "declarations[1][0]")], id="one napoletana twice"),
        pytest.param([[NAPOLETANA], [FOUR_TWOS]], [("declaration-impossible", "declarations")],
                     id="the two of coins in two hands"),
        pytest.param([[NAPOLETANA], [THREE_ACES]], [("declaration-impossible", "declarations")],
                     id="the ace of coins in two hands"),
        pytest.param([[NAPOLETANA], [{"kind": "three", "rank": "A", "missing": "D"}]], [],
                     id="three aces without that of coins"),
        pytest.param([[NAPOLETANA], [{"kind": "three", "rank": "A"}]], [],
                     id="three aces, nobody said which"),
        pytest.param([[NAPOLETANA],
                      [{"kind": "three", "rank": "A"}, {"kind": "four", "rank": "3"}]],
                     [("declaration-impossible", "declarations")], id="the three in two hands"),
        pytest.param([[{"kind": "napoletana"}, {"kind": "four"}], [{"kind": "three"}]],
                     [("missing-key", "declarations[0][0].suit"),
                      ("missing-key", "declarations[0][1].rank"),
                      ("missing-key", "declarations[1][0].rank")], id="of what?"),
        pytest.param([[{"kind": "four", "rank": "K"}], []],
                     [("declaration-rank", "declarations[0][0].rank")], id="four kings"),
        pytest.param([[{**NAPOLETANA, "rank": "A"}, {**NAPOLETANA, "suit": "C", "missing": "D"}],
                      [{**FOUR_TWOS, "missing": "C"}, {**THREE_ACES, "suit": "C"},
                       {"kind": "three", "rank": "3", "coda": 1}]],
                     [("declaration-parts", f"declarations[{place}]")
                      for place in ("0][0", "0][1", "1][0", "1][1", "1][2")], id="too much said"),
        pytest.param([[{"kind": "five"}], []], [("unknown-choice", "declarations[0][0].kind")],
                     id="no such declaration"),
        pytest.param([[{"kind": "napoletana", "suit": "H"}], []],
                     [("unknown-suit", "declarations[0][0].suit")], id="a napoletana of hearts"),
    ],
)  # fmt: skip
def test_declarations_are_checked(
    sides: list[list[dict[str, Any]]], problems: list[tuple[str, str]]
) -> None:
    assert plain.problems("tressette", declared(*sides), 2) == problems
    assert plain.problems("tressette", declared(*sides), 4) == problems


ALL_FOUR = [{"kind": "four", "rank": rank} for rank in "A23"]
NAPOLETANE = [{"kind": "napoletana", "suit": suit} for suit in "CDSB"]
WITHOUT_C = {"kind": "three", "rank": "A", "missing": "C"}
OF_CUPS = {"kind": "napoletana", "suit": "C"}


@pytest.mark.parametrize(
    ("declarations", "count", "sound"),
    [
        pytest.param(ALL_FOUR, 2, False, id="twelve cards in one hand of ten"),
        pytest.param(ALL_FOUR, 4, True, id="twelve cards of two partners"),
        pytest.param(ALL_FOUR, 3, True, id="twelve cards in one hand of thirteen"),
        pytest.param([*ALL_FOUR[:2], *NAPOLETANE[:2]], 2, True, id="ten cards in one hand"),
        pytest.param([*ALL_FOUR[:2], *NAPOLETANE[:2]], 4, True, id="ten cards of one of two"),
        pytest.param([*ALL_FOUR, *NAPOLETANE], 4, False, id="twelve cards that belong together"),
        pytest.param(NAPOLETANE, 4, True, id="four napoletane of two partners"),
        pytest.param([WITHOUT_C, OF_CUPS], 2, False, id="an ace that one lacks and has"),
        pytest.param([WITHOUT_C, OF_CUPS], 4, True, id="an ace that the partner has"),
    ],
)
def test_declarations_of_a_side_are_those_of_its_players(
    declarations: list[dict[str, Any]], count: int, *, sound: bool
) -> None:
    sides = [declarations, *[[]] * (2 if count == 3 else 1)]
    sheet = points(*([5, 5, 1] if count == 3 else [4, 7]), declarations=sides)

    problems = plain.problems("tressette", sheet, count)

    assert problems == ([] if sound else [("declaration-impossible", "declarations")])


def test_player_declares_nineteen_points_at_most() -> None:
    nineteen = [
        {"kind": "four", "rank": "A"},
        {"kind": "three", "rank": "2", "missing": "C"},
        {"kind": "three", "rank": "3", "missing": "C"},
        *NAPOLETANE[1:],
    ]

    assert plain.paid("tressette", declared(nineteen, [])) == [4 + 19, 7]


@pytest.mark.parametrize(("coda", "paid"), [(True, [9, 7]), (False, [7, 7])])
def test_coda_counts_where_it_is_played(paid: list[int], *, coda: bool) -> None:
    sheet = declared([{**NAPOLETANA, "coda": 2}], [])

    assert plain.paid("tressette", sheet, 2, {"coda": coda}) == paid
    assert plain.warnings("tressette", sheet, 2, {"coda": coda}) == (
        [] if coda else [("not-counted", "declarations")]
    )


@pytest.mark.parametrize(
    ("coda", "count", "sound"),
    [
        pytest.param(7, 2, True, id="a whole suit"),
        pytest.param(8, 2, False, id="more than a suit"),
    ],
)
def test_coda_ends_with_the_suit(coda: int, count: int, *, sound: bool) -> None:
    sheet = declared([{**NAPOLETANA, "coda": coda}], [])

    assert (plain.problems("tressette", sheet, count, {"coda": True}) == []) == sound


def test_nothing_is_declared_where_that_is_not_played() -> None:
    sheet = declared([NAPOLETANA], [])

    assert plain.paid("tressette", sheet, 2, "silent-21") == [4, 7]
    assert plain.warnings("tressette", sheet, 2, "silent-21") == [("not-counted", "declarations")]
    assert plain.warnings("tressette", PLAIN, 2, "silent-21") == []


@pytest.mark.parametrize(
    ("rules", "sheet", "after", "winner"),
    [
        pytest.param(None, points(4, 7), [21, 22], "Bea", id="TR7, end of the deal"),
        pytest.param({"end": "immediate"}, points(4, 7, called_out=0), [21, 22], "Ada",
                     id="TR7, called out by the lower side"),
        pytest.param({"end": "immediate"}, points(4, 7, called_out=1), [21, 22], "Bea",
                     id="TR7, called out by the higher side"),
        pytest.param({"end": "immediate"}, points(4, 7), [21, 22], "Bea",
                     id="nobody called out"),
        pytest.param({"end": "immediate"}, points(4, 2, called_out=0), [21, 17], "Ada",
                     id="the deal stopped there"),
        pytest.param({"end": "immediate"}, points(3, 1, called_out=0), [20, 16], None,
                     id="called out too early"),
        pytest.param({"end": "immediate"}, points(3, 6, called_out=0), [20, 21], "Bea",
                     id="called out too early, and the other side is there"),
        pytest.param({"target": 41}, points(4, 7), [21, 22], None, id="a longer match"),
    ],
)  # fmt: skip
def test_match_ends_at_the_target(
    rules: object, sheet: dict[str, Any], after: list[int], winner: str | None
) -> None:
    opening = {"Ada": 17, "Bea": 15}

    answer = plain.evening("tressette", [sheet], rules=rules, opening=opening)

    assert balances(answer) == after
    assert answer["winners"] == ([winner] if winner else [])


def test_level_at_the_target_is_played_on() -> None:
    opening = {"Ada": 17, "Bea": 14}

    answer = plain.evening(
        "tressette", [points(4, 7), points(5, 6)], 4, opening={**opening, "Ciro": 17, "Dora": 14}
    )

    assert balances(answer) == [26, 27, 26, 27]
    assert answer["winners"] == ["Bea", "Dora"]


@pytest.mark.parametrize(
    ("sheet", "problems"),
    [
        pytest.param(
            {"aces": [3, 0], "thirds": [10, 0], "called_out": 0},
            [],
            id="the deal stopped before the last trick",
        ),
        pytest.param(
            {"aces": [3, 2], "thirds": [10, 11], "called_out": 0},
            [("sum-aces", "aces"), ("sum-thirds", "thirds")],
            id="more than there is",
        ),
        pytest.param(
            points(7, 5, called_out=0),
            [("sum-11", "hand_points")],
            id="more hand points than there are",
        ),
    ],
)
def test_deal_that_was_called_out_has_less(
    sheet: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    assert plain.problems("tressette", sheet, 2, {"end": "immediate"}) == problems


@pytest.mark.parametrize(
    ("sheet", "rules", "steps"),
    [
        (PLAIN, None, ["Ada: aces, 3 × 1 → +3.",
                       ("Ada: threes, twos and court cards, 11 × ⅓ = 3⅔, the fraction is dropped "
                        "→ +3."),
                       "Ada: last trick → +1.",
                       "Bea: aces, 1 × 1 → +1.",
                       "Bea: threes, twos and court cards, 9 × ⅓ = 3 → +3."]),
        (declared([NAPOLETANA, FOUR_TWOS], [THREE_ACES | {"missing": "D"}]), None, [
            "Ada: hand points → +4.", "Ada: napoletana of coins → +3.", "Ada: four twos → +4.",
            "Bea: hand points → +7.", "Bea: three aces, without coins → +3.",
        ]),
        (declared([{**NAPOLETANA, "coda": 3}], [{"kind": "three", "rank": "3"}]), {"coda": True}, [
            "Ada: hand points → +4.", "Ada: napoletana of coins with 6 cards in a row → +6.",
            "Bea: hand points → +7.", "Bea: three threes → +3.",
        ]),
        (points(0, 0, called_out=0), {"end": "immediate"},
         ["Ada: hand points → 0.", "Bea: hand points → 0."]),
    ],
)  # fmt: skip
def test_reasons_are_told(sheet: dict[str, Any], rules: object, steps: list[str]) -> None:
    assert plain.reasons("tressette", sheet, 2, rules) == steps


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({}, "four of a kind for 4"),
        ({"declarations": False}, "Nothing is declared."),
        ({"coda": True}, "follows a napoletana"),
        ({"end": "immediate", "target": 41}, "Whoever has 41 points says so"),
        ({"target": 51}, "to 51 points"),
        ({"cappotto_times": 2}, "counts its 11 hand points double"),
        ({"first_leader": "four-of-coins"}, "the player with the four of coins leads"),
        ({"cappotto_cancels": True}, "takes no trick at all has declared for nothing"),
    ],
)
def test_options_are_told(rules: dict[str, Any], sentence: str) -> None:
    read, _ = GAME.rules_from(rules)

    assert sentence in " ".join(map(str, GAME.describe(read).words))


def test_one_s_is_enough() -> None:
    assert find_game("tresette") is GAME


CARDS = [rank + suit for suit in "CDSB" for rank in "A23KQJ7654"]


def taken_by(pile: list[str]) -> dict[str, int]:
    ranks = [card[0] for card in pile]
    return {"aces": ranks.count("A"), "thirds": sum(ranks.count(rank) for rank in "32KQJ")}


@examples(150)
@given(st.permutations(CARDS), st.integers(0, 40), st.integers(0, 1))
def test_hand_points_of_two_sides_sum_to_eleven(pack: list[str], cut: int, last: int) -> None:
    piles = [taken_by(pack[:cut]), taken_by(pack[cut:])]
    sheet: dict[str, Any] = {key: [pile[key] for pile in piles] for key in ("aces", "thirds")}

    paid = plain.paid("tressette", {**sheet, "last_trick": last})

    assert sum(paid) == 11
    assert plain.paid("tressette", points(*paid)) == paid


@examples(150)
@given(
    st.permutations(CARDS), st.lists(st.integers(0, 40), min_size=2, max_size=2), st.integers(0, 2)
)
def test_hand_points_of_three_sum_to_ten_or_eleven(
    pack: list[str], cuts: list[int], last: int
) -> None:
    low, high = sorted(cuts)
    piles = [taken_by(pile) for pile in (pack[:low], pack[low:high], pack[high:])]
    sheet: dict[str, Any] = {key: [pile[key] for pile in piles] for key in ("aces", "thirds")}

    paid = plain.paid("tressette", {**sheet, "last_trick": last}, 3)

    assert sum(paid) in (10, 11)
    assert plain.paid("tressette", points(*paid), 3) == paid


def declarations_of(hand: list[str]) -> list[dict[str, Any]]:
    """Give everything that a hand can declare."""
    found: list[dict[str, Any]] = [
        {"kind": "napoletana", "suit": suit}
        for suit in "CDSB"
        if {f"{rank}{suit}" for rank in "A23"} <= {*hand}
    ]
    for rank in "A23":
        lacking = [suit for suit in "CDSB" if rank + suit not in hand]
        if not lacking:
            found.append({"kind": "four", "rank": rank})
        elif len(lacking) == 1:
            found.append({"kind": "three", "rank": rank, "missing": lacking[0]})
    return found


@examples(150)
@given(
    st.permutations([rank + suit for suit in "CDSB" for rank in "A23"]),
    st.permutations([rank + suit for suit in "CDSB" for rank in "KQJ7654"]),
    st.lists(st.integers(0, 10), min_size=4, max_size=4), st.sampled_from([2, 3, 4]),
)  # fmt: skip
def test_whatever_is_declared_from_hands_that_were_dealt_is_possible(
    high: list[str], low: list[str], counts: list[int], players: int
) -> None:
    each = {2: 10, 3: 13, 4: 10}[players]
    high, low, hands = [*high], [*low], []
    for count in counts[:players]:
        hand = [high.pop() for _ in range(min(count, len(high)))]
        hands.append(hand + [low.pop() for _ in range(min(each - len(hand), len(low)))])
    sides = (
        [hands[:1] + hands[2:3], hands[1:2] + hands[3:]] if players == 4 else [[h] for h in hands]
    )
    declarations = [
        [declaration for hand in side for declaration in declarations_of(hand)] for side in sides
    ]
    values = [5, 5, 1] if players == 3 else [4, 7]

    sheet = points(*values, declarations=declarations)

    assert plain.problems("tressette", sheet, players) == []


@pytest.mark.parametrize(
    ("rules", "unasked"),
    [
        ({}, {"called_out", "bonus"}),
        ({"declarations": False, "end": "immediate", "bonus": "busso"}, {"declarations"}),
    ],
)
def test_what_has_no_meaning_is_not_asked(rules: dict[str, Any], unasked: set[str]) -> None:
    read, _ = GAME.rules_from(rules)
    fields = plain.asked(GAME, read)

    assert {question.name for question in questions(GAME.sheet_type)} - {*fields} == unasked


OTHER_ACES = {**THREE_ACES, "missing": "D"}
BOTH = {"cappotto_times": 2, "cappotto_cancels": True}
ALL_CARDS = {"aces": [4, 0], "thirds": [20, 0], "last_trick": 0}


@pytest.mark.parametrize(
    ("sheet", "rules", "payouts"),
    [
        pytest.param(points(11, 0), None, [11, 0], id="nothing by default"),
        pytest.param(points(11, 0), {"cappotto_times": 2}, [22, 0], id="twice"),
        pytest.param(points(0, 11), {"cappotto_times": 3}, [0, 33], id="three times, the others"),
        pytest.param(ALL_CARDS, {"cappotto_times": 2}, [22, 0], id="by the cards"),
        pytest.param({**ALL_CARDS, "thirds": [18, 2]}, BOTH, [11, 0], id="a trick with two thirds"),
        pytest.param(points(10, 1), BOTH, [10, 1], id="a point for the others"),
        pytest.param(points(11, 0, declarations=[[NAPOLETANA], [OTHER_ACES]]), None, [14, 3],
                     id="declared all the same"),
        pytest.param(points(11, 0, declarations=[[NAPOLETANA], [OTHER_ACES]]),
                     {"cappotto_cancels": True}, [14, 0], id="cancelled"),
        pytest.param(points(0, 11, declarations=[[NAPOLETANA], [OTHER_ACES]]),
                     BOTH, [0, 25], id="twice the hand points, not what is declared"),
        pytest.param(points(11, 0, declarations=[[NAPOLETANA], [OTHER_ACES]]),
                     {**BOTH, "declarations": False}, [22, 0], id="nothing is declared"),
    ],
)  # fmt: skip
def test_cappotto_counts_and_cancels_as_the_house_says(
    sheet: dict[str, Any], rules: object, payouts: list[int]
) -> None:
    assert plain.paid("tressette", sheet, rules=rules) == payouts


def test_cappotto_among_three_cancels_what_both_others_declared() -> None:
    sheet = points(0, 11, 0, declarations=[[NAPOLETANA], [], [OTHER_ACES]])

    assert plain.paid("tressette", sheet, 3, BOTH) == [0, 22, 0]


def test_cappotto_is_told_step_by_step() -> None:
    sheet = points(11, 0, declarations=[[NAPOLETANA], [OTHER_ACES]])

    assert plain.reasons("tressette", sheet, 2, {**BOTH, "bonus": "busso"}) == [
        "Ada: hand points → +11.",
        "Ada: cappotto, 22 instead of 11 → +11.",
        "Ada: napoletana of coins → +3.",
        "Bea: hand points → 0.",
        "Bea: three aces, without coins → +3.",
        "Bea: no trick taken, so the declarations don't count: these 3 points come off → −3.",
    ]
