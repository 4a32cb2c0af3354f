from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games import find_game
from scorer.games.scala_quaranta import GAME, ScalaSheet
from scorer.operations import replay
from scorer.rules.game import Table
from scorer.rules.match import Tally
from scorer.rules.seats import Seat, all_seats
from scorer.rules.sheet import questions
from tests.data.examples import NAMES
from tests.data.strategies import examples
from tests.games import plain
from tests.games.plain import balances

PLAIN: dict[str, Any] = {"closed": "Ada", "hands": {"Bea": 20, "Ciro": 36}}


def hand(**changes: object) -> dict[str, Any]:
    return {**PLAIN, **changes}


def closed(name: str, **hands: int) -> dict[str, Any]:
    return {"closed": name, "hands": hands}


@pytest.mark.parametrize(
    ("sheet", "rules", "payouts"),
    [
        pytest.param(PLAIN, None, [0, 20, 36], id="SC1"),
        pytest.param(hand(closed_in_hand=True), None, [0, 20, 36], id="in hand, nothing more"),
        pytest.param(hand(closed_in_hand=True), "double-in-hand", [0, 40, 72], id="in hand, twice"),
        pytest.param(hand(closed_in_hand=False), "double-in-hand", [0, 20, 36], id="not in hand"),
        pytest.param(hand(hands={"Ada": 0, "Bea": 24, "Ciro": 198}), None, [0, 24, 198],
                     id="SC5, and the heaviest hand"),
        pytest.param(hand(hands={"Bea": 4, "Ciro": 190}), {"ace": 1}, [0, 4, 190],
                     id="SC5 with low aces"),
        pytest.param(hand(hands={"Bea": 1, "Ciro": 2}), {"ace": 1}, [0, 1, 2], id="a single ace"),
    ],
)  # fmt: skip
def test_cards_left_are_taken_on(sheet: dict[str, Any], rules: object, payouts: list[int]) -> None:
    assert plain.paid("scala-quaranta", sheet, 3, rules) == payouts


@pytest.mark.parametrize(
    ("sheet", "rules", "problems"),
    [
        pytest.param(hand(closed=["Ada", "Bea"]), None, [("two-closers", "closed")], id="SC9"),
        pytest.param(hand(hands={"Bea": 0, "Ciro": 36}), None, [("two-closers", "hands.Bea")],
                     id="SC9, nothing left in two hands"),
        pytest.param(hand(hands={"Bea": 250, "Ciro": 36}), None, [("hand-too-high", "hands.Bea")],
                     id="SC11"),
        pytest.param(hand(hands={"Bea": 199, "Ciro": 36}), None, [("hand-too-high", "hands.Bea")],
                     id="one too much"),
        pytest.param(hand(hands={"Bea": 191, "Ciro": 36}), {"ace": 1},
                     [("hand-too-high", "hands.Bea")], id="one too much with low aces"),
        pytest.param(hand(hands={"Bea": 1, "Ciro": 36}), None, [("hand-too-low", "hands.Bea")],
                     id="less than a two"),
        pytest.param(hand(hands={"Bea": -5, "Ciro": 36}), None, [("out-of-range", "hands.Bea")],
                     id="less than nothing"),
        pytest.param(hand(hands={"Bea": 20}), None, [("missing-key", "hands.Ciro")],
                     id="a hand is missing"),
        pytest.param(hand(hands={"Ada": 5, "Bea": 20, "Ciro": 36}), None,
                     [("closer-has-cards", "hands.Ada")], id="who closed holds cards"),
        pytest.param(hand(hands={"Bea": 20, "Ciro": 36, "Zoe": 3}), None,
                     [("unknown-name", "hands.Zoe")], id="a stranger"),
        pytest.param(hand(closed=["Ada"]), None, [("wrong-type", "closed")], id="a list of one"),
        pytest.param(hand(closed=None), None, [("wrong-type", "closed")], id="nobody closed"),
        pytest.param(hand(hands=[20, 36]), None, [("wrong-type", "hands")], id="hands by number"),
        pytest.param(hand(buy_in=["Bea"]), None, [("buy-in-off", "buy_in")], id="nobody buys in"),
        pytest.param(hand(buy_in=["Bea", "Bea"]), "buy-in", [("duplicate-name", "buy_in[1]")],
                     id="in twice"),
        pytest.param([], None, [("wrong-type", "sheet")], id="no sheet"),
    ],
)  # fmt: skip
def test_sheet_is_checked(sheet: Any, rules: object, problems: list[tuple[str, str]]) -> None:
    assert plain.problems("scala-quaranta", sheet, 3, rules) == problems


