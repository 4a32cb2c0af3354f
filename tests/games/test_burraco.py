from dataclasses import replace
from typing import Any

import pytest

from scorer.games import find_game
from scorer.rules.bands import FOUR_DEALS, THREE_DEALS, VictoryPoints
from scorer.rules.questions import Reading
from scorer.rules.seats import Seat
from tests.data.rows import rows
from tests.games import plain


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
