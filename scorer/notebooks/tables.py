"""Split a text into sheets of cells, and a sheet into a head, rows, and captions of blocks.

Blocks beside each other are put one below the other, head rows of two lines become one, and a
repeated head begins a new block. A table with players down the side is turned round.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, takewhile
from typing import Any, NamedTuple

from scorer.errors import InvalidError
from scorer.notebooks.cells import WHOLE, folded, is_absent, plain, read_day, read_figure
from scorer.texts import Text, say

LONGEST_TEXT = 1_500_000
MOST_SHEETS, MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 400, 5_000, 250, 60_000
TOO_LONG = say("That is too long: bring it in in several parts.")
TOO_WIDE = say("A table has at most %(most)s columns.", most=MOST_COLUMNS)
NO_TABLE = say("There are no figures in it that could be read as a table.")
#: The head is looked for in so many rows from the top.
TOP = 6
BAR, SPACES = "|", " "
SEPARATORS = ("\t", ";", BAR, ",", SPACES)
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

#: Corners of a table with players down the side.
CORNERS = frozenset(
    {"", "giocatore", "giocatori", "nome", "nomi", "player", "players", "name", "names", "spieler"}
)
#: A cell of a line that is drawn: below a head, or above totals.
WIDE = re.compile(r"\s{2,}")
DRAWN = re.compile(r"[-–—−=_:+|]{2,}")
LONGEST_LINE = 500
#: ``Ada: 5``, alone in a line or with others.
PAIR = re.compile(
    r"([^\W\d_][^:=;,|\t]{0,60}?) ?[:=] ?([-+(−–]? ?[0-9]+(?:[.,][0-9]+)?[-)]?)(?=[\s,;.]|$)"
)
UNREAD = say("This row has other columns than the figures: it is not read.")
TWO_HEADS = say("This row is not read: that below it is taken for the head.")
TURNED = say("The players stand down the side: every column is read as a row.")

Cells = Sequence[str]


class Sheet(NamedTuple):
    """A sheet of a workbook, or a whole text, as cells, and unusual lines by number."""

    name: str
    rows: list[list[str]]
    notes: tuple[tuple[int, Text], ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A row: its number in the text, its block, whether it is a total.

    ``is_below`` says that it stands below a drawn line, or below a label of totals.
    """

    number: int
    block: int
    cells: tuple[str, ...]
    is_total: bool = False
    is_below: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Heads of columns (maybe empty), rows, captions of blocks, and unusual lines by number.

    ``headed`` are the blocks that have a head of their own.
    """

    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    captions: tuple[str, ...]
    headed: frozenset[int]
    notes: tuple[tuple[int, Text], ...] = ()

    def column(self, place: int) -> list[str]:
        cells = (line.cells[place] for line in self.lines if not line.is_total)
        return [cell for cell in cells if cell]


def split_text(text: str) -> list[Sheet]:
    """Split a text, or JSON of rows or of sheets by name; raise InvalidError if it is too long."""
    if len(text) > LONGEST_TEXT:
        raise InvalidError.of("too-long", "text", TOO_LONG)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    sheets = _json_sheets(text) or [_split_list(text) or _split(text)]
    rows = list(chain.from_iterable(sheet.rows for sheet in sheets))
    if len(sheets) > MOST_SHEETS or len(rows) > MOST_ROWS:
        message = say("A table has at most %(most)s rows: bring it in in parts.", most=MOST_ROWS)
        raise InvalidError.of("too-many-rows", "text", message)
    if max(map(len, rows), default=0) > MOST_COLUMNS:
        raise InvalidError.of("too-many-columns", "text", TOO_WIDE)
    if sum(map(bool, chain.from_iterable(rows))) > MOST_CELLS:
        raise InvalidError.of("too-long", "text", TOO_LONG)
    return sheets


def _json_sheets(text: str) -> list[Sheet]:
    if text.lstrip()[:1] not in {"[", "{"}:
        return []
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return []
    named = data if isinstance(data, dict) else {"": data}
    if not all(isinstance(rows, list) for rows in named.values()):
        raise InvalidError.of("no-table", "text", NO_TABLE)
    return [Sheet(name, _json_rows(rows)) for name, rows in named.items()]


def _json_rows(rows: list[Any]) -> list[list[str]]:
    if all(isinstance(row, dict) for row in rows):
        heads = [*dict.fromkeys(chain.from_iterable(rows))]
        rows = [heads, *([row.get(head) for head in heads] for row in rows)]
    return [[cell_text(value) for value in row] for row in rows if isinstance(row, list)]


def cell_text(value: Any) -> str:
    """Write the value of a cell, a fraction with a comma as decimal separator."""
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".").replace(".", ",")
    return "" if value is None else str(value)


def _split_list(text: str) -> Sheet | None:
    """Split a list of ``name: figure``: a row is a line of several, or lines without a gap.

    A line without figures is a caption, or the day in front of the row below it.
    """
    lines = [line.strip(" \t-*•") for line in text.split("\n")]
    rests = [PAIR.sub("", line[:LONGEST_LINE]).strip(" ,;:·-–") for line in lines]
    found = [
        PAIR.findall(line) if not rest or read_day(rest) else []
        for line, rest in zip(lines, rests, strict=True)
    ]
    pairs = list(chain.from_iterable(found))
    if len(pairs) < 2 or sum(map(bool, found)) * 2 < sum(map(bool, lines)):
        return None
    heads = [*dict.fromkeys(plain(name) for name, _ in pairs)]
    rows: list[dict[str, str]] = []
    day, row = "", dict[str, str]()
    for line, before, cells in zip(lines, rests, found, strict=True):
        if not cells:
            day, row = line or ("" if row else day), {}
            continue
        if not row or before or len(cells) > 1 or row.keys() & {plain(name) for name, _ in cells}:
            row = {"": before or day}
            rows.append(row)
            day = ""
        row |= {plain(name): figure for name, figure in cells}
    heads = ["", *heads]
    return Sheet("", [heads, *([row.get(head, "") for head in heads] for row in rows)])


def lay_out(sheet: Sheet) -> Table:
    """Find the head and the rows of a sheet."""
    grid = [[plain(cell).strip("*") for cell in row] for row in sheet.rows]
    made = _TableBuilder(notes=[*sheet.notes])
    width = max(map(len, grid), default=0)
    grid = [row + [""] * (width - len(row)) for row in grid]
    if _is_turned(grid):
        made.notes.append((1, TURNED))
        rows = _undrawn(grid)
        rows[0][0] = ""
        grid = [list(column) for column in zip(*rows, strict=True)]
    _move_head(grid)
    for block in _side_by_side(grid):
        made.add(block)
    return made.table()


def _split(text: str) -> Sheet:
    """Split a text by the delimiter that gives the most rows of one width."""

    def alike(split: tuple[str, list[list[str]]]) -> int:
        widths = Counter(len(row) for row in split[1] if len(row) > 1)
        return max(widths.values(), default=0)

    try:
        cut = {separator: _cut(text, separator) for separator in SEPARATORS}
    except csv.Error:  # a cell of very many letters
        raise InvalidError.of("too-long", "text", TOO_LONG) from None
    separator, rows = max(cut.items(), key=alike)
    notes: list[tuple[int, Text]] = []
    if separator == SPACES:
        rows = _aligned([[plain(cell) for cell in row] for row in rows], notes)
    return Sheet("", rows, tuple(notes))


def _cut(text: str, separator: str) -> list[list[str]]:
    lines = text.split("\n")
    if separator == SPACES:
        words = (line.strip() for line in lines)
        return [WIDE.split(line) if WIDE.search(line) else line.split() for line in words]
    if separator == BAR and all(line.lstrip().startswith(BAR) for line in lines if BAR in line):
        lines = [line.lstrip().removeprefix(BAR) for line in lines]  # the frame of the table
    return list(csv.reader(lines, delimiter=separator))


def _is_word(cell: str) -> bool:
    return not (
        not cell or _is_figure(cell) or is_absent(cell) or DRAWN.fullmatch(cell) or read_day(cell)
    )


def _is_figure(cell: str) -> bool:
    """Whether a cell is a figure in digits: in words it may be a name, as Otto is."""
    if WHOLE.fullmatch(cell):
        return True
    digits = any(map(str.isnumeric, cell))
    return digits and (read_figure(cell) or read_figure(cell, ".")) is not None


def _is_head(row: Cells) -> bool:
    """Whether a row has several words, not all of them numbers, and no figure."""
    words = [cell for cell in row if _is_word(cell)]
    named = any(read_figure(cell) is None for cell in words)
    return len(words) > 1 and named and not any(map(_is_figure, row))


def _is_drawn(row: Cells) -> bool:
    drawn = [DRAWN.fullmatch(cell) for cell in row if cell]
    return bool(drawn) and all(drawn)


def _undrawn(rows: list[list[str]]) -> list[list[str]]:
    return [row for row in rows if any(row) and not _is_drawn(row)]


def _is_labelled(row: Cells) -> bool:
    labels = takewhile(lambda cell: not _is_figure(cell), row)
    return any(folded(cell) in TOTALS for cell in labels)


def _aligned(rows: list[list[str]], notes: list[tuple[int, Text]]) -> list[list[str]]:
    """Align rows that were cut at spaces, where nothing stands for a blank cell.

    A head that is too short lacks the cells in front. Any other row of another width than the
    figures is noted and left out.
    """
    figures = [row for row in rows if any(map(_is_figure, row)) and not _is_labelled(row)]
    ((width, _),) = Counter(map(len, figures)).most_common(1) or [(0, 0)]
    indent = int(any(len(row) == width + 1 and _is_labelled(row) for row in rows))
    aligned = []
    for number, row in enumerate(rows, 1):
        words, short = " ".join(row), width - len(row)
        if len(row) < 2 or _is_drawn(row) or (_is_labelled(row) and short == -indent):
            aligned.append(row)
        elif short == 0 or (short > 0 and not any(map(_is_figure, row))):
            aligned.append([""] * (short + indent) + row)
        elif _is_word(row[0]) and read_day(words, alone=False):
            aligned.append([words])
        else:
            notes.append((number, UNREAD))
            aligned.append([])
    return aligned


def _is_turned(grid: list[list[str]]) -> bool:
    """Whether players stand down the side: days or deals stand above.

    Their names are different words, and all other cells are figures.
    """
    rows = _undrawn(grid)
    corner = folded(rows[0][0]) if rows else "?"
    if corner not in CORNERS or not _are_days_or_deals(rows[0][1:]):
        return False
    names = [folded(row[0]) for row in rows[1:]]
    cells = [cell for row in rows[1:] for cell in row[1:] if cell]
    figures = cells and all(_is_figure(cell) or is_absent(cell) for cell in cells)
    return bool(figures) and all(map(_is_word, names)) and len({*names}) == len(names) > 1


def _are_days_or_deals(heads: Cells) -> bool:
    """Whether each of the heads has a day, or they count deals; totals may stand among them."""
    heads = [head for head in heads if head and folded(head) not in TOTALS]
    stem = heads[0].rstrip("1") if heads else ""
    in_order = heads == [f"{stem}{number}" for number in range(1, len(heads) + 1)]
    return bool(heads) and (in_order or all(read_day(head) for head in heads))


def _move_head(grid: list[list[str]]) -> None:
    """Move a head that is shorter than the rows, where these begin with a day, number or label."""
    at = _head_of(grid)
    if at is None:
        return
    rows = [row for row in grid[at + 1 :] if any(map(_is_figure, row)) and not _is_labelled(row)]
    ((width, _),) = Counter(map(_width, rows)).most_common(1) or [(0, 0)]
    more = width - _width(grid[at])
    if more > 0 and all(_are_labels([row[place] for row in rows]) for place in range(more)):
        for row in grid[at + 1 - _whole_head(grid, at)[1] : at + 1]:
            row[:] = [""] * more + row[: len(row) - more]


def _width(row: Cells) -> int:
    return max((place for place, cell in enumerate(row, 1) if cell), default=0)


def _are_labels(cells: Cells) -> bool:
    """Whether the cells of a column are days, words or the numbers of deals."""
    if [*cells] == [str(number) for number in range(1, len(cells) + 1)]:
        return len(cells) > 1
    labels = [cell for cell in cells if cell]
    return bool(labels) and all(_is_word(cell) or read_day(cell) for cell in labels)


def _head_of(rows: Sequence[Cells]) -> int | None:
    """Find the head row: the last one above the first figures."""
    head = None
    for place, row in enumerate(rows[:TOP]):
        if any(map(_is_figure, row)):
            break
        if _is_head(row) and (head is None or place == head + 1):
            head = place
    return head


def _side_by_side(grid: list[list[str]]) -> list[list[list[str]]]:
    """Split a table whose columns are repeated side by side, or with blank columns between."""
    at = _head_of(grid)
    head = [folded(cell) for cell in _whole_head(grid, at)[0]]
    named = [place for place, name in enumerate(head) if name]
    again = [place for place in named[1:] if head[place] == head[named[0]]]
    width = len(grid[0]) if grid else 0
    blank = [place for place in range(width) if not any(row[place] for row in grid)]
    gaps = [place for place in blank if _repeats(head, place)]
    edges = [0, *(again if again and _repeats(head, again[0]) else gaps), width]
    return [[row[left:right] for row in grid] for left, right in pairwise(edges) if right > left]


def _repeats(head: Sequence[str], border: int) -> bool:
    """Whether at least two heads stand on both sides of a border."""
    return len({*head[:border]} & {*head[border:]} - {""}) > 1


@dataclass(slots=True)
class _TableBuilder:
    """The table while it is read: columns by head, folded in ``names``, rows, and captions."""

    heads: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    lines: list[tuple[int, int, dict[int, str], bool, bool]] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    headed: set[int] = field(default_factory=set)
    notes: list[tuple[int, Text]] = field(default_factory=list)
    is_below: bool = False

    def add(self, rows: list[list[str]]) -> None:
        at = _head_of(rows)
        head, below = _whole_head(rows, at)
        used = [place for place in range(len(head)) if any(row[place] for row in rows)]
        used = used if self.heads else [*range(max(used, default=-1) + 1)]
        columns: dict[int, int] = {}
        for place in used:
            columns[place] = self._column(head[place], columns)
        if at and below == 1 and _is_head(rows[at - 1]):
            self.notes.append((at, TWO_HEADS))
        above = rows[: (at or 0) - (below == 2)] if at is not None else []
        self._begin(" ".join(cell for row in above for cell in row if cell))
        first = 0 if at is None else at + 1
        for number, row in enumerate(rows[first:], first + 1):
            words = {folded(cell) for cell in row if _is_word(cell)}
            if _is_head(row) and len(words & {folded(name) for name in head}) > 1:
                self._begin(" ".join(cell for cell in row if read_day(cell)))
                head, columns = row, self._renamed(row, columns)
            else:
                self._read(number, row, columns)

    def _column(self, head: str, others: dict[int, int]) -> int:
        """Find the column of a head that the block has not used yet, or add one."""
        name = folded(head)
        if name in self.names and name:
            column = self.names.index(name)
            if column not in others.values():
                return column
        if len(self.heads) == MOST_COLUMNS:
            raise InvalidError.of("too-many-columns", "text", TOO_WIDE)
        self.heads.append(head)
        self.names.append(name)
        return len(self.heads) - 1

    def _renamed(self, row: Cells, columns: dict[int, int]) -> dict[int, int]:
        """Map the columns again at a repeated head, which may name other players."""
        renamed = {place: column for place, column in columns.items() if not _is_word(row[place])}
        for place in sorted(columns.keys() - renamed.keys()):
            renamed[place] = self._column(row[place], renamed)
        return renamed

    def _begin(self, caption: str, *, headed: bool = True) -> None:
        """Begin a block, or extend the caption of one that has no rows yet."""
        last = len(self.captions) - 1
        if self.captions and not any(line[1] == last for line in self.lines):
            self.captions[last] = " ".join(filter(None, (self.captions[last], caption)))
        else:
            self.captions.append(caption)
        if headed:
            self.headed.add(len(self.captions) - 1)

    def _read(self, number: int, row: Cells, columns: dict[int, int]) -> None:
        cells = {column: row[place] for place, column in columns.items() if row[place]}
        words = [*cells.values()]
        if not words:
            return
        block, is_total = len(self.captions) - 1, _is_labelled(words)
        if _is_drawn(words) or (is_total and not any(map(_is_figure, words))):
            self.is_below = is_total or any(line[1] == block for line in self.lines)
        elif is_total or len(words) > 1 or _is_figure(words[0]) or is_absent(words[0]):
            self.lines.append((number, block, cells, is_total, self.is_below))
            self.is_below = False
        else:
            self._begin(words[0], headed=False)

    def table(self) -> Table:
        columns = range(len(self.heads))
        lines = tuple(
            Line(number, block, tuple(cells.get(column, "") for column in columns), *is_total)
            for number, block, cells, *is_total in self.lines
        )
        return Table(
            tuple(self.heads),
            lines,
            tuple(self.captions),
            frozenset(self.headed),
            tuple(self.notes),
        )


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