def test_hands_together_are_no_more_than_the_pack() -> None:
    sheet = closed("Ada", **dict.fromkeys(("Bea", "Ciro", "Dora", "Ezio", "Fede"), 190))

    assert plain.problems("scala-quaranta", sheet, 6) == [("sum-hands", "hands")]


def test_sheet_tells_who_comes_back_in() -> None:
    sheet = ScalaSheet(Seat(0), {Seat(1): 20}, buy_in=(Seat(2),))

    assert GAME.back_in(sheet, all_seats(4), GAME.preset) == (2,)
    assert find_game("scopa").back_in(None, all_seats(4), None) == ()


def test_deal_alone_knows_no_balance_to_come_back_at() -> None:
    sheet = hand(buy_in=["Ciro"])

    assert plain.paid("scala-quaranta", sheet, 3, "buy-in") == [0, 20, 36]
    assert plain.warnings("scala-quaranta", sheet, 3, "buy-in") == [("buy-in-unknown", "buy_in")]


@pytest.mark.parametrize(
    ("rules", "value", "left"),
    [
        pytest.param(None, 6, ["Ada", "Bea"], id="SC3, at the limit"),
        pytest.param("over-101", 6, ["Ada", "Bea", "Ciro"], id="SC3, over the limit only"),
        pytest.param("over-101", 7, ["Ada", "Bea"], id="over the limit"),
        pytest.param(None, 5, ["Ada", "Bea", "Ciro"], id="below the limit"),
        pytest.param("to-201", 6, ["Ada", "Bea", "Ciro"], id="another limit"),
    ],
)
def test_who_reaches_the_limit_is_left_out_of_the_next_deal(
    rules: object, value: int, left: list[str]
) -> None:
    after = {"closed": "Bea", "hands": dict.fromkeys([n for n in left if n != "Bea"], 10)}

    answer = plain.evening(
        "scala-quaranta", [closed("Ada", Bea=2, Ciro=value), after], 3, rules, opening={"Ciro": 95}
    )

    assert list(answer["deals"][1]["payouts"]) == left


def test_last_one_left_has_won_and_the_lowest_leads() -> None:
    deals = [closed("Bea", Ada=60, Ciro=90), closed("Bea", Ada=30, Ciro=20), closed("Bea", Ada=11)]

    answer = plain.evening("scala-quaranta", deals, 3)

    assert balances(answer) == [101, 0, 110]
    assert [line["player"] for line in answer["standings"]] == ["Bea", "Ada", "Ciro"]
    assert (answer["finished"], answer["winners"]) == (True, ["Bea"])


def test_two_may_be_out_at_once_and_the_third_has_won() -> None:
    answer = plain.evening("scala-quaranta", [closed("Ada", Bea=101, Ciro=150)], 3)

    assert answer["winners"] == ["Ada"]


@pytest.mark.parametrize(
    ("changes", "after"),
    [
        pytest.param({"sheet": closed("Ada", Bea=10)},
                     [("missing-key", "deals[1].sheet.hands.Dora")], id="one of three is missing"),
        pytest.param({"sheet": closed("Ada", Bea=10, Ciro=10, Dora=10)},
                     [("sits-out", "deals[1].sheet.hands.Ciro")], id="who is out has an entry"),
        pytest.param({"sheet": closed("Ciro", Ada=10, Bea=10, Dora=10)},
                     [("sits-out", "deals[1].sheet.closed")], id="who is out closes"),
        pytest.param({"sheet": closed("Ada", Bea=10, Dora=10), "dealer": "Ciro"},
                     [("not-at-the-table", "deals[1].dealer")], id="who is out deals"),
        pytest.param({"sheet": closed("Ada", Bea=10, Dora=10), "sits_out": ["Ciro"]}, [],
                     id="who is out is said to be out"),
        pytest.param({"sheet": closed("Ada", Bea=10), "sits_out": ["Ciro", "Dora"]}, [],
                     id="and another sits out"),
    ],
)  # fmt: skip
def test_whoever_is_out_has_no_part_in_a_deal(
    changes: dict[str, Any], after: list[tuple[str, str]]
) -> None:
    first = {"sheet": closed("Ada", Bea=10, Ciro=102, Dora=10)}
    session = {"game": "scala-quaranta", "seats": list(NAMES[:4]), "deals": [first, changes]}

    problems = replay(session)["problems"]

    assert [(problem["code"], problem["field"]) for problem in problems] == after


