from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.burraco import GAME
from scorer.games.burraco.sheet import FOUR_DEALS, THREE_DEALS, VictoryPoints
from scorer.operations import replay
from scorer.rules.sheet import Reading, questions
from tests.data.strategies import examples
from tests.games import plain
from tests.games.plain import balances

BU1: dict[str, Any] = {
    "clean": [1, 0], "dirty": [1, 1], "closed": 0, "pot_taken": [True, True],
    "melded": [385, 210], "in_hand": [25, 95],
}  # fmt: skip
BU3: dict[str, Any] = {
    "clean": [0, 1], "dirty": [1, 0], "pot_taken": [True, True], "melded": [260, 300],
    "in_hand": [60, 45],
}  # fmt: skip
BU5: dict[str, Any] = {
    "clean": [0, 0], "dirty": [0, 1], "pot_taken": [True, True], "melded": [0, 180],
    "in_hand": [0, 135],
}  # fmt: skip


def deal(**changes: object) -> dict[str, Any]:
    return {**BU1, **changes}


def melded(*values: int) -> dict[str, Any]:
    """Give a deal in which nothing counts but the cards on the table."""
    nothing = [0] * len(values)
    return {
        "clean": nothing,
        "dirty": nothing,
        "pot_taken": [True] * len(values),
        "melded": list(values),
        "in_hand": nothing,
    }


@pytest.mark.parametrize(
    ("sheet", "rules", "points"),
    [
        pytest.param(BU1, None, [760, 215], id="BU1"),
        pytest.param(BU3, None, [300, 455], id="BU3"),
        pytest.param(BU5, None, [0, 145], id="BU5"),
        pytest.param(deal(closed=None, pot_taken=[True, False]), None, [660, 115],
                     id="nobody closed, a pot not taken"),
        pytest.param(deal(semi_clean=[1, 0]), None, [860, 215], id="a semi-clean that is dirty"),
        pytest.param(deal(semi_clean=[1, 0]), "semi-clean", [910, 215], id="a semi-clean"),
        pytest.param(deal(penalty=[40, 100]), None, [720, 115], id="penalties"),
        pytest.param(deal(melded=[385, 50], in_hand=[25, 300]), None, [760, -150],
                     id="less than nothing"),
    ],
)  # fmt: skip
def test_deal_is_counted(sheet: dict[str, Any], rules: object, points: list[int]) -> None:
    assert plain.paid("burraco", sheet, 4, rules) == points * 2


def test_two_play_each_for_themselves() -> None:
    assert plain.paid("burraco", deal(in_hand=[0, 95]), 2) == [785, 215]


THREE: dict[str, Any] = {
    "clean": [1, 0, 0], "dirty": [1, 0, 1], "closed": 0, "pot_taken": [True, False, True],
    "melded": [385, 10, 200], "in_hand": [0, 45, 50],
}  # fmt: skip


@pytest.mark.parametrize(
    ("sheet", "payouts"),
    [
        pytest.param({**THREE, "alone": "Ada"}, [785, 108, 108],
                     id="the first plays alone: 215 are halved"),
        pytest.param({**THREE, "alone": "Bea", "pot_taken": [True, True, False]}, [518, -35, 518],
                     id="the second plays alone: 1035 are halved"),
        pytest.param({**THREE, "alone": "Ciro"}, [375, 375, 250],
                     id="the third plays alone: 750 are halved"),
        pytest.param({**THREE, "alone": "Ada", "in_hand": [0, 45, 420]}, [785, -77, -77],
                     id="half of less than nothing"),
        pytest.param({**melded(100, 55, 20), "closed": None}, [100, 55, 20],
                     id="everybody plays alone"),
    ],
)  # fmt: skip
def test_two_of_three_have_half_of_their_points_each(
    sheet: dict[str, Any], payouts: list[int]
) -> None:
    assert plain.paid("burraco", sheet, 3) == payouts


