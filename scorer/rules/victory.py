"""Victory points: what a tournament makes of the difference at the end of a match (rules.md D3)."""

from typing import Any

from scorer.errors import Problem
from scorer.rules.sheet import LONGEST_LIST, Reading
from scorer.rules.tables import Rows
from scorer.texts import say

#: Of a difference, and of points.
FROM_ZERO = range(100_001)


class VictoryPoints(Rows):
    """Rows ``[largest difference, points]``: the points of the winner of a match.

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
                fault = _fault(row[0], row[1], rows, differences, points)
                rows += [] if row[0] is None else [(row[0], row[1])]
            else:
                message = say("A row is two whole numbers: [largest difference, points].")
                fault = Problem("wrong-type", "", message)
            if fault is not None:
                reading.fault(fault.code, f"{path}[{number}]", fault.message)
        return tuple(rows)


def _fault(
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