def test_deal_passes_over_whoever_is_out() -> None:
    deals = [
        closed("Ada", Bea=102, Ciro=3, Dora=3),
        closed("Ada", Ciro=3, Dora=102),
        closed("Ada", Ciro=3),
        {"outcome": "misdeal"},
        closed("Ciro", Ada=3),
    ]

    answer = plain.evening("scala-quaranta", deals, 4)

    assert [row["dealer"] for row in answer["deals"]] == ["Ada", "Ciro", "Ada", "Ciro", "Ciro"]


BEFORE = {"Ada": 45, "Bea": 60, "Ciro": 70, "Dora": 95}


@pytest.mark.parametrize(
    ("rules", "opening", "buy_in", "entry"),
    [
        pytest.param({"buy_in": "highest"}, {}, ["Dora"], 72, id="SC6, with the highest"),
        pytest.param({"buy_in": "highest-plus-one"}, {}, ["Dora"], 73, id="one more"),
        pytest.param("buy-in", {}, ["Dora"], 72, id="below the gate"),
        pytest.param({"preset": "buy-in", "gate": 72}, {}, ["Dora"], 72, id="at the gate"),
        pytest.param({"buy_in": "highest"}, {"Bea": 105}, ["Bea", "Dora"], 72, id="two at once"),
    ],
)  # fmt: skip
def test_whoever_is_out_may_come_back_in(
    rules: object, opening: dict[str, int], buy_in: list[str], entry: int
) -> None:
    hands = {name: 2 for name in ("Bea", "Ciro") if name not in opening}
    first = {"closed": "Ada", "hands": {**hands, "Dora": 15}, "buy_in": buy_in}
    second = closed("Dora", Ada=10, Bea=10, Ciro=10)

    answer = plain.evening(
        "scala-quaranta", [first, second], 4, rules, opening={**BEFORE, **opening}
    )

    for name in buy_in:
        assert answer["deals"][0]["balances"][name] == entry
    assert answer["deals"][1]["payouts"] == {"Ada": 10, "Bea": 10, "Ciro": 10, "Dora": 0}
    assert not answer["finished"]


@pytest.mark.parametrize(
    ("rules", "opening", "buy_in", "problems"),
    [
        pytest.param("buy-in", {"Ciro": 83}, ["Dora"], [("buy-in-gate", "buy_in")], id="SC7"),
        pytest.param({"buy_in": "highest"}, {}, ["Ciro"], [("buy-in-not-out", "buy_in[0]")],
                     id="somebody who isn't out"),
        pytest.param({"buy_in": "highest-plus-one"}, {"Ciro": 98}, ["Dora"],
                     [("buy-in-limit", "buy_in")], id="out again at once"),
        pytest.param("buy-in", {"Ciro": 83}, ["Bea", "Bea", "Dora"],
                     [("duplicate-name", "buy_in[1]"), ("buy-in-not-out", "buy_in[0]"),
                      ("buy-in-not-out", "buy_in[1]"), ("buy-in-gate", "buy_in")],
                     id="every fault at once"),
    ],
)  # fmt: skip
def test_not_everybody_may_come_back_in(
    rules: object, opening: dict[str, int], buy_in: list[str], problems: list[tuple[str, str]]
) -> None:
    deal = {
        "sheet": {"closed": "Ada", "hands": {"Bea": 2, "Ciro": 2, "Dora": 15}, "buy_in": buy_in}
    }

    answer = replay(
        {
            "game": "scala-quaranta",
            "rules": rules,
            "seats": list(NAMES[:4]),
            "opening": {**BEFORE, **opening},
            "deals": [deal],
        }
    )

    assert [(problem["code"], problem["field"]) for problem in answer["problems"]] == [
        (code, f"deals[0].sheet.{field}") for code, field in problems
    ]


