from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.scopa import GAME
from scorer.rules.sheet import questions
from tests.data.strategies import examples
from tests.games import plain
from tests.games.plain import balances

PLAIN: dict[str, Any] = {
    "cards": [22, 18], "coins": [6, 4], "settebello": 0, "primiera": [78, 75], "sweeps": [1, 0],
}  # fmt: skip
SP3_CARDS = [["7", "7", "6", "A"], ["6", "6", "7", "7"]]
SP4_CARDS = [["7", "7", "7", "K"], ["6", "6", "6", "7"]]
SP5_CARDS = [["7", "7", "7", None], ["K", "Q", "J", "7"]]
SP6: dict[str, Any] = {
    "cards": [23, 17], "coins": [6, 4], "settebello": 1, "primiera": [76, 76], "sweeps": [0, 1],
    "napola": [5, 0],
}  # fmt: skip
SP7: dict[str, Any] = {
    "cards": [20, 20], "coins": [6, 4], "settebello": 0, "primiera": [81, 70], "sweeps": [1, 1],
    "re_bello": 0,
}  # fmt: skip
SP8: dict[str, Any] = {
    "cards": [14, 13, 13], "coins": [4, 4, 2], "settebello": 2, "primiera": [70, 72, 75],
    "sweeps": [0, 2, 1],
}  # fmt: skip

NO_COINS: dict[str, Any] = {"coins": [10, 0], "primiera": [78, 0]}


def deal(**changes: object) -> dict[str, Any]:
    return {**PLAIN, **changes}


def nobody(**changes: object) -> dict[str, Any]:
    """Give a deal in which only the settebello counts, and what is changed."""
    level = {"cards": [20, 20], "coins": [5, 5], "primiera_winner": None, "settebello": 0}
    return {**level, **changes}


@pytest.mark.parametrize(
    ("sheet", "rules", "points"),
    [
        pytest.param(PLAIN, None, [5, 0], id="SP1"),
        pytest.param(
            deal(cards=[20, 20], coins=[5, 5], settebello=1, primiera=[75, 75], sweeps=[2, 3]),
            None, [2, 4], id="SP2",
        ),
        pytest.param(
            deal(cards=[19, 21], coins=[4, 6], primiera=None, primiera_cards=SP3_CARDS,
                 sweeps=[0, 0]),
            None, [1, 3], id="SP3",
        ),
        pytest.param(
            deal(cards=[20, 20], coins=[5, 5], primiera=[73, 75], primiera_cards=SP4_CARDS,
                 sweeps=[]),
            None, [1, 1], id="SP4",
        ),
        pytest.param(
            deal(cards=[21, 19], coins=[7, 3], primiera=None, primiera_cards=SP5_CARDS, sweeps=[]),
            None, [3, 1], id="SP5",
        ),
        pytest.param(
            deal(cards=[21, 19], coins=[7, 3], primiera=[None, 51], sweeps=[]), None, [3, 1],
            id="SP5 with the points",
        ),
        pytest.param(
            deal(cards=[21, 19], coins=[7, 3], primiera=[0, 51], sweeps=[]), None, [3, 1],
            id="SP5 with nothing for the points",
        ),
        pytest.param(
            deal(cards=[21, 19], coins=[7, 3], primiera=None, primiera_cards=SP5_CARDS, sweeps=[]),
            {"missing_suit": "zero"}, [4, 0], id="SP5b",
        ),
        pytest.param(
            deal(cards=[21, 19], coins=[7, 3], primiera=[63, 51], sweeps=[]),
            {"missing_suit": "zero"}, [4, 0], id="SP5b with the points",
        ),
        pytest.param(SP6, {"napola": "length"}, [7, 2], id="SP6"),
        pytest.param(SP6, {"napola": "three"}, [5, 2], id="SP6b"),
        pytest.param(SP6, None, [2, 2], id="SP6 where nobody counts it"),
        pytest.param(SP7, {"re_bello": True}, [5, 1], id="SP7"),
        pytest.param(SP7, None, [4, 1], id="SP7 where nobody counts it"),
        pytest.param(nobody(primiera_winner=1), None, [1, 1], id="only who won the primiera"),
        pytest.param(nobody(), None, [1, 0], id="nobody won the primiera"),
    ],
)  # fmt: skip
def test_deal_is_counted(sheet: dict[str, Any], rules: object, points: list[int]) -> None:
    assert plain.paid("scopa", sheet, 2, rules) == points
    assert plain.paid("scopa", sheet, 4, rules) == points * 2
    assert plain.paid("scopa", sheet, 6, rules) == points * 3


