from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.points import GAME
from scorer.operations import score
from scorer.rules.match import Tally
from scorer.rules.seats import all_seats
from tests.data.strategies import examples
from tests.games import plain


def points(*figures: int) -> dict[str, Any]:
    return {"points": list(figures)}


PAIRS = {"sides": "pairs"}


@pytest.mark.parametrize(
    ("figures", "rules", "payouts"),
    [
        pytest.param([3, -1, -2], None, [3, -1, -2], id="three"),
        pytest.param([7, 0], None, [7, 0], id="two"),
        pytest.param([7, -7], PAIRS | {"zero_sum": True}, [7, -7, 7, -7], id="two pairs"),
        pytest.param([1, 2, 3], PAIRS, [1, 2, 3, 1, 2, 3], id="three pairs"),
        pytest.param([99_999, -99_999], None, [99_999, -99_999], id="as much as may be"),
        pytest.param([0] * 20, {"zero_sum": True}, [0] * 20, id="a full table"),
    ],
)
def test_what_is_written_down_is_paid(
    figures: list[int], rules: object, payouts: list[int]
) -> None:
    names = [f"player {number}" for number in range(len(payouts))]
    answer = score({"game": "points", "rules": rules, "seats": names, "sheet": points(*figures)})

    assert answer["ok"], answer["problems"]
    assert list(answer["payouts"].values()) == payouts


@pytest.mark.parametrize(
    ("sheet", "rules", "count", "problem"),
    [
        pytest.param(points(3, -1, -1), {"zero_sum": True}, 3, ("sum-not-zero", "points"),
                     id="figures that do not cancel"),
        pytest.param(points(3, -1), None, 3, ("sides-count", "points"), id="one too few"),
        pytest.param(points(3, -1, 2, 4), PAIRS, 4, ("sides-count", "points"), id="not by pair"),
        pytest.param({}, None, 2, ("missing-key", "points"), id="nothing"),
        pytest.param(points(100_000, 0), None, 2, ("out-of-range", "points[0]"), id="too much"),
        pytest.param(points(0, -100_000), None, 2, ("out-of-range", "points[1]"), id="too little"),
        pytest.param({"points": [1.5, 0]}, None, 2, ("wrong-type", "points[0]"), id="half a point"),
        pytest.param({"points": {"Ada": 1}}, None, 2, ("wrong-type", "points"), id="by name"),
        pytest.param({**points(1, 2), "bonus": [0, 1]}, None, 2, ("unknown-key", "bonus"),
                     id="a bonus"),
    ],
)  # fmt: skip
def test_sheet_that_cannot_be_is_a_problem(
    sheet: dict[str, Any], rules: object, count: int, problem: tuple[str, str]
) -> None:
    assert plain.problems("points", sheet, count, rules) == [problem]


@pytest.mark.parametrize(("rules", "count"), [(PAIRS, 5), (PAIRS, 2), (None, 1)])
def test_so_many_cannot_play(rules: object, count: int) -> None:
    assert plain.problems("points", points(1), count, rules) == [("seats-count", "seats")]


LOWEST = {"lowest_leads": True}