@pytest.mark.parametrize(
    ("deal", "told"),
    [
        pytest.param({"sheet": closed("Ada", Bea=5, Ciro=5, Dora=5)}, "Dora is out.", id="out"),
        pytest.param({"sits_out": ["Ciro"], "sheet": closed("Ada", Bea=5, Ciro=5)},
                     "Ciro sits this deal out.", id="sitting out"),
    ],
)  # fmt: skip
def test_whoever_has_no_hand_is_told_why(deal: dict[str, Any], told: str) -> None:
    answer = replay(
        {
            "game": "scala-quaranta",
            "seats": list(NAMES[:4]),
            "opening": {"Dora": 101},
            "deals": [deal],
        }
    )

    assert [problem["message"] for problem in answer["problems"]] == [told]


def test_nobody_can_play_where_all_are_out_from_the_beginning() -> None:
    answer = replay(
        {
            "game": "scala-quaranta",
            "seats": ["Ada", "Bea"],
            "opening": {"Ada": 101, "Bea": 102},
            "deals": [{"sheet": closed("Ada", Bea=5)}],
        }
    )

    assert [(problem["code"], problem["field"]) for problem in answer["problems"]] == [
        ("seats-count", "deals[0].sits_out")
    ]


@pytest.mark.parametrize(
    ("sheet", "rules", "steps"),
    [
        (PLAIN, None, ["Ada closed: nothing left in hand to count.",
                       "Bea: points for cards left in hand → +20.",
                       "Ciro: points for cards left in hand → +36."]),
        (hand(closed_in_hand=True), "double-in-hand", [
            "Ada closed in hand: nothing left to count, and the others' cards count double.",
            "Bea: points for cards left in hand, 20 × 2 → +40.",
            "Ciro: points for cards left in hand, 36 × 2 → +72.",
        ]),
    ],
)  # fmt: skip
def test_reasons_are_told(sheet: dict[str, Any], rules: object, steps: list[str]) -> None:
    assert plain.reasons("scala-quaranta", sheet, 3, rules) == steps


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({}, "Whoever reaches 101 points is out."),
        ({"out": "over", "limit": 201}, "Whoever has more than 201 points is out."),
        ({"ace": 1}, "an ace 1"),
        ({"closed_in_hand_times": 2}, "counts double"),
        ({"buy_in": "highest"}, "as many points as the highest"),
        ({"buy_in": "highest-plus-one", "gate": 174}, "above 174"),
        ({"buy_in": "highest", "fee": 150}, "costs 1.50"),
    ],
)
def test_options_are_told(rules: dict[str, Any], sentence: str) -> None:
    read, _ = GAME.rules_from(rules)

    assert sentence in " ".join(map(str, GAME.describe(read).words))


def test_end_is_said() -> None:
    assert str(GAME.end_text(GAME.presets["to-201"])) == "Out at 201"
    assert str(GAME.end_text(GAME.presets["over-101"])) == "Out over 101"


@pytest.mark.parametrize("ace", [0, 2, 10, 12])
def test_ace_counts_eleven_or_one(ace: int) -> None:
    _, problems = GAME.rules_from({"ace": ace})

    assert [problem.field for problem in problems] == ["rules.ace"]


def test_penalty_costs_points_that_nobody_wants() -> None:
    deals = [{"outcome": "penalty", "sheet": {"offender": "Bea"}}]

    assert balances(plain.evening("scala-quaranta", deals, 3)) == [-1, 2, -1]


@st.composite
def nights(draw: st.DrawFn) -> dict[str, Any]:
    """Give the evening of some people, drawn deal by deal until one is left or all are tired."""
    seats = list(NAMES[: draw(st.integers(2, 6))])
    rules = {
        "limit": draw(st.integers(50, 150)),
        "out": draw(st.sampled_from(["at", "over"])),
        "buy_in": draw(st.sampled_from(["off", "highest"])),
    }
    standing, deals = dict.fromkeys(seats, 0), []
    for _ in range(draw(st.integers(0, 12))):
        here = [name for name in seats if not out(standing[name], rules)]
        if len(here) < 2:
            break
        closer = draw(st.sampled_from(here))
        hands = {name: draw(st.integers(2, 90)) for name in here if name != closer}
        for name, value in hands.items():
            standing[name] += value
        gone = [name for name in seats if out(standing[name], rules)]
        back = draw(st.lists(st.sampled_from(gone), unique=True)) if gone else []
        back = back if rules["buy_in"] == "highest" else []
        highest = max(value for value in standing.values() if not out(value, rules))
        standing |= dict.fromkeys(back, highest)
        deals.append({"sheet": {"closed": closer, "hands": hands, "buy_in": back}})
    return {
        "game": "scala-quaranta",
        "rules": rules,
        "seats": seats,
        "deals": deals,
        "standing": standing,
    }