@pytest.mark.parametrize("sheet", [pytest.param(SP8, id="SP8")])
def test_three_play_each_for_themselves(sheet: dict[str, Any]) -> None:
    assert plain.paid("scopa", sheet, 3) == [1, 2, 3]


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        pytest.param({"cards": [22, 17]}, [("sum-cards", "cards")], id="SP11"),
        pytest.param({"coins": [6, 5]}, [("sum-coins", "coins")], id="SP12"),
        pytest.param({"cards": [20, 20], "coins": [8, 2], "settebello": 1, "napola": [7, 0]},
                     [("napola-settebello", "napola[0]")], id="SP13"),
        pytest.param({"cards": [20, 20], "sweeps": [12, 0]}, [("sweeps-cards", "sweeps[0]")],
                     id="SP14"),
        pytest.param({"cards": [41, -1]}, [("out-of-range", "cards[0]"),
                                           ("out-of-range", "cards[1]")], id="out of range"),
        pytest.param({"settebello": 2}, [("unknown-side", "settebello")], id="a third side"),
        pytest.param({"settebello": None}, [("wrong-type", "settebello")], id="no settebello"),
        pytest.param({**NO_COINS, "settebello": 1}, [("settebello-coins", "settebello")],
                     id="the settebello without coins"),
        pytest.param({"coins": [9, 1], "settebello": 1, "re_bello": 1},
                     [("settebello-coins", "settebello")], id="two of one coin"),
        pytest.param({**NO_COINS, "re_bello": 1}, [("re-bello-coins", "re_bello")],
                     id="the re bello without coins"),
        pytest.param({"cards": [4, 36], "coins": [6, 4], "sweeps": [0, 0], "primiera": [0, 78]},
                     [("coins-cards", "coins[0]")], id="more coins than cards"),
        pytest.param({"napola": [3, 3]}, [("napola-sides", "napola")], id="two napole"),
        pytest.param({"napola": [2, 0]}, [("napola-length", "napola[0]")], id="a napola of two"),
        pytest.param({"napola": [0, 5]}, [("napola-coins", "napola[1]")], id="too long a napola"),
        pytest.param({"coins": [5, 5], "napola": [5, 0]}, [("napola-coins", "napola[0]")],
                     id="the settebello besides the napola"),
        pytest.param({"coins": [8, 2], "napola": [6, 0]}, [("napola-length", "napola[0]")],
                     id="the settebello would lengthen it"),
        pytest.param({**NO_COINS, "napola": [9, 0], "re_bello": 0},
                     [("napola-length", "napola[0]")], id="the king would lengthen it"),
        pytest.param({**NO_COINS, "napola": [4, 0]}, [("napola-length", "napola[0]")],
                     id="all coins are one napola"),
        pytest.param({**NO_COINS, "napola": [10, 0], "re_bello": 1},
                     [("re-bello-coins", "re_bello"), ("napola-re-bello", "napola[0]")],
                     id="the king in two piles"),
        pytest.param({"primiera": None}, [("missing-key", "primiera")], id="no primiera"),
        pytest.param({"primiera": [41, 80]}, [("primiera-impossible", "primiera[0]"),
                                              ("primiera-impossible", "primiera[1]")],
                     id="impossible primiere"),
        pytest.param({"primiera": [85, 39]}, [("out-of-range", "primiera[0]")],
                     id="too much of a primiera"),
        pytest.param({"primiera": [78, 39]}, [("primiera-impossible", "primiera[1]")],
                     id="too little for four suits"),
        pytest.param({"primiera": None, "primiera_cards": [["7", "7", "7"], ["6", "6", "6", "7"]]},
                     [("primiera-cards", "primiera_cards[0]")], id="three suits of four"),
        pytest.param({"primiera": None, "primiera_cards": [["7"] * 4, ["7", "6", "6", "6"]]},
                     [("primiera-cards", "primiera_cards")], id="a seven twice"),
        pytest.param({"primiera": None, "primiera_cards": [["6", "7", "7", "7"], ["A"] * 4]},
                     [("primiera-cards", "primiera_cards")], id="nobody has the seven"),
        pytest.param({"primiera": None, "primiera_cards": [["K"] * 4, ["7"] * 4]},
                     [("settebello-primiera", "settebello")], id="the settebello without a seven"),
        pytest.param({"primiera": None, "primiera_cards": [["8H", 7, 7, 7], [None] * 4]},
                     [("unknown-rank", "primiera_cards[0][0]")], id="no such rank"),
        pytest.param({"primiera": [78, 76], "primiera_cards": SP3_CARDS},
                     [("primiera-differs", "primiera")], id="points that the cards don't make"),
        pytest.param({"primiera_winner": 1}, [("primiera-differs", "primiera_winner")],
                     id="another winner than the points"),
        pytest.param({"primiera_winner": None}, [("primiera-differs", "primiera_winner")],
                     id="no winner, but points"),
        pytest.param({"sweeps": [1]}, [("sides-count", "sweeps")], id="one value for two"),
    ],
)  # fmt: skip
def test_sheet_is_checked(change: dict[str, Any], problems: list[tuple[str, str]]) -> None:
    rules = {"napola": "length", "re_bello": True}

    assert plain.problems("scopa", deal(**change), 2, rules) == problems


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        pytest.param({"primiera_winner": 0}, None, id="points, and who has more"),
        pytest.param({"primiera": [76, 78], "primiera_cards": SP3_CARDS}, None,
                     id="points, and the cards that make them"),
        pytest.param({"primiera": [38, 75]}, {"missing_suit": "zero"}, id="three suits"),
        pytest.param({"coins": [8, 2], "napola": [3, 0]}, {"napola": "three"},
                     id="a longer napola written as three"),
        pytest.param({"primiera": None, "primiera_cards": [["sette", "7", 7, 1], ["8", 6, 6, 7]]},
                     None, id="ranks as people write them"),
    ],
)  # fmt: skip
def test_sheet_may_be_written_in_several_ways(change: dict[str, Any], rules: object) -> None:
    assert plain.problems("scopa", deal(**change), 2, rules) == []