@pytest.mark.parametrize(
    ("change", "rules", "problems"),
    [
        pytest.param({"clean": [0, 0], "dirty": [0, 1]}, None,
                     [("close-without-burraco", "closed")], id="BU11"),
        pytest.param({"melded": [383, 210]}, None, [("not-multiple-of-5", "melded[0]")], id="BU13"),
        pytest.param({"pot_taken": [False, True]}, None, [("close-without-pot", "closed")],
                     id="BU15"),
        pytest.param({"in_hand": [24, 91], "penalty": [3, 0]}, None,
                     [("not-multiple-of-5", "in_hand[0]"), ("not-multiple-of-5", "in_hand[1]"),
                      ("not-multiple-of-5", "penalty[0]")], id="more odd values"),
        pytest.param({"clean": [0, 0], "dirty": [1, 1]}, "international",
                     [("close-without-clean", "closed")], id="only dirty where clean is needed"),
        pytest.param({"clean": [0, 0], "dirty": [0, 1], "semi_clean": [1, 0]}, "international",
                     [("close-without-clean", "closed")], id="a semi-clean is not clean"),
        pytest.param({"clean": [0, 0], "dirty": [0, 0], "semi_clean": [1, 0]}, None, [],
                     id="a semi-clean is enough"),
        pytest.param({"melded": [80, 45]}, None, [("melded-too-low", "melded[0]"),
                                                  ("melded-too-low", "melded[1]")],
                     id="less than the burrachi count"),
        pytest.param({"semi_clean": [1, 0], "melded": [135, 210]}, None,
                     [("melded-too-low", "melded[0]")], id="less, with a semi-clean"),
        pytest.param({"semi_clean": [1, 0], "melded": [140, 210]}, None, [], id="just enough"),
        pytest.param({"melded": [800, 210]}, None, [("sum-1080", "melded")],
                     id="more than the pack"),
        pytest.param({"melded": [750, 210]}, None, [], id="the whole pack"),
        pytest.param({"clean": [16, -1]}, None, [("out-of-range", "clean[0]"),
                                                 ("out-of-range", "clean[1]")], id="out of range"),
        pytest.param({"closed": 2}, None, [("unknown-side", "closed")], id="a third side"),
        pytest.param({"pot_taken": [1, 0]}, None, [("wrong-type", "pot_taken[0]"),
                                                   ("wrong-type", "pot_taken[1]")],
                     id="numbers for ticks"),
        pytest.param({"alone": "Ada"}, None, [("alone-count", "alone")], id="alone of four"),
        pytest.param({"alone": "Zoe"}, None, [("unknown-name", "alone")], id="a stranger alone"),
    ],
)  # fmt: skip
def test_sheet_is_checked(
    change: dict[str, Any], rules: object, problems: list[tuple[str, str]]
) -> None:
    assert plain.problems("burraco", deal(**change), 4, rules) == problems


@pytest.mark.parametrize(
    ("sheet", "count", "problems"),
    [
        pytest.param(BU1, 2, [("closer-has-cards", "in_hand[0]")], id="who closed of two"),
        pytest.param({**THREE, "alone": "Ada", "in_hand": [5, 45, 50]}, 3,
                     [("closer-has-cards", "in_hand[0]")], id="who closed alone of three"),
        pytest.param({**THREE, "alone": "Bea", "in_hand": [0, 45, 50]}, 3, [],
                     id="one of the two who play together"),
        pytest.param({**THREE, "in_hand": [5, 45, 50]}, 3, [("closer-has-cards", "in_hand[0]")],
                     id="who closed of three"),
        pytest.param({**THREE, "alone": "Ada", "melded": [383, 10, 200]}, 3,
                     [("not-multiple-of-5", "melded[0]")], id="an odd value of two against one"),
        pytest.param({**THREE, "alone": "Ada", "melded": [385, 0, 45]}, 3,
                     [("melded-too-low", "melded[1]")], id="less than the burraco of the two"),
        pytest.param({**BU1, "alone": "Ada"}, 3, [
            (code, field) for code, field in (
                ("sides-count", "clean"), ("sides-count", "dirty"), ("sides-count", "pot_taken"),
                ("sides-count", "melded"), ("sides-count", "in_hand"))
        ], id="two values for three"),
    ],
)  # fmt: skip
def test_two_and_three_are_checked(
    sheet: dict[str, Any], count: int, problems: list[tuple[str, str]]
) -> None:
    assert plain.problems("burraco", sheet, count) == problems


