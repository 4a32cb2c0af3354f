"""Parse the text of a notebook into one table: columns, rows, and captions of sections.

Blocks beside each other are put one below the other, head rows of two lines become one, and a
repeated head begins a new section.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from scorer.errors import InvalidError, Problem
from scorer.notebooks.cells import folded, is_absent, plain, read_day, read_figure
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.texts import Text

#: No cell of so short a text is too long for the csv module.
LONGEST_TEXT = 120_000
MOST_ROWS, MOST_COLUMNS = 2_000, 60
#: The head is looked for in so many rows from the top.
TOP = 6
SPACES = " "
SEPARATORS = ("\t", ";", "|", ",", SPACES)
#: The sum sign after `folded`.
SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
TOTALS = frozenset(
    {"totale", "totali", "tot", "total", "totals", "totale finale", "somma", "somme", "sum"}
    | {"sums", "saldo", "saldo finale", "gesamt", "summe", "finale", "final", "=", "risultato"}
    | {"punteggio finale", "totale serata", SIGMA}
)
#: Words below the name of a player, in the second row of a head.
BELOW_NAMES = frozenset(
    {"punti", "punto", "points", "pts", "pt", "saldo", "balance", "totale", "tot", "total", ""}
    | {SIGMA, "mano", "parziale", "progressivo", "punkte", "gesamt", "+/-"}
)

Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table: its line number in the text, its section, whether it is a total."""

    number: int
    section: int
    cells: tuple[str, ...]
    is_total: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The heads of a notebook's columns, its rows, and the caption of each section.

    A column without a head has an empty one.
    """

    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    captions: tuple[str, ...]

    def column(self, place: int) -> list[str]:
        """List the non-blank cells of a column, without totals."""
        cells = (line.cells[place] for line in self.lines if not line.is_total)
        return [cell for cell in cells if cell]


def read_table(text: str) -> Table:
    """Parse a text; raise InvalidError if it is too long."""
    if len(text) > LONGEST_TEXT:
        raise _refused("too-long", say("That is too long: bring it in in several parts."))
    grid = [[plain(cell) for cell in row] for row in _split(text)]
    if len(grid) > MOST_ROWS:
        message = say("A table has at most %(most)s rows: bring it in in parts.", most=MOST_ROWS)
        raise _refused("too-many-rows", message)
    width = max(map(len, grid), default=0)
    if width > MOST_COLUMNS:
        message = say("A table has at most %(most)s columns.", most=MOST_COLUMNS)
        raise _refused("too-many-columns", message)
    made = _Making()
    for block in _side_by_side([row + [""] * (width - len(row)) for row in grid]):
        made.add(block)
    return made.table()


def _refused(code: str, message: Text) -> InvalidError:
    return InvalidError([Problem(code, "text", message)])


def _split(text: str) -> list[list[str]]:
    """Split a text by the delimiter that gives the most rows of one width."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    cut = [_cut(text, separator) for separator in SEPARATORS]
    return max(cut, key=_alike)


def _cut(text: str, separator: str) -> list[list[str]]:
    if separator == SPACES:
        return [line.split() for line in text.split("\n")]
    return list(csv.reader(text.split("\n"), delimiter=separator))


def _alike(rows: list[list[str]]) -> int:
    """Count the rows of the most frequent width above 1."""
    widths = Counter(len(row) for row in rows if len(row) > 1)
    return max(widths.values(), default=0)


def _is_word(cell: str) -> bool:
    return bool(cell) and not (_is_figure(cell) or is_absent(cell) or read_day(cell))


def _is_figure(cell: str) -> bool:
    return read_figure(cell) is not None or read_figure(cell, ".") is not None


def _is_head(row: Cells) -> bool:
    """Whether a row has several words and no figure."""
    return sum(map(_is_word, row)) > 1 and not any(map(_is_figure, row))


def _head_of(rows: Sequence[Cells]) -> int | None:
    """Find the head row: the last one above the first figures."""
    found = None
    for place, row in enumerate(rows[:TOP]):
        if any(map(_is_figure, row)):
            break
        if _is_head(row) and (found is None or place == found + 1):
            found = place
    return found


def _side_by_side(grid: list[list[str]]) -> list[list[list[str]]]:
    """Split a table whose columns are repeated side by side."""
    at = _head_of(grid)
    head = [folded(cell) for cell in _whole_head(grid, at)[0]]
    named = [place for place, name in enumerate(head) if name]
    again = [place for place in named[1:] if head[place] == head[named[0]]]
    borders = again if again and _repeats(head, again[0]) else _gaps(grid, head)
    edges = [0, *borders, len(grid[0]) if grid else 0]
    return [[row[left:right] for row in grid] for left, right in pairwise(edges) if right > left]


