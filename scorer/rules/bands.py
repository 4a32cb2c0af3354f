"""Step tables: from a number to the value of the band or row that it falls in."""

from abc import abstractmethod
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Any, ClassVar, Self

from scorer.errors import Problem
from scorer.rules.questions import LONGEST_LIST, Reading
from scorer.texts import Text, say

PACK = 120
#: Card points that no cards add up to.
IMPOSSIBLE = {1, PACK - 1}
HIGHEST_UNIT = 10_000
#: Of a difference, and of points.
FROM_ZERO = range(100_001)


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


class VictoryPoints(Rows):
    """Rows ``[largest difference, points]``: the points of the winner of a match (rules.md D3).

    The first row is that of a drawn match: twice its points are all that the two sides share. Above
    the last row the winner gets all of them.
    """

    columns = (say("Difference up to"), say("Points of the winner"))
    needed = say("A list of rows [largest difference, points] is needed.")
    most = LONGEST_LIST

    @property
    def whole(self) -> int:
        return 2 * self.rows[0][1]

    def shares(self, difference: int) -> tuple[int, int]:
        """Return the points of the side that is ahead by so much, and those of the other."""
        won = next((points for limit, points in self.rows if difference <= limit), self.whole)
        return won, self.whole - won

    @classmethod
    def read_rows(
        cls,
        value: list[Any],
        reading: Reading,
        path: str,
        *,
        differences: range = FROM_ZERO,
        points: range = FROM_ZERO,
        open_end: bool = True,
    ) -> tuple[tuple[int, int], ...]:
        """Read the rows within bounds; a disorder, or more points than there are, is a problem.

        With ``open_end`` a row with null, for any larger difference, may be last and is left out.
        """
        rows: list[tuple[int, int]] = []
        for number, row in enumerate(value):
            types = [type(part) for part in row] if isinstance(row, list) else []
            may_end = open_end and number == len(value) - 1
            if types == [int, int] or (may_end and types == [type(None), int]):
                fault = _row_fault(row[0], row[1], rows, differences, points)
                rows += [] if row[0] is None else [(row[0], row[1])]
            else:
                message = say("A row is two whole numbers: [largest difference, points].")
                fault = Problem("wrong-type", "", message)
            if fault is not None:
                reading.fault(fault.code, f"{path}[{number}]", fault.message)
        return tuple(rows)


def _row_fault(
    limit: int | None, won: int, rows: list[tuple[int, int]], differences: range, points: range
) -> Problem | None:
    """Compare a row with its bounds, with the first row, by which all points go, and the last."""
    whole = 2 * rows[0][1] if rows else None
    if won not in points or (limit is not None and limit not in differences):
        message = say(
            "A difference is from 0 to %(most)s, the points are from %(low)s to %(high)s.",
            most=differences[-1],
            low=points[0],
            high=points[-1],
        )
        return Problem("out-of-range", "", message)
    if limit is None and won != whole:
        message = say("Above the last difference the winner has all the points.")
        return Problem("row-order", "", message)
    if whole is not None and won > whole:
        message = say("The winner can't have more than %(whole)s points.", whole=whole)
        return Problem("out-of-range", "", message)
    if rows and limit is not None and (limit <= rows[-1][0] or won <= rows[-1][1]):
        message = say("Each row is above the one before: a larger difference, more points.")
        return Problem("row-order", "", message)
    return None


#: By how many deals are played (puntiburraco.it, eburraco.com).
THREE_DEALS = VictoryPoints(((50, 10), (150, 11), (250, 12), (350, 13), (500, 14), (650, 15),
                            (800, 16), (1000, 17), (1250, 18), (1500, 19)))  # fmt: skip
FOUR_DEALS = VictoryPoints(((100, 10), (300, 11), (500, 12), (700, 13), (900, 14), (1100, 15),
                           (1300, 16), (1500, 17), (1700, 18), (2000, 19)))  # fmt: skip