def test_who_sits_out_does_not_play_alone() -> None:
    deals = [{"sits_out": ["Dora"], "sheet": {**melded(100, 50, 20), "alone": "Dora"}}]

    answer = replay({"game": "burraco", "seats": ["Ada", "Bea", "Ciro", "Dora"], "deals": deals})

    assert [(problem["code"], problem["field"]) for problem in answer["problems"]] == [
        ("sits-out", "deals[0].sheet.alone")
    ]


@pytest.mark.parametrize(
    ("sheet", "count", "warnings"),
    [
        pytest.param(melded(193, 193, 20), 3, [("not-multiple-of-5", "melded[0]"),
                                               ("not-multiple-of-5", "melded[1]")],
                     id="values that were halved already"),
        pytest.param({**melded(193, 20, 20), "clean": [0, 1, 0]}, 3,
                     [("not-multiple-of-5", "melded[0]"), ("melded-too-low", "melded[1]")],
                     id="half of what a burraco counts"),
        pytest.param({**melded(500, 0), "clean": [9, 0]}, 2, [("points-odd", "melded[0]")],
                     id="nine clean burrachi"),
        pytest.param({**melded(500, 500), "penalty": [0, 4000]}, 2, [("points-odd", "melded[1]")],
                     id="a monstrous penalty"),
        pytest.param(melded(500, 300), 2, [], id="nothing odd"),
    ],
)  # fmt: skip
def test_odd_sheet_is_warned_of(
    sheet: dict[str, Any], count: int, warnings: list[tuple[str, str]]
) -> None:
    assert plain.warnings("burraco", sheet, count) == warnings


@pytest.mark.parametrize(
    ("table", "difference", "shares"),
    [
        pytest.param(FOUR_DEALS, 705, (14, 6), id="BU9"),
        pytest.param(FOUR_DEALS, 700, (13, 7), id="BU9, at the limit"),
        pytest.param(FOUR_DEALS, 2000, (19, 1), id="BU9, at the last limit"),
        pytest.param(FOUR_DEALS, 2005, (20, 0), id="BU9, above all"),
        pytest.param(FOUR_DEALS, 0, (10, 10), id="level"),
        pytest.param(FOUR_DEALS, 100, (10, 10), id="hardly ahead"),
        pytest.param(THREE_DEALS, 55, (11, 9), id="three deals"),
        pytest.param(THREE_DEALS, 823, (17, 3), id="no gap between 820 and 825"),
        pytest.param(VictoryPoints(((0, 1),)), 5, (2, 0), id="all or nothing"),
    ],
)
def test_difference_becomes_victory_points(
    table: VictoryPoints, difference: int, shares: tuple[int, int]
) -> None:
    assert table.shares(difference) == shares


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([[50, 10], [150, 11]], ((50, 10), (150, 11))),
        ([[50, 10], [150, 11], [None, 20]], ((50, 10), (150, 11))),
        ([[0, 1]], ((0, 1),)),
    ],
)
def test_table_of_victory_points_is_read(
    rows: list[list[Any]], kept: tuple[tuple[int, int], ...]
) -> None:
    reading = Reading()

    table = VictoryPoints.read_wire(rows, reading, "table")

    assert reading.problems == []
    assert table == VictoryPoints(kept)
    assert hash(table) == hash(VictoryPoints(kept))
    assert repr(table) == f"VictoryPoints({kept!r})"
    assert VictoryPoints.read_wire(table.write_wire(), reading, "table") == table


