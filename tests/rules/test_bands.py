from hypothesis import given

from scorer.rules.bands import ScoreTable
from scorer.rules.questions import Reading
from tests.data.rows import rows
from tests.data.strategies import bands, examples

TENS = ScoreTable(((0, 1), (71, 2), (81, 3), (91, 4), (101, 5)))


def test_value_counts_the_unit_of_its_band_from_both_ends() -> None:
    bands = ((0, 70, 1), (71, 80, 2), (81, 90, 3), (91, 100, 4), (101, 120, 5))

    assert TENS.bands() == bands
    assert [(TENS[low], TENS[high]) for low, high, _ in bands] == [(u, u) for _, _, u in bands]


def test_tables_are_equal_when_their_rows_are() -> None:
    same = ScoreTable(TENS.rows)

    assert same == TENS
    assert hash(same) == hash(TENS)
    assert ScoreTable(((0, 1),)) != TENS
    assert repr(ScoreTable(((0, 1),))) == "ScoreTable(rows=((0, 1),))"


@examples(50)
@given(bands())
def test_table_is_read_back_as_it_is_written(written: list[list[int]]) -> None:
    reading = Reading()
    table = ScoreTable.read_wire(written, reading, "bands")

    assert table is not None
    assert table.write_wire() == written
    assert reading.problems == []
    assert [table[low] for low, _ in written] == [unit for _, unit in written]


@rows(__file__, "wrong tables")
def test_wrong_table_is_a_problem_with_its_path(written: object, problems: list[str]) -> None:
    reading = Reading()

    assert ScoreTable.read_wire(written, reading, "bands") is None
    assert [f"{p.code} {p.field}" for p in reading.problems] == problems
