"""Read the sheets of a notebook into evenings, with what is open and what is doubtful.

What is written decides what is filled in (contract.md, Old tables); answers decide the rest.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import partial
from itertools import groupby
from typing import Any

from scorer.errors import InvalidError, Problem, refuse
from scorer.notebooks.cells import (
    first_parts,
    folded,
    is_absent,
    on_calendar,
    read_day,
    read_figure,
)
from scorer.notebooks.columns import (
    VOIDED,
    Column,
    People,
    Use,
    columns,
    is_day,
    is_own,
    own_columns,
)
from scorer.notebooks.tables import NO_TABLE, Line, Sheet, Table, lay_out
from scorer.texts import Text, say, signed

POINT_DECIMALS = re.compile(r"(?<![0-9.,])[0-9]+\.[0-9]{1,2}(?![0-9.,])|[0-9],[0-9]{3}\.")
COMMA_DECIMALS = re.compile(r"[0-9],[0-9]{1,2}(?![0-9])|[0-9]\.[0-9]{3},")
#: Figures with more decimals are rejected.
MOST_DECIMALS = 2
LONGEST_TITLE = 80
MOST_DOUBTS = 200
#: What stands first in a day in figures.
ORDERS = ("day-first", "month-first")
MONTHS = 12
OTHER_TOTAL = "The total of %(name)s is %(total)s; the rows come to %(sum)s."
IS_SUM = say("This row is the sum of the others.")
NEAR = say("Is “%(name)s” %(near)s? As it is written, it is somebody new.")
GOES_ON = say("These balances go on from those of the day above.")
#: A leap year for days whose year is not known yet.
SOME_YEAR = date(2024, 1, 1)
Figures = dict[str, int]


class RowKind(StrEnum):
    """The meaning of a row: a deal, the sum of an evening, where everybody stood after it."""

    DEAL = "deal"
    EVENING = "evening"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Row:
    """A row that was understood: its figures, who is blank, and the evening that it is of.

    ``evening`` numbers what may be evenings: blocks with a day or a head of their own.
    """

    sheet: int
    number: int
    evening: int
    day: date | None
    figures: Figures
    blank: tuple[str, ...] = ()
    title: str = ""
    is_opening: bool = False


@dataclass(frozen=True, slots=True)
class Answers:
    """What somebody answered, as contract.md has it; ``totals`` are rows, as ``0.12``."""

    row: RowKind | None = None
    day: date | None = None
    order: int | None = None
    columns: Mapping[tuple[int, int], tuple[Use, str]] = field(default_factory=dict)
    totals: Collection[object] = ()


def read_notebook(
    sheets: Sequence[Sheet], people: Sequence[Sequence[str]], answers: Any
) -> dict[str, Any]:
    """Read sheets as the document of contract.md, with what a page shows besides.

    Each of the ``people`` is a name with nicknames. Besides there are ``lines`` by number, ``days``
    as they are written and were read, ``no_year``, all ``readings``, the ``unit`` of the figures,
    rows that are ``sums`` of others, and whether each row ``cancels``. Raise InvalidError where
    there are no figures, or where an answer is impossible.
    """
    return _Reading(sheets, People(people), answers).notebook()


def read_answers(given: Any, tables: Sequence[Table], people: People) -> Answers:
    """Read answers; raise InvalidError with each that names what is not there."""
    wrong: list[str] = []

    def read(name: str, reader: Callable[[Any], Any], value: Any) -> Any:
        try:
            return None if value is None else reader(value)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            wrong.append(name)

    answers = dict(given or {}) if isinstance(given, dict | None) else {"": given}
    chosen = {}
    for sheet, of_sheet in (read("columns", dict, answers.pop("columns", None)) or {}).items():
        for place, answer in (read(f"columns.{sheet}", dict, of_sheet) or {}).items():
            name = f"columns.{sheet}.{place}"
            reader = partial(_column, tables, people, sheet, place)
            if found := read(name, reader, answer):
                chosen[int(sheet), int(place)] = found
    readers = {"row": RowKind, "day": date.fromisoformat, "order": ORDERS.index, "totals": set}
    values = {name: read(name, reader, answers.pop(name, None)) for name, reader in readers.items()}
    wrong += ["answers"] if answers else []
    if wrong:
        raise _not_there(wrong)
    return Answers(values["row"], values["day"], values["order"], chosen, values["totals"] or ())


def _column(
    tables: Sequence[Table], people: People, sheet: str, place: str, answer: Any
) -> tuple[Use, str]:
    """Read the answer for a column; raise ValueError and others for what is not there."""
    use, heads = Use(answer["use"]), tables[int(sheet)].heads
    head = heads[int(place)]
    if min(int(sheet), int(place)) < 0:
        raise IndexError
    if use is not Use.PERSON:
        return use, ""
    person = str(answer.get("person") or head).strip()
    known = people.exact(person)
    if not person or not (known or not people.names or not head or person in heads):
        raise ValueError(person)
    return use, known or person


def _not_there(fields: Sequence[str]) -> InvalidError:
    message = say("There is no such column, person or choice.")
    return InvalidError([Problem("unknown-answer", name, message) for name in fields])


class _Reading:
    """The state while a notebook is read."""

    def __init__(self, sheets: Sequence[Sheet], people: People, answers: Any) -> None:
        self.names = [sheet.name for sheet in sheets]
        self.tables = [lay_out(sheet) for sheet in sheets]
        self.people = people
        self.answers = read_answers(answers, self.tables, people)
        self.own = [is_own(table) for table in self.tables]
        cells = [cell for table in self.tables for line in table.lines for cell in line.cells]
        self.decimal = _decimal(cells)
        self.columns = [self._columns(sheet) for sheet in range(len(self.tables))]
        self.doubts: list[dict[str, Any]] = []
        for sheet, table in enumerate(self.tables):
            for note in table.notes:
                self._doubt(sheet, *note)
        self.written: dict[str, date] = {}
        self.last_day: date | None = None
        self.no_year = self.lacks_day = False
        self.evening = 0
        self.totals: list[Row] = []
        self.sums: list[str] = []
        self.seen = {*people.names}
        self.scale = max(map(self._decimals, range(len(self.tables))), default=0)

    def _columns(self, sheet: int) -> list[Column]:
        """Return the columns of a sheet, as they were answered or are certain."""
        table = self.tables[sheet]
        if self.own[sheet]:
            found = own_columns(table, self.people)
        else:
            found = columns(table, self.decimal, self.people)
        if any(self.own) and not self.own[sheet]:  # the standings beside our own deals
            found = [replace(column, use=Use.NONE) for column in found]
        for (of, place), (use, person) in self.answers.columns.items():
            if of == sheet:
                found[place] = replace(found[place], use=use, person=person)
        people = [column.person for column in found if column.use is Use.PERSON]
        refuse(
            Problem(
                "duplicate-name",
                f"columns.{sheet}.{place}",
                say("Two columns are of %(name)s.", name=column.person),
            )
            for place, column in enumerate(found)
            if column.use is Use.PERSON and people.count(column.person) > 1
        )
        return found

    def _decimals(self, sheet: int) -> int:
        """Count the decimals of the figures of people."""
        used = {Use.PERSON, Use.POINTS}
        places = [p for p, column in enumerate(self.columns[sheet]) if column.use in used]
        cells = (line.cells[place] for line in self.tables[sheet].lines for place in places)
        figures = (read_figure(cell, self.decimal) for cell in cells)
        counts = (_places(figure) for figure in figures if figure)
        return max((count for count in counts if count <= MOST_DECIMALS), default=0)

    def notebook(self) -> dict[str, Any]:
        if not any(self.own) and not any(c.has_figures for found in self.columns for c in found):
            raise InvalidError.of("no-table", "text", NO_TABLE)
        is_order_open = self._settle_order()
        rows = [row for sheet in range(len(self.tables)) for row in self._rows(sheet)]
        kind = self.answers.row or self._row_kind(rows)
        is_open = [
            *([] if kind else ["row"]),
            *(
                f"sheets[{sheet}].columns[{place}]"
                for sheet, found in enumerate(self.columns)
                for place, column in enumerate(found)
                if column.use is None
            ),
            *(["order"] if is_order_open else []),
            *(["day"] if (self.no_year or self.lacks_day) and not self.answers.day else []),
        ]
        self._doubt_rows(rows, kind)
        finals = {choice: _finals(rows, choice) for choice in RowKind}
        return {
            "sheets": [
                {
                    "name": name,
                    "rows": sum(not line.is_total for line in self.tables[sheet].lines),
                    "columns": [column.document() for column in self.columns[sheet]],
                }
                for sheet, name in enumerate(self.names)
            ],
            "row": kind,
            "finals": None if kind else finals,
            "readings": finals,
            "open": is_open,
            "evenings": None if is_open or not kind else [*self._evenings(rows, kind)],
            "doubts": sorted(self.doubts, key=lambda at: (at["sheet"], at["row"]))[:MOST_DOUBTS],
            "lines": [[(line.number, line.cells) for line in table.lines] for table in self.tables],
            "days": {written: day.isoformat() for written, day in self.written.items()},
            "no_year": self.no_year,
            "sums": self.sums,
            "unit": str(Decimal(1).scaleb(-self.scale)),
            "cancels": not any(sum(row.figures.values()) for row in rows),
        }

    def _settle_order(self) -> bool:
        """Find the order of day and month; return whether it is open."""
        cells = [cell for sheet in range(len(self.tables)) for cell in self._day_cells(sheet)]
        parts = {numbers for cell in cells if (numbers := first_parts(cell))}
        forced = [any(numbers[of] > MONTHS for numbers in parts) for of in range(len(ORDERS))]
        chosen = self.answers.order
        if chosen is not None and forced[1 - chosen]:
            raise _not_there(["order"])
        self.month_first = chosen == 1 if chosen is not None else forced == [False, True]
        return chosen is None and not any(forced) and any(a != b for a, b in parts)

    def _day_cells(self, sheet: int) -> list[str]:
        table = self.tables[sheet]
        place = self._place(sheet, Use.WHEN)
        return [*([] if place is None else table.column(place)), *table.captions, self.names[sheet]]

    def _place(self, sheet: int, use: Use) -> int | None:
        uses = [column.use for column in self.columns[sheet]]
        return uses.index(use) if use in uses else None

    def _read_day(self, text: str, *, alone: bool) -> date | None:
        """Read a day; without a year it is that nearest to the day before, or to the answer."""
        written = read_day(text, month_first=self.month_first, alone=alone)
        if written is None:
            return None
        near = self.last_day or self.answers.day
        if written.year is None and near is None:
            self.no_year, near = True, SOME_YEAR
        years = [near.year + step for step in (0, -1, 1)] if near else [0]
        days = filter(None, (on_calendar(written, year) for year in years))
        day = min(days, key=lambda day: abs(day - (near or day)), default=None)
        if day:
            self.last_day = day
            self.written.setdefault(text, day)
        return day

    def _doubt(self, sheet: int, row: int, text: Text) -> None:
        self.doubts.append({"sheet": sheet, "row": row, "text": text})

    def _rows(self, sheet: int) -> Iterator[Row]:
        """Yield the rows of a sheet that can be read; the others wait, with a doubt."""
        table, when = self.tables[sheet], self._place(sheet, Use.WHEN)
        name = read_day(self.names[sheet], month_first=self.month_first, alone=False)
        day = self._read_day(self.names[sheet], alone=False) if name and name.year else None
        block, before, title = -1, tuple[Any, ...](), ""
        rows: list[Row] = []
        for line in table.lines:
            if line.block != block:
                block, caption = line.block, table.captions[line.block]
                own_day = self._read_day(caption, alone=False)
                headed = block in table.headed
                self.evening += block == 0 or bool(headed and (own_day or day is None))
                day, title = own_day or day, "" if own_day else caption
            is_total = line.is_total or f"{sheet}.{line.number}" in self.answers.totals
            cell = "" if when is None or is_total else line.cells[when]
            found = self._read_day(cell, alone=False) if cell else day
            if cell and found is None:
                self._doubt(sheet, line.number, say("“%(cell)s” is not a day.", cell=cell))
                continue
            is_opening = False
            if self.own[sheet]:
                now = (found, *line.cells[1:3])
                number = int(read_figure(line.cells[3]) or 0)
                self.evening += before[:3] != now or number <= before[3]
                before, title, is_opening = (*now, number), line.cells[1], number == 0
            written = [pairs for pairs in self._written(sheet, line) if pairs]
            figures = [self._figures(sheet, line, pairs) for pairs in written]
            used = {None, Use.PERSON, Use.POINTS}
            cells = zip(self.columns[sheet], line.cells, strict=True)
            self.lacks_day |= not (found or is_total) and any(
                of.use in used and cell for of, cell in cells
            )
            if None in figures:
                continue
            day = found
            title = "" if is_day(title) else title[:LONGEST_TITLE]
            of = (sheet, line.number, self.evening, day)
            made = [
                Row(*of, values, blank, title, is_opening)
                for values, blank in filter(None, figures)
                if values
            ]
            if is_total or (line.is_below and made and self._is_sum(made[0], rows, table)):
                self.totals += made
            else:
                rows += made
        is_top = rows and any(line.is_below for line in table.lines[:2])
        if is_top and _matches(rows[0].figures, rows[1:])[0]:
            self.totals.append(rows.pop(0))
        yield from self._joined(rows) if self._place(sheet, Use.WHO) is not None else rows

    def _written(self, sheet: int, line: Line) -> Iterator[list[tuple[str, str]]]:
        """Yield names with their cells: all of a row, or one for each column of points."""
        uses = [
            (column, cell) for column, cell in zip(self.columns[sheet], line.cells, strict=True)
        ]
        if any(folded(of.head) in VOIDED and cell for of, cell in uses):
            return
        who = self._place(sheet, Use.WHO)
        if who is None:
            yield [(column.person, cell) for column, cell in uses if column.use is Use.PERSON]
        elif name := line.cells[who]:
            person = self.people.exact(name) or name
            if person not in self.seen and person == name and (near := self.people.near(name)):
                self._doubt(
                    sheet, line.number, replace(NEAR, values={"name": name, "near": near[0]})
                )
            self.seen.add(person)
            yield from ([(person, cell)] for of, cell in uses if of.use is Use.POINTS and cell)

    def _figures(
        self, sheet: int, line: Line, pairs: Sequence[tuple[str, str]]
    ) -> tuple[Figures, tuple[str, ...]] | None:
        """Read the figures of a row; None if a cell is none.

        A blank cell is who did not play; beside a single figure it is 0, and named as blank.
        """
        figures: Figures = {}
        blank: list[str] = []
        for person, cell in pairs:
            people = [person] if person in self.people.names else person.split(" & ")
            if not cell:
                blank += people
            elif not is_absent(cell):
                figure = read_figure(cell, self.decimal)
                if figure is None or _places(figure) > MOST_DECIMALS:
                    message = say("“%(cell)s” is not a figure: the row waits.", cell=cell)
                    self._doubt(sheet, line.number, message)
                    return None
                figures |= dict.fromkeys(people, int(figure.scaleb(self.scale)))
        return figures, tuple(blank if len(figures) == 1 and not self.own[sheet] else ())

    def _is_sum(self, row: Row, rows: Sequence[Row], table: Table) -> bool:
        """Whether a row below a drawn line is one of totals: by its figures, or as the last one."""
        above = [other for other in rows if other.evening == row.evening]
        last = row.number == table.lines[-1].number and len(above) > 0
        return last or _matches(row.figures, above) != (False, False)

    def _joined(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Join the lines of a table with a line for each person: somebody's next begins a row."""
        made: dict[tuple[int, date | None, int], Row] = {}
        counts: Counter[tuple[int, date | None, str]] = Counter()
        for row in rows:
            for name, figure in row.figures.items():
                place = row.evening, row.day, counts[row.evening, row.day, name]
                counts[row.evening, row.day, name] += 1
                made.setdefault(place, replace(row, figures={}, blank=())).figures[name] = figure
        yield from made.values()

    def _row_kind(self, rows: Sequence[Row]) -> RowKind | None:
        """Return what a row is where totals and days leave one meaning."""
        if any(self.own):
            return RowKind.DEAL
        kinds = {*RowKind}
        days = Counter((row.sheet, row.day) for row in rows if row.day)
        if any(count > 1 for count in days.values()):
            kinds.discard(RowKind.EVENING)
        told = [self._told(total, rows) for total in self.totals]
        if True in told and False not in told:
            return RowKind.RUNNING
        if False in told and True not in told:
            kinds.discard(RowKind.RUNNING)
        return next(iter(kinds)) if len(kinds) == 1 else None

    def _told(self, total: Row, rows: Sequence[Row]) -> bool | None:
        """Compare totals with rows: True if they repeat the last one, False for sums, else None."""
        sheet = [row for row in rows if row.sheet == total.sheet]
        evening = [row for row in sheet if row.evening == total.evening]
        day = [row for row in evening if row.day == total.day]
        above = [row for row in sheet if row.number < total.number]
        found = [_matches(total.figures, group) for group in (day, evening, sheet, above) if group]
        is_sum, is_last = (any(match[at] for match in found) for at in (0, 1))
        if not is_sum and not is_last and evening:
            sums = _finals(evening, RowKind.DEAL)
            for name, figure in total.figures.items():
                if figure != sums.get(name, 0):
                    values = {"name": name, "total": self._said(figure)}
                    values["sum"] = self._said(sums.get(name, 0))
                    self._doubt(total.sheet, total.number, say(OTHER_TOTAL, **values))
        return None if is_sum == is_last or len(evening) < 2 else is_last

    def _said(self, figure: int) -> str:
        if not self.scale:
            return signed(figure)
        return f"{Decimal(figure).scaleb(-self.scale):+}".replace("-", "−")

    def _doubt_rows(self, rows: Sequence[Row], kind: RowKind | None) -> None:
        """Point at rows that don't cancel among others that do, and at sums without a label."""
        sums = [sum(row.figures.values()) for row in rows]
        if sums.count(0) * 2 > len(sums):
            for row, left in zip(rows, sums, strict=True):
                if left:
                    message = say("This row doesn’t cancel: it comes to %(sum)s.")
                    values = {"sum": self._said(left)}
                    self._doubt(row.sheet, row.number, replace(message, values=values))
        for number, group in groupby(rows, lambda row: row.evening):
            if not any(self.own):
                told = any(total.evening == number for total in self.totals)
                self._doubt_sums([*group], told=told, running=kind is RowKind.RUNNING)

    def _doubt_sums(self, evening: Sequence[Row], *, told: bool, running: bool) -> None:
        """Point at the last row of a day that is a sum, and at a day that goes on from another."""
        for place, row in enumerate(evening):
            after = next(iter(evening[place + 1 :]), None)
            if after and after.day == row.day:
                continue
            above = evening[:place]
            of_day = [other for other in above if other.day == row.day]
            if not told and (_matches(row.figures, above)[0] or _matches(row.figures, of_day)[0]):
                self._doubt(row.sheet, row.number, IS_SUM)
                self.sums.append(f"{row.sheet}.{row.number}")
            if after and running and of_day:
                self._doubt(after.sheet, after.number, GOES_ON)

    def _evenings(self, rows: Sequence[Row], kind: RowKind) -> Iterator[dict[str, Any]]:
        made: dict[tuple[object, ...], list[Row]] = {}
        paid = _differences(rows) if kind is RowKind.RUNNING else [_whole(row) for row in rows]
        for row in paid:
            key: tuple[object, ...] = (row.evening, row.day)
            made.setdefault(key if kind is not RowKind.EVENING else (len(made),), []).append(row)
        for group in made.values():
            deals = [row.figures for row in group if not row.is_opening]
            totals = _finals(group, RowKind.DEAL)
            opening = next((row.figures for row in group if row.is_opening), {})
            day = group[0].day or self.answers.day
            if deals and day:
                evening = {"day": day.isoformat(), "names": [*totals], "deals": deals}
                more = {"title": group[0].title, "opening": opening}
                yield evening | {"totals": totals} | {k: v for k, v in more.items() if v}