@pytest.mark.parametrize(
    ("rows", "problems"),
    [
        pytest.param([], [("wrong-type", "table")], id="no rows"),
        pytest.param(10, [("wrong-type", "table")], id="a number"),
        pytest.param([10], [("wrong-type", "table[0]")], id="no row"),
        pytest.param([[50, "10"]], [("wrong-type", "table[0]")], id="a text"),
        pytest.param([[50]], [("wrong-type", "table[0]")], id="half a row"),
        pytest.param([[None, 10], [50, 11]], [("wrong-type", "table[0]")], id="null first of two"),
        pytest.param([[None, 20]], [("row-order", "table[0]")], id="null alone"),
        pytest.param([[50, 10], [None, 19]], [("row-order", "table[1]")], id="not all above"),
        pytest.param([[50, 10], [50, 11]], [("row-order", "table[1]")], id="the same difference"),
        pytest.param([[50, 10], [60, 10]], [("row-order", "table[1]")], id="the same points"),
        pytest.param([[50, 10], [60, 21]], [("out-of-range", "table[1]")], id="more than all"),
        pytest.param(
            [[-1, 10], [60, 10**9]],
            [("out-of-range", "table[0]"), ("out-of-range", "table[1]")],
            id="out of range",
        ),
    ],
)
def test_wrong_table_of_victory_points_is_a_problem(
    rows: Any, problems: list[tuple[str, str]]
) -> None:
    reading = Reading()

    assert VictoryPoints.read_wire(rows, reading, "table") is None
    assert [(problem.code, problem.field) for problem in reading.problems] == problems


FOUR = {"deals": 4, "victory_points": FOUR_DEALS.write_wire()}


@pytest.mark.parametrize(
    ("rules", "opening", "deals", "after", "winners"),
    [
        pytest.param(None, [1800, 1900], [melded(250, 150)], [2050, 2050], [],
                     id="BU7, level: one more deal"),
        pytest.param(None, [1800, 1900], [melded(250, 150), melded(0, 5)], [2050, 2055], ["Bea"],
                     id="BU7, and one more"),
        pytest.param(None, [1800, 1900], [melded(205, 110)], [2005, 2010], ["Bea"],
                     id="both there: the higher"),
        pytest.param(None, [1800, 1900], [melded(200, 0)], [2000, 1900], [], id="not yet there"),
        pytest.param({"target": 505}, [0, 0], [melded(505, 0)], [505, 0], ["Ada"],
                     id="a shorter match"),
        pytest.param({"deals": 2}, [0, 0], [melded(5, 0)], [5, 0], [], id="a deal to play"),
        pytest.param({"deals": 2}, [3000, 0], [melded(5, 0), {"outcome": "misdeal"}],
                     [3005, 0], [], id="a target that doesn't count"),
        pytest.param({"deals": 2}, [0, 0], [melded(5, 0), melded(0, 10)], [5, 10], ["Bea"],
                     id="the last deal"),
        pytest.param({"deals": 2}, [0, 0], [melded(5, 0), melded(0, 5)], [5, 5], [],
                     id="level after the last: one more"),
        pytest.param({"deals": 2}, [0, 0], [melded(5, 0), melded(0, 5), melded(0, 5)], [5, 10],
                     ["Bea"], id="one more than the last"),
    ],
)  # fmt: skip
def test_match_is_played_to_its_end(
    rules: object, opening: list[int], deals: list[dict[str, Any]], after: list[int],
    winners: list[str],
) -> None:  # fmt: skip
    brought_in = dict(zip(("Ada", "Bea"), opening, strict=True))

    answer = plain.evening("burraco", deals, 2, rules, opening=brought_in)

    assert balances(answer) == after
    assert (answer["finished"], answer["winners"]) == (bool(winners), winners)
    assert "victory_points" not in answer


