"""Step tables: from a number to the value of the band that it falls in."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from scorer.texts import say

if TYPE_CHECKING:
    from scorer.rules.sheet import Reading

PACK = 120
HIGHEST_UNIT = 10_000


class ScoreTable:
    """Bands ``[lowest, unit]``: a value counts the unit of the last band that begins by it."""

    __slots__ = ("_lowest", "rows")
    columns = (say("Lowest bid"), say("Unit"))

    def __init__(self, rows: tuple[tuple[int, int], ...]) -> None:
        """Take the rows in rising order; the first begins at 0."""
        self.rows = rows
        self._lowest = [lowest for lowest, _ in rows]

    def __getitem__(self, value: int) -> int:
        """Look up the unit for a value from 0 up."""
        return self.rows[bisect_right(self._lowest, value) - 1][1]

    def __eq__(self, other: object) -> bool:
        """Two tables are equal when their rows are."""
        return isinstance(other, ScoreTable) and self.rows == other.rows

    def __hash__(self) -> int:
        """Equal tables hash alike."""
        return hash(self.rows)

    def __repr__(self) -> str:
        """Show the rows."""
        return f"ScoreTable({self.rows!r})"

    def bands(self, top: int = PACK) -> tuple[tuple[int, int, int], ...]:
        """Each band as (lowest, highest, unit); the last one ends at ``top``."""
        ends = [*(low - 1 for low in self._lowest[1:]), top]
        return tuple((low, end, unit) for (low, unit), end in zip(self.rows, ends, strict=True))

    @classmethod
    def read_wire(cls, value: object, reading: Reading, path: str) -> ScoreTable | None:
        """Read ``[[lowest, unit], ...]``; a gap, a disorder or a negative unit is a problem."""
        if not isinstance(value, list) or not value:
            reading.fault("wrong-type", path, say("A list of bands [lowest, unit] is needed."))
            return None
        if len(value) > PACK + 1:
            reading.fault("too-long", path, say("So long a list can't be right."))
            return None
        found = len(reading.problems)
        rows = tuple(_read_row(row, reading, f"{path}[{i}]") for i, row in enumerate(value))
        if len(reading.problems) == found:
            _check_rows(rows, reading, path)
        return cls(rows) if len(reading.problems) == found else None

    def write_wire(self) -> list[list[int]]:
        """Write the bands as ``read_wire`` takes them."""
        return [list(row) for row in self.rows]


def _read_row(row: object, reading: Reading, path: str) -> tuple[int, int]:
    if not (isinstance(row, list) and [type(part) for part in row] == [int, int]):
        reading.fault("wrong-type", path, say("A band is two whole numbers: [lowest, unit]."))
        return (0, 0)
    lowest, unit = row
    if not 0 <= lowest <= PACK:
        reading.fault("band-range", path, say("A band begins between 0 and 120."))
    if unit < 0:
        reading.fault("negative-unit", path, say("A unit can't be negative."))
    if unit > HIGHEST_UNIT:
        reading.fault("out-of-range", path, say("At most %(high)s.", high=HIGHEST_UNIT))
    return (lowest, unit)


def _check_rows(rows: tuple[tuple[int, int], ...], reading: Reading, path: str) -> None:
    if rows[0][0] != 0:
        reading.fault("band-gap", f"{path}[0]", say("The first band begins at 0."))
    for index, ((before, _), (lowest, _)) in enumerate(pairwise(rows), start=1):
        if lowest <= before:
            reading.fault(
                "band-order", f"{path}[{index}]", say("Each band begins above the one before.")
            )