def _repeats(head: Sequence[str], border: int) -> bool:
    """Whether at least two heads stand on both sides of a border."""
    return len({*head[:border]} & {*head[border:]} - {""}) > 1


def _gaps(grid: list[list[str]], head: Sequence[str]) -> list[int]:
    """Find the blank columns that separate repeated heads."""
    width = len(grid[0]) if grid else 0
    blank = [place for place in range(width) if not any(row[place] for row in grid)]
    return [place for place in blank if _repeats(head, place)]


@dataclass(slots=True)
class _Making:
    """The table while it is read: columns by head, rows, and captions of sections."""

    heads: list[str] = field(default_factory=list)
    lines: list[tuple[int, int, dict[int, str], bool]] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)

    def add(self, rows: list[list[str]]) -> None:
        """Read a block from its head down."""
        at = _head_of(rows)
        head, below = _whole_head(rows, at)
        used = [place for place in range(len(head)) if any(row[place] for row in rows)]
        columns: dict[int, int] = {}
        for place in used:
            columns[place] = self._column(head[place], columns)
        above = rows[: (at or 0) - (below == 2)] if at is not None else []
        self._begin(" ".join(cell for row in above for cell in row if cell))
        first = 0 if at is None else at + 1
        for number, row in enumerate(rows[first:], first + 1):
            if _is_again(row, head):
                self._begin(" ".join(cell for cell in row if read_day(cell)))
                head, columns = row, self._renamed(row, columns)
            else:
                self._read(number, row, columns)

    def _column(self, head: str, others: dict[int, int]) -> int:
        """Find the column of a head that the block has not used yet, or add one."""
        names = [folded(name) for name in self.heads]
        if folded(head) in names and folded(head):
            column = names.index(folded(head))
            if column not in others.values():
                return column
        self.heads.append(head)
        return len(self.heads) - 1

    def _renamed(self, row: Cells, columns: dict[int, int]) -> dict[int, int]:
        """Map the columns again at a repeated head, which may name other players."""
        found = {place: column for place, column in columns.items() if not _is_word(row[place])}
        for place in sorted(columns.keys() - found.keys()):
            found[place] = self._column(row[place], found)
        return found

    def _begin(self, caption: str) -> None:
        """Begin a section, or extend the caption of one that has no rows yet."""
        last = len(self.captions) - 1
        if self.captions and not any(line[1] == last for line in self.lines):
            self.captions[last] = " ".join(filter(None, (self.captions[last], caption)))
        else:
            self.captions.append(caption)

    def _read(self, number: int, row: Cells, columns: dict[int, int]) -> None:
        cells = {column: row[place] for place, column in columns.items() if row[place]}
        said = [*cells.values()]
        if not said:
            return
        is_total = folded(said[0]) in TOTALS
        if is_total or len(said) > 1 or _is_figure(said[0]) or is_absent(said[0]):
            self.lines.append((number, len(self.captions) - 1, cells, is_total))
        else:
            self._begin(said[0])

    def table(self) -> Table:
        """Return the table, each row padded to all columns."""
        columns = range(len(self.heads))
        lines = tuple(
            Line(number, section, tuple(cells.get(column, "") for column in columns), is_total)
            for number, section, cells, is_total in self.lines
        )
        return Table(tuple(self.heads), lines, tuple(self.captions))


def _whole_head(rows: list[list[str]], at: int | None) -> tuple[list[str], int]:
    """Return the head of a block, and its number of rows: two where cells are merged."""
    if at is None:
        return [""] * (len(rows[0]) if rows else 0), 0
    upper, lower = rows[at - 1] if at else [], rows[at]
    if not any(upper) or not {folded(cell) for cell in lower if cell} <= BELOW_NAMES:
        return lower, 1
    names, last = [], ""
    for name in upper:
        last = name or last
        names.append(last)
    return [f"{name} {cell}".strip() for name, cell in zip(names, lower, strict=True)], 2


def _is_again(row: Cells, head: Cells) -> bool:
    """Whether a row repeats the head."""
    words = {folded(cell) for cell in row if _is_word(cell)}
    return _is_head(row) and len(words & {folded(name) for name in head}) > 1