@pytest.mark.parametrize(
    ("last", "points", "winners"),
    [
        pytest.param(melded(705, 0), [14, 6], ["Ada", "Ciro"], id="BU9"),
        pytest.param(melded(0, 700), [7, 13], ["Bea", "Dora"], id="the other side"),
        pytest.param(melded(100, 0), [10, 10], ["Ada", "Ciro", "Bea", "Dora"], id="drawn"),
    ],
)
def test_tournament_ends_with_victory_points(
    last: dict[str, Any], points: list[int], winners: list[str]
) -> None:
    deals = [melded(100, 50), melded(50, 100), melded(0, 0), last]

    answer = plain.evening("burraco", deals, 4, FOUR)

    assert answer["winners"] == winners
    assert answer["victory_points"] == dict(
        zip(("Ada", "Ciro", "Bea", "Dora"), [points[0]] * 2 + [points[1]] * 2, strict=True)
    )
    assert "victory_points" not in plain.evening("burraco", deals[:3], 4, FOUR)


def test_victory_points_are_for_two_sides() -> None:
    assert plain.problems("burraco", melded(5, 5, 5), 3, FOUR) == [("seats-count", "seats")]
    deals = [{"outcome": "played", "sits_out": ["Ezio"], "sheet": melded(5, 0)}]
    session = {
        "game": "burraco",
        "rules": {**FOUR, "deals": 1},
        "deals": deals,
        "seats": ["Ada", "Bea", "Ciro", "Dora", "Ezio"],
    }

    answer = replay(session)

    assert answer["ok"], answer["problems"]
    assert "victory_points" not in answer


@pytest.mark.parametrize(
    ("rules", "fields"),
    [
        ({"target": None}, ["rules.target"]),
        ({"victory_points": [[50, 10]]}, ["rules.deals"]),
        ({"preset": "four-deals", "deals": None}, ["rules.deals"]),
        ({"target": None, "deals": 3}, []),
        ({"target": 1505}, []),
        ({"target": 100}, []),
        ({"target": 10_000}, []),
        ({"target": 99}, ["rules.target"]),
        ({"target": 10_001}, ["rules.target"]),
        ({"victory_points": [[50, 10], [40, 11]]}, ["rules.victory_points[1]"]),
    ],
)
def test_rules_need_an_end(rules: dict[str, Any], fields: list[str]) -> None:
    _, problems = GAME.rules_from(rules)

    assert [problem.field for problem in problems] == fields


@pytest.mark.parametrize(
    ("sheet", "rules", "count", "steps"),
    [
        (deal(clean=[2, 0], dirty=[0, 2], penalty=[0, 5]), None, 4, [
            "Ada and Ciro: 2 clean burrachi × 200 → +400.", "Ada and Ciro: went out → +100.",
            "Ada and Ciro: cards melded → +385.", "Ada and Ciro: cards left in hand → −25.",
            "Bea and Dora: 2 dirty burrachi × 100 → +200.", "Bea and Dora: cards melded → +210.",
            "Bea and Dora: cards left in hand → −95.", "Bea and Dora: penalty → −5.",
        ]),
        (deal(penalty=[0, 5]), None, 4, [
            "Ada and Ciro: 1 clean burraco × 200 → +200.",
            "Ada and Ciro: 1 dirty burraco × 100 → +100.", "Ada and Ciro: went out → +100.",
            "Ada and Ciro: cards melded → +385.", "Ada and Ciro: cards left in hand → −25.",
            "Bea and Dora: 1 dirty burraco × 100 → +100.", "Bea and Dora: cards melded → +210.",
            "Bea and Dora: cards left in hand → −95.", "Bea and Dora: penalty → −5.",
        ]),
        ({**melded(100, 40, 15), "semi_clean": [0, 1, 0], "pot_taken": [False, True, False],
          "alone": "Ada"},
         {"semi_clean": True}, 3, [
            "Ada: pot not taken → −100.", "Ada: cards melded → +100.",
            "Bea and Ciro: 1 semi-clean burraco × 150 → +150.",
            "Bea and Ciro: cards melded → +55.",
            ("Bea and Ciro are two against one, so each of them scores half, "
             "rounded up: 103 instead of 205 → −102."),
        ]),
        ({**melded(100, 40, 20), "semi_clean": [0, 1, 0], "pot_taken": [True, False, True],
          "alone": "Ada"},
         None, 3, [
            "Ada: cards melded → +100.",
            "Bea and Ciro: 1 semi-clean burraco, counted as dirty, × 100 → +100.",
            "Bea and Ciro: cards melded → +60.",
            ("Bea and Ciro are two against one, so each of them scores half: 80 instead of 160 "
             "→ −80."),
        ]),
    ],
)  # fmt: skip
def test_reasons_are_told(
    sheet: dict[str, Any], rules: object, count: int, steps: list[str]
) -> None:
    assert plain.reasons("burraco", sheet, count, rules) == steps


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({}, "The match is to 2005"),
        ({}, "any other 100"),
        ({"semi_clean": True}, "a semi-clean 150"),
        ({"close_needs": "clean"}, "Only a side with a clean burraco may go out."),
        ({"deals": 3}, "level, there is another deal"),
        ({"preset": "four-deals"}, "up to 900: 14–6"),
        ({"preset": "three-deals"}, "above that: 20–0"),
    ],
)
def test_options_are_told(rules: dict[str, Any], sentence: str) -> None:
    read, _ = GAME.rules_from(rules)

    assert sentence in " ".join(map(str, GAME.describe(read).words))