def test_card_of_three_sides_is_in_one_pile() -> None:
    best = [["7", "7", "6", "K"], ["6", "6", "7", "Q"], ["5", "A", "A", "7"]]
    sheet = {"cards": [14, 13, 13], "coins": [4, 4, 2], "settebello": 0, "primiera_cards": best}
    twice = [["7", "7", "6", "K"], ["6", "6", "7", "Q"], ["6", "A", "A", "7"]]

    assert plain.problems("scopa", sheet, 3) == []
    assert plain.problems("scopa", {**sheet, "primiera_cards": twice}, 3) == [
        ("primiera-cards", "primiera_cards")
    ]


@pytest.mark.parametrize(
    ("sheet", "rules", "warnings"),
    [
        pytest.param(PLAIN, None, [], id="nothing odd"),
        pytest.param(SP6, None, [("not-counted", "napola")], id="a napola that doesn't count"),
        pytest.param(SP7, None, [("not-counted", "re_bello")], id="a re bello that doesn't count"),
        pytest.param(deal(primiera=[84, 84]), None, [("primiera-odd", "primiera")],
                     id="eight sevens"),
        pytest.param(deal(primiera=[70, 60]), None, [("primiera-odd", "primiera")],
                     id="three sevens"),
        pytest.param(deal(primiera=[75, None]), None, [], id="nobody knows of the other"),
    ],
)  # fmt: skip
def test_odd_sheet_is_warned_of(
    sheet: dict[str, Any], rules: object, warnings: list[tuple[str, str]]
) -> None:
    assert plain.warnings("scopa", sheet, 2, rules) == warnings