def out(balance: int, rules: dict[str, Any]) -> bool:
    return bool(balance > rules["limit"] or (balance == rules["limit"] and rules["out"] == "at"))


@examples(150)
@given(nights())
def test_whoever_is_out_is_never_paid(night: dict[str, Any]) -> None:
    standing = night.pop("standing")

    answer = replay(night)

    assert answer["ok"], answer["problems"]
    before = dict.fromkeys(night["seats"], 0)
    for deal, row in zip(night["deals"], answer["deals"], strict=True):
        still_in = {name for name, balance in before.items() if not out(balance, night["rules"])}
        assert set(row["payouts"]) == still_in | set(deal["sheet"]["buy_in"])
        assert row["dealer"] in still_in
        before = row["balances"]
    left = [name for name, balance in standing.items() if not out(balance, night["rules"])]
    assert before == standing
    assert answer["winners"] == (left if len(left) == 1 else [])


@pytest.mark.parametrize(
    ("rules", "unasked"),
    [
        ({}, {"buy_in", "closed_in_hand", "bonus"}),
        ({"buy_in": "highest", "closed_in_hand_times": 2, "bonus": "busso"}, set()),
    ],
)
def test_what_has_no_meaning_is_not_asked(rules: dict[str, Any], unasked: set[str]) -> None:
    read, _ = GAME.rules_from(rules)
    fields = plain.asked(GAME, read)

    assert {question.name for question in questions(GAME.sheet_type)} - {*fields} == unasked


PAIRS: dict[str, Any] = {"sides": "pairs"}


@pytest.mark.parametrize(
    ("sheet", "rules", "payouts"),
    [
        pytest.param(closed("Ada", Bea=20, Ciro=6, Dora=30), PAIRS, [6, 50, 6, 50],
                     id="what the closer's partner holds counts"),
        pytest.param(closed("Ada", Bea=20, Ciro=0, Dora=30), PAIRS, [0, 50, 0, 50],
                     id="or the house counts it as nothing"),
        pytest.param(closed("Ada", Bea=20, Dora=30), PAIRS, [0, 50, 0, 50], id="or leaves it out"),
        pytest.param({**closed("Dora", Ada=10, Bea=5, Ciro=7), "closed_in_hand": True},
                     {**PAIRS, "closed_in_hand_times": 2}, [34, 10, 34, 10], id="in hand"),
        pytest.param({**closed("Ada", Bea=20, Ciro=6, Dora=30), "bonus": [-6, 1]},
                     {**PAIRS, "bonus": "busso"}, [0, 51, 0, 51], id="with a bonus"),
    ],
)  # fmt: skip
def test_each_of_a_pair_takes_on_what_both_hold(
    sheet: dict[str, Any], rules: object, payouts: list[int]
) -> None:
    assert plain.paid("scala-quaranta", sheet, 4, rules) == payouts