@pytest.mark.parametrize(
    ("rules", "balances", "played", "winners", "why"),
    [
        pytest.param({}, [500, 0], 9, None, "None", id="an open end"),
        pytest.param({"target": 50}, [49, 0], 9, None, "None", id="nobody there"),
        pytest.param({"target": 50}, [50, 0], 9, [0], "The target of 50 points has been reached.",
                     id="the highest"),
        pytest.param({"target": 50}, [60, 50], 9, [0], "The target of 50 points has been reached.",
                     id="both there"),
        pytest.param({"target": 50}, [60, 60], 9, None,
                     "Level at 60: they play on until one is ahead.", id="level"),
        pytest.param({"target": 50} | LOWEST, [50, 20, 30], 9, [1],
                     "Somebody has reached 50 points: the lowest wins.",
                     id="the lowest, as one has reached it"),
        pytest.param({"target": 50} | LOWEST, [50, 20, 20], 9, None,
                     "Level at 20: they play on until one is ahead.", id="the lowest are level"),
        pytest.param({"deals": 3}, [5, 9], 2, None, "None", id="one deal to go"),
        pytest.param({"deals": 3}, [5, 9], 3, [1], "All 3 deals are played.", id="all deals"),
        pytest.param({"deals": 3, "target": 50}, [50, 9], 1, [0],
                     "The target of 50 points has been reached.",
                     id="the target before the deals"),
        pytest.param({"deals": 3, "target": 50}, [5, 9], 3, [1], "All 3 deals are played.",
                     id="the deals before the target"),
        pytest.param(PAIRS | {"target": 9}, [9, 1, 9, 1], 3, [0, 2],
                     "The target of 9 points has been reached.",
                     id="a pair"),
    ],
)  # fmt: skip
def test_end_is_the_one_that_comes_first(
    rules: dict[str, Any], balances: list[int], played: int, winners: list[int] | None, why: str
) -> None:
    read, problems = GAME.rules_from(rules)
    seats = all_seats(len(balances))

    progress = GAME.progress(Tally(dict(zip(seats, balances, strict=True)), played), read)

    assert problems == []
    assert (progress.finished, str(progress.why)) == (winners is not None, why)
    assert list(progress.winners) == (winners or [])
    assert GAME.can_end(read) == ("target" in rules or "deals" in rules)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({}, "Open end"),
        ({"target": 50}, "To 50 points"),
        ({"deals": 4}, "4 deals"),
        ({"target": 50, "deals": 4}, "To 50 points, or 4 deals"),
        ({"target": 50, "lowest_leads": True}, "To 50 points"),
    ],
)
def test_end_is_told_in_a_few_words(rules: dict[str, Any], told: str) -> None:
    read, _ = GAME.rules_from(rules)

    assert str(GAME.end_text(read)) == told
    assert ("The lowest wins" in " ".join(map(str, GAME.words(read)))) == read.lowest_leads


@pytest.mark.parametrize("lowest", [False, True])
def test_standings_begin_with_whoever_leads(*, lowest: bool) -> None:
    answer = plain.evening("points", [points(3, -1, 2)], 3, {"lowest_leads": lowest})

    first = [row["player"] for row in answer["standings"]]
    assert first == (["Bea", "Ciro", "Ada"] if lowest else ["Ada", "Ciro", "Bea"])


def test_penalty_costs_points_where_few_are_good() -> None:
    penalty = {"outcome": "penalty", "sheet": {"offender": "Bea"}}

    (paid,) = plain.evening("points", [penalty], 3, LOWEST)["deals"]

    assert paid["payouts"] == {"Ada": -1, "Bea": 2, "Ciro": -1}


def test_figures_of_a_table_that_cancels_come_to_nothing_on_the_form() -> None:
    (question,) = GAME.asks(plain.table("points", 3, {"zero_sum": True}))
    (other,) = GAME.asks(plain.table("points", 3))

    assert question.ask.total == 0
    assert other.ask is not None
    assert other.ask.total is None


@examples(100)
@given(st.data(), st.integers(2, 20), st.booleans())
def test_payouts_are_the_figures_and_cancel_where_they_must(
    data: st.DataObject,
    count: int,
    zero_sum: bool,  # noqa: FBT001  # Hypothesis draws it
) -> None:
    figures = data.draw(st.lists(st.integers(-500, 500), min_size=count, max_size=count))
    names = [f"player {number}" for number in range(count)]
    answer = score(
        {"game": "points", "rules": {"zero_sum": zero_sum}, "seats": names,
         "sheet": points(*figures)}
    )  # fmt: skip

    assert answer["ok"] == (not zero_sum or sum(figures) == 0)
    if answer["ok"]:
        assert list(answer["payouts"].values()) == figures
        assert len(answer["why"]) == count