SP9 = nobody(cards=[21, 19], settebello=1, primiera_winner=1)
SP10 = nobody(cards=[21, 19], coins=[6, 4], settebello=1, sweeps=[0, 1])
SP11B = nobody(cards=[19, 21], coins=[4, 6], sweeps=[0, 1])


@pytest.mark.parametrize(
    ("end", "before", "sheet", "after", "winner"),
    [
        pytest.param("highest", [10, 9], SP9, [11, 11], None, id="SP9, highest"),
        pytest.param("order-on-tie", [10, 9], SP9, [11, 11], "Ada", id="SP9, in order"),
        pytest.param("order-always", [10, 9], SP9, [11, 11], "Ada", id="SP9, always in order"),
        pytest.param("highest", [9, 10], SP10, [11, 12], "Bea", id="SP10, highest"),
        pytest.param("order-on-tie", [9, 10], SP10, [11, 12], "Bea", id="SP10, in order"),
        pytest.param("order-always", [9, 10], SP10, [11, 12], "Ada", id="SP10, always in order"),
        pytest.param("highest", [8, 8], SP11B, [9, 11], "Bea", id="SP11b, highest"),
        pytest.param("order-on-tie", [8, 8], SP11B, [9, 11], "Bea", id="SP11b, in order"),
        pytest.param("order-always", [8, 8], SP11B, [9, 11], "Bea", id="SP11b, always in order"),
        pytest.param("order-always", [8, 9], nobody(), [9, 9], None, id="nobody is there"),
        pytest.param("order-on-tie", [9, 10], nobody(sweeps=[1, 1]), [11, 11], None,
                     id="level in the last counting, too"),
        pytest.param("order-always", [9, 9], nobody(sweeps=[2, 2]), [12, 11], "Ada",
                     id="both there at once: who has more then"),
    ],
)  # fmt: skip
def test_match_ends_when_several_are_there(
    end: str, before: list[int], sheet: dict[str, Any], after: list[int], winner: str | None
) -> None:
    opening = dict(zip(("Ada", "Bea"), before, strict=True))

    answer = plain.evening("scopa", [sheet], rules={"end": end}, opening=opening)

    assert balances(answer) == after
    assert answer["winners"] == ([winner] if winner else [])


def test_level_at_the_target_is_played_on_until_somebody_is_ahead() -> None:
    opening = {"Ada": 10, "Bea": 9}
    deals = [SP9, {"outcome": "misdeal"}, nobody(sweeps=[0, 1]), nobody(sweeps=[1, 0])]

    answer = plain.evening("scopa", deals, opening=opening)

    assert balances(answer) == [14, 12]
    assert answer["winners"] == ["Ada"]


@pytest.mark.parametrize(
    ("rules", "winners"),
    [
        ({"napola": "length"}, ["Bea", "Dora"]),
        ({"napola": "three"}, []),
        ({}, []),
    ],
)
def test_all_ten_coins_win_the_match_where_the_napola_counts(
    rules: dict[str, Any], winners: list[str]
) -> None:
    sheet = deal(coins=[0, 10], settebello=1, napola=[0, 10], primiera=[0, 75])

    answer = plain.evening("scopa", [sheet], 4, {**rules, "target": 31})

    assert answer["winners"] == winners


def test_penalty_is_counted_in_no_order() -> None:
    deals = [{"outcome": "penalty", "sheet": {"offender": "Bea"}}]

    answer = plain.evening("scopa", deals, rules={"end": "order-always", "target": 1})

    assert answer["winners"] == ["Ada"]


