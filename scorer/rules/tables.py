"""Step tables: from a number to the value of the band that it falls in."""

from abc import abstractmethod
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Any, ClassVar, Self

from scorer.rules.sheet import Reading
from scorer.texts import Text, say

PACK = 120
#: Card points that no cards add up to.
IMPOSSIBLE = {1, PACK - 1}
HIGHEST_UNIT = 10_000


def impossible_points(points: int) -> Text:
    """Return why nobody can take exactly 1 card point, or 119."""
    if points == 1:
        return say("Nobody can take exactly 1 card point: no card is worth just 1.")
    return say(
        "Nobody can take exactly %(points)s card points: 1 would be left for the others, and no "
        "card is worth just 1.",
        points=points,
    )


@dataclass(frozen=True)
class Rows:
    """A table that is one answer: rows of two whole numbers; tables are equal when their rows are.

    A kind of table says what its rows are (``needed``) and how many it has at the most.
    """

    rows: tuple[tuple[int, int], ...]
    columns: ClassVar[tuple[Text, Text]]
    needed: ClassVar[Text]
    most: ClassVar[int]

    @classmethod
    def read_wire(cls, value: object, reading: Reading, path: str) -> Self | None:
        """Read a list of rows; None when the reading found problems in it."""
        if not isinstance(value, list) or not value:
            reading.fault("wrong-type", path, cls.needed)
            return None
        if len(value) > cls.most:
            reading.fault("too-long", path, say("The list is too long."))
            return None
        before = len(reading.problems)
        rows = cls.read_rows(value, reading, path)
        return cls(rows) if len(reading.problems) == before else None

    @classmethod
    @abstractmethod
    def read_rows(
        cls, value: list[Any], reading: Reading, path: str
    ) -> tuple[tuple[int, int], ...]:
        """Read the rows, and note what is wrong in one of them or in their order."""

    def write_wire(self) -> list[list[int]]:
        return [list(row) for row in self.rows]


class ScoreTable(Rows):
    """Bands ``[lowest, unit]``, the first from 0: a value has the unit of its band.

    >>> table = ScoreTable(((0, 1), (71, 2), (81, 3)))
    >>> table[70], table[71], table[120]
    (1, 2, 3)
    """

    columns = (say("Lowest bid"), say("Worth"))
    needed = say("A list of bands [lowest, unit] is needed.")
    most = PACK + 1

    def __getitem__(self, value: int) -> int:
        """Look up the unit for a value from 0 up."""
        return self.rows[bisect_right(self.rows, value, key=itemgetter(0)) - 1][1]

    def bands(self) -> tuple[tuple[int, int, int], ...]:
        """Return each band as (lowest, highest, unit); the last one ends at 120.

        >>> ScoreTable(((0, 1), (71, 2))).bands()
        ((0, 70, 1), (71, 120, 2))
        """
        ends = [*(low - 1 for low, _ in self.rows[1:]), PACK]
        return tuple((low, end, unit) for (low, unit), end in zip(self.rows, ends, strict=True))

    @classmethod
    def read_rows(
        cls, value: list[Any], reading: Reading, path: str
    ) -> tuple[tuple[int, int], ...]:
        """Read the bands; a gap, a disorder or a negative unit is a problem."""
        before = len(reading.problems)
        rows = tuple(_read_row(row, reading, f"{path}[{i}]") for i, row in enumerate(value))
        if len(reading.problems) > before:
            return rows
        if rows[0][0] != 0:
            reading.fault("band-gap", f"{path}[0]", say("The first band begins at 0."))
        for index, ((low, _), (lowest, _)) in enumerate(pairwise(rows), start=1):
            if lowest <= low:
                message = say("Each band begins above the one before.")
                reading.fault("band-order", f"{path}[{index}]", message)
        return rows


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