def _whole(row: Row) -> Row:
    return replace(row, figures=row.figures | dict.fromkeys(row.blank, 0))


def _differences(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows with what each paid, where they say where everybody stood after it."""
    for _, group in groupby(rows, lambda row: row.evening):
        stood: Figures = {}
        for row in group:
            same = {name: stood.get(name, 0) for name in row.blank}
            now = row.figures | same
            paid = {name: figure - stood.get(name, 0) for name, figure in now.items()}
            stood |= now
            yield replace(row, figures=paid)


def _finals(rows: Sequence[Row], kind: RowKind) -> Figures:
    """Return everybody's figures after the last row."""
    finals: Counter[str] = Counter()
    for row in _differences(rows) if kind is RowKind.RUNNING else rows:
        finals.update(_whole(row).figures)
    return dict(finals)


def _matches(total: Figures, rows: Sequence[Row]) -> tuple[bool, bool]:
    """Whether totals are the sums of at least two rows, and whether they repeat the last one."""
    if len(rows) < 2:  # sums of one row are that row
        return False, False
    last: Figures = {}
    for row in rows:
        last |= row.figures
    sums = _finals(rows, RowKind.DEAL)
    pairs = [[figure == of.get(name) for name, figure in total.items()] for of in (sums, last)]
    return bool(total) and all(pairs[0]), bool(total) and all(pairs[1])


def _decimal(cells: Sequence[str]) -> str:
    """Return the decimal separator of most figures; a comma where none has decimals."""
    points = sum(bool(POINT_DECIMALS.search(cell)) and not is_day(cell) for cell in cells)
    commas = sum(bool(COMMA_DECIMALS.search(cell)) and not is_day(cell) for cell in cells)
    return "." if points > commas else ","


def _places(figure: Decimal) -> int:
    exponent = figure.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