def test_those_who_sit_out_have_no_part_in_the_order() -> None:
    sheet = {"sheet": SP10, "sits_out": ["Ezio"]}
    opening = {"Ada": 9, "Bea": 10}

    answer = plain.evening(
        "scopa", [{"outcome": "played", **sheet}], 5, {"end": "order-always"}, opening=opening
    )

    assert answer["winners"] == ["Bea"]


BY_CARDS = [["7", "7", "6", "A"], ["6", "K", "7", "7"]]
WITHOUT_A_SUIT = [["7", None, "6", "A"], ["6", "7", "7", "7"]]


@pytest.mark.parametrize(
    ("sheet", "rules", "steps"),
    [
        (PLAIN | {"sweeps": [2, 0]}, None, [
            "Ada: most cards, 22 → +1.", "Ada: most coins, 6 → +1.", "Ada: settebello → +1.",
            "Ada: best primiera, 78 against 75 → +1.", "Ada: 2 scope → +2.",
        ]),
        (nobody(primiera_winner=1), None, [
            "Cards, 20–20: a tie, nobody gets the point.",
            "Coins, 5–5: a tie, nobody gets the point.", "Ada: settebello → +1.",
            "Bea: best primiera → +1.",
        ]),
        (SP6, {"napola": "length"}, [
            "Ada: most cards, 23 → +1.", "Ada: most coins, 6 → +1.", "Bea: settebello → +1.",
            "Primiera, 76 – 76: nobody gets the point.", "Bea: 1 scopa → +1.",
            "Ada: napola of 5 cards → +5.",
        ]),
        (SP6, {"napola": "three"}, [
            "Ada: most cards, 23 → +1.", "Ada: most coins, 6 → +1.", "Bea: settebello → +1.",
            "Primiera, 76 – 76: nobody gets the point.", "Bea: 1 scopa → +1.",
            "Ada: napola of 5 cards, which counts 3 by these rules → +3.",
        ]),
        (nobody(primiera_winner=0, primiera_cards=BY_CARDS), None, [
            "Cards, 20–20: a tie, nobody gets the point.",
            "Coins, 5–5: a tie, nobody gets the point.", "Ada: settebello → +1.",
            "Ada: best primiera, 76 (7 7 6 A) against 70 (6 K 7 7) → +1.",
        ]),
        (nobody(primiera_winner=1, primiera_cards=WITHOUT_A_SUIT), None, [
            "Cards, 20–20: a tie, nobody gets the point.",
            "Coins, 5–5: a tie, nobody gets the point.", "Ada: settebello → +1.",
            "Bea: best primiera, 81 (6 7 7 7) against none (7 · 6 A) → +1.",
        ]),
        (nobody(re_bello=1), {"re_bello": True}, [
            "Cards, 20–20: a tie, nobody gets the point.",
            "Coins, 5–5: a tie, nobody gets the point.", "Ada: settebello → +1.",
            "Primiera: nobody gets the point.", "Bea: re bello → +1.",
        ]),
        (nobody(primiera_winner=None, primiera=[None, None]), None, [
            "Cards, 20–20: a tie, nobody gets the point.",
            "Coins, 5–5: a tie, nobody gets the point.", "Ada: settebello → +1.",
            "Primiera, none – none: nobody gets the point.",
        ]),
    ],
)  # fmt: skip
def test_reasons_are_told(sheet: dict[str, Any], rules: object, steps: list[str]) -> None:
    assert plain.reasons("scopa", sheet, 2, rules) == steps


