from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games import find_game
from scorer.rules.bands import FOUR_DEALS, THREE_DEALS, VictoryPoints
from scorer.rules.questions import Reading
from scorer.rules.seats import Seat
from tests.data.rows import rows
from tests.data.strategies import examples
from tests.games import plain

BU1: dict[str, Any] = {
    "clean": [1, 0], "dirty": [1, 1], "closed": 0, "pot_taken": [True, True],
    "melded": [385, 210], "in_hand": [25, 95],
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
    ("written", "kept"),
    [
        ([[50, 10], [150, 11]], ((50, 10), (150, 11))),
        ([[50, 10], [150, 11], [None, 20]], ((50, 10), (150, 11))),
        ([[0, 1]], ((0, 1),)),
    ],
)
def test_table_of_victory_points_is_read(
    written: list[list[Any]], kept: tuple[tuple[int, int], ...]
) -> None:
    reading = Reading()

    table = VictoryPoints.read_wire(written, reading, "table")

    assert reading.problems == []
    assert table == VictoryPoints(kept)
    assert hash(table) == hash(VictoryPoints(kept))
    assert VictoryPoints.read_wire(table.write_wire(), reading, "table") == table


@rows(__file__, "wrong victory points")
def test_wrong_table_of_victory_points_is_a_problem(written: Any, problems: list[str]) -> None:
    reading = Reading()

    assert VictoryPoints.read_wire(written, reading, "table") is None
    assert [f"{p.code} {p.field}" for p in reading.problems] == problems


@pytest.mark.parametrize(("balance", "asked"), [(None, True), (999, True), (1000, False)])
def test_who_plays_alone_is_asked_until_somebody_has_so_many_points(
    balance: int | None, *, asked: bool
) -> None:
    balances = None if balance is None else {Seat(0): 0, Seat(1): balance, Seat(2): -50}
    table = replace(plain.table("burraco", 3, {"alone_until": 1000}), balances=balances)

    questions = [question.name for question in find_game("burraco").asks(table)]

    assert ("alone" in questions) is asked


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