@pytest.mark.parametrize(
    ("sheet", "found"),
    [
        (closed("Ada", Bea=20, Ciro=6), [("missing-key", "hands.Dora")]),
        (closed("Ada", Bea=0, Ciro=6, Dora=5), [("two-closers", "hands.Bea")]),
        (closed("Ada", Bea=5, Ciro=1, Dora=5), [("hand-too-low", "hands.Ciro")]),
        (closed("Ada", Ada=5, Bea=5, Dora=5), [("closer-has-cards", "hands.Ada")]),
    ],
)
def test_hand_of_a_pair_that_cannot_be_is_a_problem(
    sheet: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    assert plain.problems("scala-quaranta", sheet, 4, PAIRS) == found


@pytest.mark.parametrize("count", [2, 3, 5, 6])
def test_pairs_are_four(count: int) -> None:
    assert plain.problems("scala-quaranta", closed("Ada", Bea=5), count, PAIRS) == [
        ("seats-count", "seats")
    ]


def test_hands_of_a_pair_are_told_by_name() -> None:
    sheet = {**closed("Ada", Bea=20, Ciro=6, Dora=30), "closed_in_hand": True}
    rules = {**PAIRS, "closed_in_hand_times": 2}

    assert plain.reasons("scala-quaranta", closed("Ada", Bea=20, Dora=30), 4, PAIRS) == [
        "Ada closed: nothing left in hand to count.",
        "Bea and Dora: points for the cards that Bea has left → +20.",
        "Bea and Dora: points for the cards that Dora has left → +30.",
    ]
    assert plain.reasons("scala-quaranta", sheet, 4, rules) == [
        "Ada closed in hand: nothing left to count, and the others' cards count double.",
        "Bea and Dora: points for the cards that Bea has left, 20 × 2 → +40.",
        "Ada and Ciro: points for the cards that Ciro has left, 6 × 2 → +12.",
        "Bea and Dora: points for the cards that Dora has left, 30 × 2 → +60.",
    ]


def test_pair_is_out_together_and_the_other_has_won() -> None:
    deals = [closed("Ada", Bea=60, Dora=40), closed("Ciro", Ada=5, Bea=2)]
    deals[1]["hands"]["Dora"] = 10

    answer = plain.evening("scala-quaranta", deals, 4, "in-pairs")

    assert answer["deals"][1]["balances"] == {"Ada": 5, "Bea": 112, "Ciro": 5, "Dora": 112}
    assert answer["winners"] == ["Ada", "Ciro"]
    assert answer["finished"]


@pytest.mark.parametrize("named", [["Bea"], ["Dora"], ["Bea", "Dora"]])
def test_pair_comes_back_in_together(named: list[str]) -> None:
    sheet = {**closed("Ada", Bea=60, Ciro=20, Dora=50), "buy_in": named}
    rules = {**PAIRS, "buy_in": "highest-plus-one"}

    answer = plain.evening("scala-quaranta", [sheet, closed("Bea", Ada=5, Ciro=5)], 4, rules)

    assert answer["deals"][0]["balances"] == {"Ada": 20, "Bea": 21, "Ciro": 20, "Dora": 21}
    assert answer["deals"][1]["balances"] == {"Ada": 30, "Bea": 21, "Ciro": 30, "Dora": 21}
    assert not answer["finished"]
    read, _ = GAME.rules_from(rules)
    written, _ = GAME.read_sheet(sheet, Table(read, NAMES[:4], all_seats(4)))
    assert written is not None
    assert {*GAME.back_in(written, all_seats(4), read)} == {1, 3}


def test_pair_that_is_in_does_not_come_back() -> None:
    sheet = {**closed("Ada", Bea=60, Ciro=20, Dora=50), "buy_in": ["Ciro"]}
    rules = {**PAIRS, "buy_in": "highest"}
    answer = replay(
        {
            "game": "scala-quaranta",
            "rules": rules,
            "seats": list(NAMES[:4]),
            "deals": [{"sheet": sheet}],
        }
    )

    assert [problem["code"] for problem in answer["problems"]] == ["buy-in-not-out"]


@pytest.mark.parametrize(
    ("bonus", "winners", "why"),
    [
        pytest.param([110, 105], ["Ada"], "Everybody is out: whoever has the fewest points wins.",
                     id="the fewest win"),
        pytest.param([105, 85], [], "Level at 105: they play on until one is ahead.",
                     id="level, they play on"),
    ],
)  # fmt: skip
def test_bonus_may_bring_all_over_the_limit(bonus: list[int], winners: list[str], why: str) -> None:
    sheet = {**closed("Ada", Bea=20), "bonus": bonus}
    read, _ = GAME.rules_from({"bonus": "busso"})

    answer = plain.evening("scala-quaranta", [sheet], 2, {"bonus": "busso"})

    assert (answer["finished"], answer["winners"]) == (bool(winners), winners)
    balances = dict(zip(all_seats(2), answer["deals"][0]["balances"].values(), strict=True))
    assert str(GAME.progress(Tally(balances, 1), read).why) == why


def test_those_who_are_level_over_the_limit_play_another_deal() -> None:
    sheets = [{**closed("Ada", Bea=20), "bonus": [105, 85]}, closed("Bea", Ada=7)]

    answer = plain.evening("scala-quaranta", sheets, 2, {"bonus": "busso"})

    assert answer["winners"] == ["Bea"]
