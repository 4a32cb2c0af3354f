"""Split a text into sheets of cells, and a sheet into a head, rows, and captions of blocks.

Blocks beside each other are put one below the other, head rows of two lines become one, and a
repeated head begins a new block. A table with players down the side is turned round.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
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
WIDE = re.compile(r"\s{2,}")
#: What keeps our own tables from being formulas.
GUARD = re.compile(r"'(?=\s*[=+\-@])")
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
#: A cell of a line that is drawn: below a head, or above totals.
DRAWN = re.compile(r"[-–—−=_:+|]{2,}")
#: ``Ada: 5``, alone in a line or with others.
PAIR = re.compile(
    r"([^\W\d_][^:=;,|\t]{0,60}?) ?[:=] ?([-+(−–]? ?[0-9]+(?:[.,][0-9]+)?[-)]?)(?=[\s,;.]|$)"
)
LONGEST_LINE = 500
UNREAD = say("This row has other columns than the figures: it is not read.")
TWO_HEADS = say("This row is not read: that below it is taken for the head.")
TURNED = say("The players stand down the side: every column is read as a row.")

Cells = Sequence[str]
#: What two columns of one meaning share: the folded head, and how often it stood before.
Key = tuple[str, int]


class Worksheet(NamedTuple):
    """A sheet of a workbook, or a whole text, as cells, and unusual lines by number."""

    name: str
    rows: list[list[str]]
    notes: Sequence[tuple[int, Text]] = ()


class TextLine(NamedTuple):
    """A row by its number in the text; ``is_below`` a drawn line, or a label of totals."""

    number: int
    cells: list[str]
    is_total: bool
    is_below: bool


@dataclass(slots=True)
class Block:
    """Rows with a caption, and maybe a head of their own."""

    caption: str
    is_headed: bool
    lines: list[TextLine]


class NotebookTable(NamedTuple):
    """Heads of columns (maybe empty), blocks of rows, and unusual lines by number."""

    heads: list[str]
    blocks: list[Block]
    notes: list[tuple[int, Text]]

    @property
    def lines(self) -> list[TextLine]:
        return [line for block in self.blocks for line in block.lines]

    def column(self, place: int) -> list[str]:
        cells = (line.cells[place] for line in self.lines if not line.is_total)
        return [cell for cell in cells if cell]


def split_text(text: str) -> list[Worksheet]:
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


def _json_sheets(text: str) -> list[Worksheet]:
    try:
        data = json.loads(text) if text.lstrip()[:1] in {"[", "{"} else {}
    except (ValueError, RecursionError):
        return []
    named = data if isinstance(data, dict) else {"": data}
    if not all(isinstance(rows, list) for rows in named.values()):
        raise InvalidError.of("no-table", "text", NO_TABLE)
    return [Worksheet(name, _json_rows(rows)) for name, rows in named.items()]


def _json_rows(rows: list[Any]) -> list[list[str]]:
    if all(isinstance(row, dict) for row in rows):
        heads = [*dict.fromkeys(chain.from_iterable(rows))]
        rows = [heads, *([row.get(head) for head in heads] for row in rows)]
    return [[_cell(value) for value in row] for row in rows if isinstance(row, list)]


def _cell(value: Any) -> str:
    """Write the value of a cell, a fraction with a comma as decimal separator."""
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".").replace(".", ",")
    return "" if value is None else str(value)


def _split_list(text: str) -> Worksheet | None:
    """Split a list of ``name: figure``: a row ends at a caption, a gap, a name again."""
    lines = [line.strip(" \t-*•")[:LONGEST_LINE] for line in text.split("\n")]
    rows: list[dict[str, str]] = []
    day, row, listed = "", dict[str, str](), 0
    for line in lines:
        pairs = {plain(name): figure for name, figure in PAIR.findall(line)}
        rest = PAIR.sub("", line).strip(" ,;:·-–")
        if not pairs or (rest and not read_day(rest)):
            day, row = line or day, {}
            continue
        listed += 1
        if not row or rest or len(pairs) > 1 or row.keys() & pairs.keys():
            row = {"": rest or day}
            rows.append(row)
        row |= pairs
    if listed * 2 < sum(map(bool, lines)) or sum(map(len, rows)) < len(rows) + 2:
        return None
    heads = [*dict.fromkeys(chain.from_iterable(rows))]
    return Worksheet("", [heads, *([row.get(head, "") for head in heads] for row in rows)])


def _split(text: str) -> Worksheet:
    """Split a text by the delimiter that gives the most rows of one width."""

    def alike(split: tuple[str, list[list[str]]]) -> int:
        return _most_common([len(row) for row in split[1] if len(row) > 1])[1]

    try:
        cut = {separator: _cut(text, separator) for separator in SEPARATORS}
    except csv.Error:  # a cell of very many letters
        raise InvalidError.of("too-long", "text", TOO_LONG) from None
    separator, rows = max(cut.items(), key=alike)
    return _aligned(rows) if separator == SPACES else Worksheet("", rows)


def _cut(text: str, separator: str) -> list[list[str]]:
    lines = text.split("\n")
    if separator == SPACES:
        words = (line.strip() for line in lines)
        return [WIDE.split(line) if WIDE.search(line) else line.split() for line in words]
    if separator == BAR and all(line.lstrip().startswith(BAR) for line in lines if BAR in line):
        lines = [line.lstrip().removeprefix(BAR) for line in lines]  # the frame of the table
    return list(csv.reader(lines, delimiter=separator))


def _aligned(rows: list[list[str]]) -> Worksheet:
    """Align rows that were cut at spaces to the right; note and leave out those of another width.

    Nothing stands for a blank cell there: only a head may lack some, in front.
    """
    rows = [[plain(cell) for cell in row] for row in rows]
    width, _ = _most_common([len(row) for row in _rows_of_figures(rows)])
    aligned, notes = [*rows], []
    for place, row in enumerate(rows):
        short = width + _is_labelled(row) - len(row)
        words = " ".join(row)
        if _is_word(row[0] if row else "") and short and read_day(words, alone=False):
            aligned[place] = [words]
        elif row and not _is_drawn(row) and short and (short < 0 or _has_figure(row)):
            notes.append((place + 1, UNREAD))
            aligned[place] = []
    widest = max(map(len, aligned))
    return Worksheet("", [[""] * (widest - len(row)) + row for row in aligned], notes)


def _most_common(widths: Sequence[int]) -> tuple[int, int]:
    """Return the most common of some widths, and how often it is there."""
    return next(iter(Counter(widths).most_common(1)), (0, 0))


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


def _has_figure(row: Cells) -> bool:
    return any(map(_is_figure, row))


def _is_head(row: Cells) -> bool:
    """Whether a row has several words, not all of them numbers, and no figure."""
    words = [cell for cell in row if _is_word(cell)]
    named = any(read_figure(cell) is None for cell in words)
    return len(words) > 1 and named and not _has_figure(row)


def _is_drawn(row: Cells) -> bool:
    return any(row) and all(DRAWN.fullmatch(cell) for cell in row if cell)


def _is_labelled(row: Cells) -> bool:
    labels = takewhile(lambda cell: not _is_figure(cell), row)
    return any(folded(cell) in TOTALS for cell in labels)


def _rows_of_figures(rows: Sequence[list[str]]) -> list[list[str]]:
    return [row for row in rows if _has_figure(row) and not _is_labelled(row)]


def _head_of(rows: Sequence[Cells]) -> int | None:
    """Find the head row: the last one above the first figures."""
    head = None
    for place, row in enumerate(rows[:TOP]):
        if _has_figure(row):
            break
        if _is_head(row) and (head is None or place == head + 1):
            head = place
    return head


def _whole_head(rows: list[list[str]], at: int | None) -> tuple[list[str], int]:
    """Return the head of a block, and its number of rows: two where cells are merged."""
    if at is None:
        return [""] * len(rows[0]), 0
    upper, lower = rows[at - 1] if at else [], rows[at]
    if not any(upper) or not {folded(cell) for cell in lower if cell} <= BELOW_NAMES:
        return lower, 1
    names, last = [], ""
    for name in upper:
        last = name or last
        names.append(last)
    return [f"{name} {cell}".strip() for name, cell in zip(names, lower, strict=True)], 2


def _move_head(grid: list[list[str]]) -> None:
    """Move a head that is shorter than the rows, where these begin with days, words or numbers."""
    at = _head_of(grid)
    if at is None:
        return
    rows = _rows_of_figures(grid[at + 1 :])
    more = _most_common([_width(row) for row in rows])[0] - _width(grid[at])
    if more > 0 and all(_are_labels([row[place] for row in rows]) for place in range(more)):
        for row in grid[at + 1 - _whole_head(grid, at)[1] : at + 1]:
            row[:] = [""] * more + row[: len(row) - more]


def _width(row: Cells) -> int:
    return max((place for place, cell in enumerate(row, 1) if cell), default=0)


def _are_labels(cells: Cells) -> bool:
    """Whether the cells of a column are days, words or the numbers of deals."""
    if [*cells] == [str(number) for number in range(1, len(cells) + 1)]:
        return len(cells) > 1
    return any(cells) and all(_is_word(cell) or read_day(cell) for cell in cells if cell)


def _side_by_side(grid: list[list[str]]) -> list[list[list[str]]]:
    """Split a table whose columns are repeated side by side."""
    head = [folded(cell) for cell in _whole_head(grid, _head_of(grid))[0]]
    first = next(filter(None, head), None)
    again = [place for place, name in enumerate(head) if first and name == first][1:]
    if not again or len({*head[: again[0]]} & {*head[again[0] :]} - {""}) < 2:
        return [grid]
    edges = pairwise([0, *again, len(head)])
    return [[row[left:right] for row in grid] for left, right in edges]


def _turned(grid: list[list[str]]) -> list[list[str]]:
    """Turn a table with different names down the side, and days or numbered deals above figures."""
    rows = [[*row] for row in grid if any(row) and not _is_drawn(row)]
    above = [cell for cell in rows[0][1:] if cell and folded(cell) not in TOTALS] if rows else []
    stem = above[0].rstrip("1") if above else ""
    counted = above == [f"{stem}{number}" for number in range(1, len(above) + 1)]
    names = [folded(row[0]) for row in rows[1:] if _is_word(row[0])]
    cells = [cell for row in rows[1:] for cell in row[1:] if cell and not is_absent(cell)]
    is_headed = above and (counted or all(map(read_day, above)))
    is_named = 1 < len({*names}) == len(rows) - 1
    if not (is_headed and is_named and cells and all(map(_is_figure, cells))):
        return grid
    rows[0][0] = ""
    return [list(column) for column in zip(*rows, strict=True)]


def _keys(head: Cells) -> list[Key]:
    names = [folded(cell) for cell in head]
    return [(name, names[:place].count(name)) for place, name in enumerate(names)]


def lay_out(sheet: Worksheet) -> NotebookTable:
    """Find the head and the rows of a sheet."""
    grid = [[GUARD.sub("", plain(cell).strip("*")) for cell in row] for row in sheet.rows]
    width = max(map(len, grid), default=0)
    grid = [row + [""] * (width - len(row)) for row in grid]
    turned = _turned(grid)
    table = NotebookTable([], [], [*sheet.notes, *([] if turned is grid else [(1, TURNED)])])
    grid, heads = turned, dict[Key, str]()
    if width:
        _move_head(grid)
        for rows in _side_by_side(grid):
            _lay_out_block(rows, heads, table)
        if not table.blocks[-1].lines:
            table.blocks.pop()
    if len(heads) > MOST_COLUMNS:
        raise InvalidError.of("too-many-columns", "text", TOO_WIDE)
    table.heads.extend(heads.values())
    for line in table.lines:
        line.cells.extend([""] * (len(heads) - len(line.cells)))
    return table


def _lay_out_block(rows: list[list[str]], heads: dict[Key, str], table: NotebookTable) -> None:
    """Add the rows of a block, their cells by the keys of columns, and its heads."""
    at = _head_of(rows)
    head, height = _whole_head(rows, at)
    keys = _keys(head)
    used = [place for place in range(len(head)) if any(row[place] for row in rows)]
    for place in used if heads else range(max(used, default=-1) + 1):
        heads.setdefault(keys[place], head[place])
    if at and height == 1 and _is_head(rows[at - 1]):
        table.notes.append((at, TWO_HEADS))
    first = 0 if at is None else at + 1
    above = rows[: max(0, first - height)]
    _begin(table, " ".join(cell for row in above for cell in row if cell), is_headed=True)
    is_below = False
    for number, row in enumerate(rows[first:], first + 1):
        words = {folded(cell) for cell in row if _is_word(cell)}
        if _is_head(row) and len(words & {name for name, _ in keys}) > 1:
            _begin(table, " ".join(cell for cell in row if read_day(cell)), is_headed=True)
            named = zip(row, _keys(row), keys, strict=True)
            keys = [key if _is_word(cell) else before for cell, key, before in named]
            heads |= {
                key: heads.get(key, cell) for key, cell in zip(keys, row, strict=True) if cell
            }
            continue
        cells = [cell for cell in row if cell]
        lines, is_total = table.blocks[-1].lines, _is_labelled(cells)
        if _is_drawn(cells) or (is_total and not _has_figure(cells)):
            is_below = is_total or bool(lines)
        elif (
            is_total or len(cells) > 1 or any(_is_figure(cell) or is_absent(cell) for cell in cells)
        ):
            by_key = dict(zip(keys, row, strict=True))
            cells = [by_key.get(key, "") for key in heads]
            lines.append(TextLine(number, cells, is_total, is_below))
            is_below = False
        elif cells:
            _begin(table, cells[0], is_headed=False)


def _begin(table: NotebookTable, caption: str, *, is_headed: bool) -> None:
    """Begin a block, or extend the caption of one that has no rows yet."""
    if table.blocks and not table.blocks[-1].lines:
        last = table.blocks.pop()
        caption, is_headed = f"{last.caption} {caption}".strip(), is_headed or last.is_headed
    table.blocks.append(Block(caption, is_headed, []))
