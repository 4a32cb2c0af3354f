"""Victory points: what a tournament makes of the difference at the end of a match (rules.md D3)."""

from typing import Any

from scorer.rules.sheet import LONGEST_LIST, Reading
from scorer.rules.tables import Rows
from scorer.texts import say

HIGHEST = 100_000


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
        cls, value: list[Any], reading: Reading, path: str
    ) -> tuple[tuple[int, int], ...]:
        """Read the rows; one with null, for any larger difference, may be last and is left out.

        A disorder, or more points than there are, is a problem.
        """
        before = len(reading.problems)
        rows = [
            _read_row(row, reading, f"{path}[{number}]", last=number == len(value) - 1)
            for number, row in enumerate(value)
        ]
        if len(reading.problems) == before:
            _check_rows(rows, reading, path)
        return tuple((limit, points) for limit, points in rows if limit is not None)


def _read_row(row: Any, reading: Reading, path: str, *, last: bool) -> tuple[int | None, int]:
    limits = (int, type(None)) if last else (int,)
    if not (
        isinstance(row, list) and len(row) == 2 and type(row[0]) in limits and type(row[1]) is int
    ):
        message = say("A row is two whole numbers: [largest difference, points].")
        reading.fault("wrong-type", path, message)
        return (0, 0)
    for number in row:
        if number is not None and not 0 <= number <= HIGHEST:
            reading.fault("out-of-range", path, say("From 0 to %(high)s.", high=HIGHEST))
    return (row[0], row[1])


def _check_rows(rows: list[tuple[int | None, int]], reading: Reading, path: str) -> None:
    whole = 2 * rows[0][1]
    for number, (limit, points) in enumerate(rows):
        where = f"{path}[{number}]"
        if limit is None and (points != whole or number == 0):
            message = say("Above the last difference the winner has all the points.")
            reading.fault("row-order", where, message)
        elif points > whole:
            message = say("The winner can't have more than %(whole)s points.", whole=whole)
            reading.fault("out-of-range", where, message)
        elif limit is not None and number:
            before, least = rows[number - 1]
            if before is None or limit <= before or points <= least:
                message = say("Each row is above the one before: a larger difference, more points.")
                reading.fault("row-order", where, message)


#: By how many deals are played (puntiburraco.it, eburraco.com).
THREE_DEALS = VictoryPoints(((50, 10), (150, 11), (250, 12), (350, 13), (500, 14), (650, 15),
                            (800, 16), (1000, 17), (1250, 18), (1500, 19)))  # fmt: skip
FOUR_DEALS = VictoryPoints(((100, 10), (300, 11), (500, 12), (700, 13), (900, 14), (1100, 15),
                           (1300, 16), (1500, 17), (1700, 18), (2000, 19)))  # fmt: skip