def test_end_is_said() -> None:
    assert str(GAME.end_text(GAME.presets["to-1005"])) == "To 1005 points"
    assert str(GAME.end_text(GAME.presets["four-deals"])) == "4 deals"


VALUES = {
    "joker": 30,
    "2": 20,
    "A": 15,
    **dict.fromkeys(("K", "Q", "J", "10", "9", "8"), 10),
    **dict.fromkeys("76543", 5),
}
CARDS = [rank for rank in VALUES for _ in range(4 if rank == "joker" else 8)]


@examples(150)
@given(st.permutations(CARDS), st.lists(st.integers(0, 108), min_size=3, max_size=3))
def test_cards_of_a_deal_never_count_more_than_the_pack(pack: list[str], cuts: list[int]) -> None:
    low, middle, high = sorted(cuts)
    parts = [pack[:low], pack[low:middle], pack[middle:high], pack[high:]]
    one, other, in_hand, in_the_other = (sum(VALUES[card] for card in part) for part in parts)
    sheet = {**melded(one, other), "in_hand": [in_hand, in_the_other]}

    assert len(CARDS) == 108
    assert one + other + in_hand + in_the_other == 1080
    assert plain.paid("burraco", sheet, 4) == [one - in_hand, other - in_the_other] * 2
    assert plain.problems("burraco", {**sheet, "melded": [one + 5, other]}, 4) != []


@examples(60)
@given(st.integers(0, 5000), st.lists(st.integers(1, 400), min_size=1, max_size=9, unique=True))
def test_victory_points_are_shared_without_a_gap(difference: int, steps: list[int]) -> None:
    limits = [sum(steps[:number]) for number in range(1, len(steps) + 1)]
    table = VictoryPoints(tuple((limit, 10 + number) for number, limit in enumerate(limits)))

    won, lost = table.shares(difference)

    assert won + lost == 20
    assert 0 <= lost <= 10 <= won
    assert table.shares(difference + 1)[0] >= won


@pytest.mark.parametrize(
    ("rules", "unasked"),
    [({}, {"semi_clean", "bonus"}), ({"semi_clean": True, "bonus": "reale"}, set())],
)
def test_what_has_no_meaning_is_not_asked(rules: dict[str, Any], unasked: set[str]) -> None:
    read, _ = GAME.rules_from(rules)
    fields = plain.asked(GAME, read, count=3)

    assert {question.name for question in questions(GAME.sheet_type)} - {*fields} == unasked


@pytest.mark.parametrize("count", [2, 3, 4])
def test_who_played_alone_is_asked_among_three(count: int) -> None:
    assert ("alone" in plain.asked(GAME, GAME.preset, count=count)) == (count == 3)