def test_best_primiera_of_three_is_told_beside_both_others() -> None:
    sheet = {
        "cards": [14, 14, 12], "coins": [4, 4, 2], "settebello": 2, "primiera": [70, 72, 75],
    }  # fmt: skip

    assert "Ciro: best primiera, 75 against 70 and 72 → +1." in plain.reasons("scopa", sheet, 3)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({}, "A side without a card of every suit has no primiera."),
        ({"missing_suit": "zero"}, "the rest is added up all the same"),
        ({"napola": "length"}, "all ten win the match"),
        ({"napola": "three"}, "count three points"),
        ({"re_bello": True}, "the king of coins counts a point"),
        ({"end": "order-on-tie"}, "Level, the points of the last deal"),
        ({"end": "order-always"}, "even with fewer in the end"),
        ({"target": 31}, "to 31 points"),
    ],
)
def test_options_are_told(rules: dict[str, Any], sentence: str) -> None:
    read, _ = GAME.rules_from(rules)

    assert sentence in " ".join(map(str, GAME.describe(read).words))


RANKS = ["A", "2", "3", "4", "5", "6", "7", "J", "Q", "K"]
WORTH = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}
VALUE = {rank: number for number, rank in enumerate(RANKS, start=1)}


def played_out(pack: list[str], sides: int) -> tuple[list[list[str]], list[int]]:
    """Play forty cards out, one card of a hand after the other, and give piles and scope.

    A card takes the first of its own value that lies there, or else the first sum of two.
    """
    table, stock, last = pack[:4], pack[4:], 0
    piles: list[list[str]] = [[] for _ in range(sides)]
    scope = [0] * sides
    for turn, card in enumerate(stock):
        side = turn % sides
        captured = takes(card, table)
        if not captured:
            table.append(card)
            continue
        table = [other for other in table if other not in captured]
        piles[side] += [card, *captured]
        last = side
        scope[side] += not table and turn < len(stock) - 1
    piles[last] += table
    return piles, scope


def takes(card: str, table: list[str]) -> list[str]:
    value = VALUE[card[:-1]]
    for other in table:
        if VALUE[other[:-1]] == value:
            return [other]
    for place, lying in enumerate(table):
        for other in table[place + 1 :]:
            if VALUE[lying[:-1]] + VALUE[other[:-1]] == value:
                return [lying, other]
    return []


def best_of(pile: list[str]) -> list[str | None]:
    """Give the best card of each suit in a pile."""
    return [
        max((card[:-1] for card in pile if card[-1] == suit), key=WORTH.__getitem__, default=None)
        for suit in "CDSB"
    ]


def most(values: list[int]) -> list[int]:
    """Give a point to the one that has the most."""
    return [int(value == max(values) and values.count(value) == 1) for value in values]


def expected(piles: list[list[str]], scope: list[int]) -> list[int]:
    """Count the piles anew, with napola and re bello."""
    points = Counter(dict(enumerate(scope)))
    points.update(dict(enumerate(most([len(pile) for pile in piles]))))
    points.update(dict(enumerate(most([sum(card[-1] == "D" for card in pile) for pile in piles]))))
    primiere = [
        0 if None in best_of(pile) else sum(WORTH[rank] for rank in best_of(pile) if rank)
        for pile in piles
    ]
    points.update(dict(enumerate(most(primiere) if any(primiere) else [0] * len(piles))))
    for side, pile in enumerate(piles):
        run = napola(pile)
        points[side] += ("7D" in pile) + ("KD" in pile) + (run if run >= 3 else 0)
    return [points[side] for side in range(len(piles))]


def napola(pile: list[str]) -> int:
    held = [f"{rank}D" in pile for rank in RANKS]
    return held.index(False) if False in held else 10


