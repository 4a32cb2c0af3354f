import pytest
from hypothesis import given

from scorer.rules.sheet import Reading
from scorer.rules.tables import ScoreTable
from tests.data.strategies import bands, examples

TENS = ScoreTable(((0, 1), (71, 2), (81, 3), (91, 4), (101, 5)))


@pytest.mark.parametrize(
    ("value", "unit"),
    [(0, 1), (61, 1), (70, 1), (71, 2), (80, 2), (81, 3), (91, 4), (100, 4), (101, 5), (120, 5)],
)
def test_value_counts_the_unit_of_its_band(value: int, unit: int) -> None:
    assert TENS[value] == unit


def test_bands_are_told_with_both_ends() -> None:
    assert TENS.bands() == (
        (0, 70, 1), (71, 80, 2), (81, 90, 3), (91, 100, 4), (101, 120, 5),
    )  # fmt: skip


def test_tables_are_equal_when_their_rows_are() -> None:
    same = ScoreTable(TENS.rows)

    assert same == TENS
    assert hash(same) == hash(TENS)
    assert ScoreTable(((0, 1),)) != TENS
    assert TENS.rows != TENS
    assert repr(ScoreTable(((0, 1),))) == "ScoreTable(((0, 1),))"


@examples(50)
@given(bands())
def test_table_is_read_back_as_it_is_written(rows: list[list[int]]) -> None:
    reading = Reading()
    table = ScoreTable.read_wire(rows, reading, "bands")

    assert table is not None
    assert table.write_wire() == rows
    assert reading.problems == []
    assert [table[low] for low, _ in rows] == [unit for _, unit in rows]


@pytest.mark.parametrize(
    ("rows", "problems"),
    [
        pytest.param([], [("wrong-type", "bands")], id="no band"),
        pytest.param(None, [("wrong-type", "bands")], id="nothing"),
        pytest.param({"0": 1}, [("wrong-type", "bands")], id="an object"),
        pytest.param([[0, 1]] * 122, [("too-long", "bands")], id="more bands than card points"),
        pytest.param([0, 1], [("wrong-type", "bands[0]"), ("wrong-type", "bands[1]")], id="flat"),
        pytest.param([[0]], [("wrong-type", "bands[0]")], id="a row too short"),
        pytest.param([[0, 1, 2]], [("wrong-type", "bands[0]")], id="a row too long"),
        pytest.param([[0, 1.0]], [("wrong-type", "bands[0]")], id="a broken unit"),
        pytest.param([[False, True]], [("wrong-type", "bands[0]")], id="ticks for numbers"),
        pytest.param([["0", "1"]], [("wrong-type", "bands[0]")], id="numbers in quotes"),
        pytest.param([[1, 1]], [("band-gap", "bands[0]")], id="a gap before the first"),
        pytest.param([[0, 1], [0, 2]], [("band-order", "bands[1]")], id="the same band twice"),
        pytest.param(
            [[0, 1], [81, 3], [71, 2]], [("band-order", "bands[2]")], id="bands in disorder"
        ),
        pytest.param(
            [[5, 1], [81, 3], [71, 2]],
            [("band-gap", "bands[0]"), ("band-order", "bands[2]")],
            id="a gap and a disorder",
        ),
        pytest.param([[0, -1]], [("negative-unit", "bands[0]")], id="a negative unit"),
        pytest.param([[0, 10**30]], [("out-of-range", "bands[0]")], id="a monstrous unit"),
        pytest.param([[0, 1], [121, 2]], [("band-range", "bands[1]")], id="more than the pack"),
        pytest.param([[-1, 1]], [("band-range", "bands[0]")], id="less than nothing"),
        pytest.param(
            [[0, -1], [130, -2], "x"],
            [
                ("negative-unit", "bands[0]"),
                ("band-range", "bands[1]"),
                ("negative-unit", "bands[1]"),
                ("wrong-type", "bands[2]"),
            ],
            id="every fault at once",
        ),
    ],
)
def test_wrong_table_is_a_problem_with_its_path(
    rows: object, problems: list[tuple[str, str]]
) -> None:
    reading = Reading()

    assert ScoreTable.read_wire(rows, reading, "bands") is None
    assert [(p.code, p.field) for p in reading.problems] == problems