@pytest.mark.parametrize(
    ("change", "rules", "problems"),
    [
        pytest.param({"cards": [38, 2], "coins": [9, 1], "primiera_winner": 1}, {},
                     [("primiera-impossible", "primiera_winner")], id="two cards"),
        pytest.param({"cards": [38, 2], "coins": [9, 1], "primiera_winner": None}, {},
                     [("primiera-impossible", "primiera_winner")],
                     id="nobody, though one side can and must have it"),
        pytest.param({"cards": [38, 2], "coins": [9, 1], "primiera_winner": 0}, {}, [],
                     id="all the other cards"),
        pytest.param({"cards": [20, 20], "coins": [10, 0], "primiera_winner": 1}, {},
                     [("primiera-impossible", "primiera_winner")], id="no coin"),
        pytest.param({"cards": [20, 20], "coins": [10, 0], "primiera_winner": None}, {}, [],
                     id="no coin there, and perhaps another suit lacking here"),
        pytest.param({"cards": [27, 13], "coins": [0, 10], "primiera_winner": 1,
                      "settebello": 1}, {}, [], id="all the coins and three others"),
        pytest.param({"cards": [28, 12], "coins": [0, 10], "primiera_winner": 1,
                      "settebello": 1}, {},
                     [("primiera-impossible", "primiera_winner")], id="coins and two others"),
        pytest.param({"cards": [20, 20], "coins": [10, 0], "primiera_winner": 1},
                     {"missing_suit": "zero"}, [], id="no coin where the others count"),
        pytest.param({"cards": [40, 0], "coins": [10, 0], "primiera_winner": 1},
                     {"missing_suit": "zero"}, [("primiera-impossible", "primiera_winner")],
                     id="no card at all"),
        pytest.param({"cards": [38, 2], "coins": [9, 1], "primiera": [84, 70]}, {},
                     [("primiera-impossible", "primiera[1]")], id="points of two cards"),
        pytest.param({"cards": [38, 2], "coins": [9, 1],
                      "primiera_cards": [["7", "7", "7", "7"], ["6", "6", "6", "6"]]}, {},
                     [("primiera-impossible", "primiera_cards[1]")], id="four of two cards"),
    ],
)  # fmt: skip
def test_primiera_is_one_that_the_pile_can_have(
    change: dict[str, Any], rules: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    sheet = {key: value for key, value in PLAIN.items() if key not in ("primiera", "sweeps")}

    assert plain.problems("scopa", {**sheet, **change}, 2, rules) == problems


@examples(150)
@given(
    st.permutations([rank + suit for suit in "CDSB" for rank in RANKS]),
    st.sampled_from([2, 3]), st.sampled_from(["primiera", "primiera_cards", "primiera_winner"]),
)  # fmt: skip
def test_deal_that_was_played_out_is_sound_and_counted(
    pack: list[str], sides: int, primiera: str
) -> None:
    piles, scope = played_out(pack, sides)
    best = [best_of(pile) for pile in piles]
    points = [
        None if None in ranks else sum(WORTH[rank] for rank in ranks if rank) for ranks in best
    ]
    known = [value or 0 for value in points]
    winner = known.index(max(known)) if any(known) and known.count(max(known)) == 1 else None
    runs = [napola(pile) for pile in piles]
    sheet = {
        "cards": [len(pile) for pile in piles],
        "coins": [sum(card[-1] == "D" for card in pile) for pile in piles],
        "settebello": next(side for side, pile in enumerate(piles) if "7D" in pile),
        "re_bello": next(side for side, pile in enumerate(piles) if "KD" in pile),
        "sweeps": scope,
        "napola": [run if run >= 3 else 0 for run in runs],
        primiera: {"primiera": points, "primiera_cards": best, "primiera_winner": winner}[primiera],
    }
    rules = {"napola": "length", "re_bello": True}

    assert plain.warnings("scopa", sheet, sides, rules) == []
    assert plain.paid("scopa", sheet, sides, rules) == expected(piles, scope)


@pytest.mark.parametrize(
    ("rules", "unasked"),
    [
        ({}, {"napola", "re_bello", "bonus"}),
        ({"napola": "three", "re_bello": True, "bonus": "Cirulla"}, set()),
    ],
)
def test_what_has_no_meaning_is_not_asked(rules: dict[str, Any], unasked: set[str]) -> None:
    read, _ = GAME.rules_from(rules)
    fields = plain.asked(GAME, read)

    assert {question.name for question in questions(GAME.sheet_type)} - {*fields} == unasked
