"""Read the sheets of a notebook into evenings, with what is open and what is doubtful.

What is written decides what is filled in (contract.md, Old tables); answers decide the rest.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import groupby
from typing import Any

from scorer.errors import InvalidError, Problem, refuse
from scorer.ledger.money import added
from scorer.notebooks.cells import (
    first_parts,
    folded,
    is_absent,
    on_calendar,
    read_day,
    read_figure,
)
from scorer.notebooks.columns import VOIDED, Column, People, Use, columns, is_day, is_own
from scorer.notebooks.rows import (
    NOTHING,
    NotebookRow,
    RowKind,
    Rows,
    agrees,
    equals,
    evening_keys,
    final_figures,
    joined_rows,
    kinds_told,
    paid_by_row,
)
from scorer.notebooks.splitting import NO_TABLE, TextLine, Worksheet, lay_out
from scorer.texts import MINUS, Text, say, signed

POINT_DECIMALS = re.compile(r"(?<![0-9.,])[0-9]+\.[0-9]{1,2}(?![0-9.,])|[0-9],[0-9]{3}\.")
COMMA_DECIMALS = re.compile(r"[0-9],[0-9]{1,2}(?![0-9])|[0-9]\.[0-9]{3},")
#: Figures with more decimals are rejected.
MOST_DECIMALS = 2
LONGEST_TITLE, MOST_DOUBTS = 80, 200
#: What stands first in a day in figures.
ORDERS = ("day-first", "month-first")
MONTHS = 12
OTHER_TOTAL = "The total of %(name)s is %(total)s; the rows come to %(sum)s."
IS_SUM = say("This row is the sum of the others.")
GOES_ON = say("These balances go on from those of the day above.")
#: A leap year for days whose year is not known yet.
SOME_YEAR = date(2024, 1, 1)


def read_notebook(
    sheets: Sequence[Worksheet], people: Sequence[Sequence[str]], answers: Any
) -> dict[str, Any]:
    """Read sheets as the document of contract.md, with what a page shows besides.

    Each of the ``people`` is a name with nicknames. Besides there are ``lines`` by number, ``days``
    as they are written and were read, ``no_year``, ``undated`` (the first row of each block without
    a day), all ``readings`` and their ``counts`` of evenings, the ``unit`` of the figures, ``sums``
    (rows that are those of others), and whether each row ``cancels``. Raise InvalidError where
    there are no figures, or where an answer is impossible.
    """
    return _Reading(sheets, People(people), answers).notebook()


class _Reading:
    """The state while a notebook is read."""

    def __init__(self, sheets: Sequence[Worksheet], people: People, answers: Any) -> None:
        self.names = [sheet.name for sheet in sheets]
        self.tables = [lay_out(sheet) for sheet in sheets]
        self.people = people
        self.own = [is_own(table) for table in self.tables]
        cells = [cell for table in self.tables for line in table.lines for cell in line.cells]
        self.decimal = _decimal(cells)
        self.columns = [self._columns(sheet) for sheet in range(len(self.tables))]
        if not any(c["use"] in {None, Use.PERSON} for found in self.columns for c in found):
            raise InvalidError.of("no-table", "text", NO_TABLE)
        self._answer(answers)
        for sheet, found in enumerate(self.columns):
            named = [column.get("person") for column in found]
            for place, name in enumerate(named):
                if name and name in named[place + 1 :]:
                    message = say("Two columns are of %(name)s.", name=name)
                    raise InvalidError.of("duplicate-name", f"columns.{sheet}.{place}", message)
        self.doubts: list[dict[str, Any]] = []
        for sheet, table in enumerate(self.tables):
            for note in table.notes:
                self._doubt(sheet, *note)
        self.written: dict[str, date] = {}
        self.last_day: date | None = None
        self.no_year = False
        self.undated: dict[int, str] = {}
        self.evening = 0
        self.before = ([""], 0)
        self.totals: list[NotebookRow] = []
        self.seen = {*people.names}

    def _columns(self, sheet: int) -> list[Column]:
        found = columns(self.tables[sheet], self.decimal, self.people)
        if any(self.own) and not self.own[sheet]:  # the standings beside our own deals
            return [{"head": column["head"], "use": Use.NONE} for column in found]
        return found

    def _answer(self, given: Any) -> None:
        """Read the answers; raise InvalidError with each that names what is not there."""
        wrong: list[str] = []

        def read(name: str, reader: Callable[..., Any], *values: Any) -> Any:
            try:
                return None if None in values else reader(*values)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError):
                wrong.append(name)

        given = read("answers", lambda given: {**given}, given) or {}
        self.kind = read("row", RowKind, given.pop("row", None))
        self.day = read("day", date.fromisoformat, given.pop("day", None))
        self.order = read("order", ORDERS.index, given.pop("order", None))
        self.said_totals = read("totals", set, given.pop("totals", None)) or set()
        days = read("days", dict, given.pop("days", None)) or {}
        self.days = {at: read(f"days.{at}", date.fromisoformat, day) for at, day in days.items()}
        of_columns = read("columns", dict, given.pop("columns", None)) or {}
        for sheet, of_sheet in of_columns.items():
            for place, answer in (read(f"columns.{sheet}", dict, of_sheet) or {}).items():
                read(f"columns.{sheet}.{place}", self._answer_column, sheet, place, answer)
        if given:
            wrong.append("answers")
        refuse(map(_not_there, wrong))

    def _answer_column(self, sheet: str, place: str, answer: Any) -> None:
        """Answer what a column is; raise ValueError and others for what is not there."""
        use, found, number = Use(answer["use"]), self.columns[int(sheet)], int(place)
        column = found[number]
        if min(int(sheet), number) < 0:
            raise IndexError
        found[number] = {**column, "use": use}
        found[number].pop("person", None)
        if use is Use.PERSON:
            head = column["head"]
            person = str(answer.get("person") or head).strip()
            known = self.people.exact(person)
            heads = self.tables[int(sheet)].heads
            if not person or not (known or not self.people.names or not head or person in heads):
                raise ValueError(person)
            found[number]["person"] = known or person

    def notebook(self) -> dict[str, Any]:
        is_order_open = self._settle_order()
        rows = [row for sheet in range(len(self.tables)) for row in self._rows(sheet)]
        groups = [self._groups(total, rows) for total in self.totals]
        told = [kinds_told(*pair) for pair in zip(self.totals, groups, strict=True)]
        kind = self.kind or self._row_kind(rows, told)
        lacks_day = any(not self.days.get(place) for place in self.undated.values())
        is_open = [
            *([] if kind else ["row"]),
            *(
                f"sheets[{sheet}].columns[{place}]"
                for sheet, found in enumerate(self.columns)
                for place, column in enumerate(found)
                if column["use"] is None
            ),
            *(["order"] if is_order_open else []),
            *(["day"] if (self.no_year or lacks_day) and not self.day else []),
        ]
        sums = list[str]()
        if not any(self.own):
            self._doubt_rows(rows)
            sums += self._doubt_sums(rows, kind)
        for total, of in zip(self.totals, groups, strict=True):
            self._doubt_total(total, of, kind)
        decimals = (_places(f) for row in rows for f in row.figures.values() if f)
        self.scale = max(decimals, default=0)
        finals = {choice: self._whole(final_figures(rows, choice)) for choice in RowKind}
        return {
            "sheets": [
                {
                    "name": name,
                    "rows": sum(not line.is_total for line in table.lines),
                    "columns": found,
                }
                for name, table, found in zip(self.names, self.tables, self.columns, strict=True)
            ],
            "row": kind,
            "finals": None if kind else finals,
            "readings": finals,
            "counts": {choice: len({*evening_keys(rows, choice)}) for choice in RowKind},
            "open": is_open,
            "evenings": None if is_open or not kind else [*self._evenings(rows, kind)],
            "doubts": sorted(self.doubts, key=lambda at: (at["sheet"], at["row"]))[:MOST_DOUBTS],
            "lines": [[(line.number, line.cells) for line in table.lines] for table in self.tables],
            "days": {written: day.isoformat() for written, day in self.written.items()},
            "no_year": self.no_year,
            "undated": [*self.undated.values()],
            "sums": sums,
            "unit": str(Decimal(1).scaleb(-self.scale)),
            "cancels": not any(sum(paid.values()) for paid in paid_by_row(rows, RowKind.DEAL)),
        }

    def _settle_order(self) -> bool:
        """Find the order of day and month; return whether it is open."""
        cells = [*self.names]
        for table, found in zip(self.tables, self.columns, strict=True):
            cells += [block.caption for block in table.blocks]
            for place, column in enumerate(found):
                if column["use"] is Use.WHEN:
                    cells += table.column(place)
                elif column["use"] is Use.POINTS:
                    cells.append(column["head"])
        parts = {numbers for cell in cells if (numbers := first_parts(cell))}
        forced = [any(numbers[of] > MONTHS for numbers in parts) for of in range(len(ORDERS))]
        if self.order is not None and forced[1 - self.order]:
            refuse([_not_there("order")])
        self.month_first = forced == [False, True] if self.order is None else self.order == 1
        return self.order is None and not any(forced) and any(a != b for a, b in parts)

    def _place(self, sheet: int, use: Use) -> int | None:
        uses = [column["use"] for column in self.columns[sheet]]
        return uses.index(use) if use in uses else None

    def _read_day(self, text: str, *, alone: bool = False) -> date | None:
        """Read a day; without a year it is that nearest to the day before, or to the answer."""
        written = read_day(text, month_first=self.month_first, alone=alone)
        if written is None:
            return None
        near = self.last_day or self.day
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

    def _rows(self, sheet: int) -> list[NotebookRow]:
        """Return the rows of a sheet that can be read; the others wait, with a doubt."""
        table, name = self.tables[sheet], read_day(self.names[sheet], alone=False)
        day = self._read_day(self.names[sheet]) if name and name.year else None
        when, rows = self._place(sheet, Use.WHEN), list[NotebookRow]()
        for place, block in enumerate(table.blocks):
            own_day = self._read_day(block.caption)
            self.evening += place == 0 or bool(block.is_headed and (own_day or day is None))
            day, title = own_day or day, "" if own_day else block.caption
            for line in block.lines:
                is_total = line.is_total or f"{sheet}.{line.number}" in self.said_totals
                if when is not None and not is_total and (cell := line.cells[when]):
                    found = self._read_day(cell)
                    if found is None:
                        self._doubt(sheet, line.number, say("“%(cell)s” is not a day.", cell=cell))
                        day = None if any(line.cells[when + 1 :]) else day
                        continue
                    day = found
                self._ask_day(sheet, line, day or is_total)
                made = self._rows_of(sheet, line, day, title)
                if made and line.is_below:  # totals by their figures, or as the last row
                    above = [row for row in rows if row.evening == self.evening]
                    is_last = bool(above) and line is table.lines[-1]
                    is_total = is_total or is_last or bool(kinds_told(made[0], [above]))
                (self.totals if is_total else rows).extend(made)
        on_top = len(rows) > 1 and any(line.is_below for line in table.lines[:2])
        if on_top and agrees(rows[0], rows[1:], RowKind.DEAL):
            self.totals.append(rows.pop(0))
        return rows if self._place(sheet, Use.WHO) is None else joined_rows(rows)

    def _rows_of(
        self, sheet: int, line: TextLine, day: date | None, title: str
    ) -> list[NotebookRow]:
        """Return the rows of a line: one, or one for each column of points."""
        number = None
        if self.own[sheet]:
            title, number = line.cells[1], int(read_figure(line.cells[3]) or 0)
            before, self.before = self.before, (line.cells[:3], number)
            self.evening += before[0] != line.cells[:3] or number <= before[1]
        days = [*self._parts(sheet, line, day)]
        parts = [(on, self._figures(sheet, line, pairs)) for on, pairs in days]
        if any(figures is None for _, figures in parts):
            return []
        of = (sheet, line.number, self.evening)
        title = "" if is_day(title) else title[:LONGEST_TITLE]
        whole = ((on, figures) for on, figures in parts if figures)
        return [NotebookRow(*of, on, figures, title, number == 0) for on, figures in whole]

    def _parts(
        self, sheet: int, line: TextLine, day: date | None
    ) -> Iterator[tuple[date | None, list[tuple[str, str]]]]:
        """Yield a day and the cells by name: of a whole row, or of each column of points."""
        cells = [*zip(self.columns[sheet], line.cells, strict=True)]
        if any(folded(column["head"]) in VOIDED and cell for column, cell in cells):
            return
        who = self._place(sheet, Use.WHO)
        if who is None:
            yield day, [(of["person"], cell) for of, cell in cells if of["use"] is Use.PERSON]
        elif (name := line.cells[who]) and not line.is_total:
            known = self.people.exact(name)
            if not known and name not in self.seen and (near := self.people.near(name)):
                message = say(
                    "Is “%(name)s” %(near)s? As it is written, it is somebody new.",
                    name=name,
                    near=near[0],
                )
                self._doubt(sheet, line.number, message)
            self.seen.add(name)
            for column, cell in cells:
                if column["use"] is Use.POINTS and cell:
                    yield self._read_day(column["head"], alone=True) or day, [(known or name, cell)]

    def _figures(
        self, sheet: int, line: TextLine, pairs: Sequence[tuple[str, str]]
    ) -> dict[str, Decimal | None] | None:
        """Read the figures of a row; None if a cell is none. A blank cell is who did not play."""
        figures: dict[str, Decimal | None] = {}
        for person, cell in pairs:
            people = [person] if person in self.people.names else person.split(" & ")
            if not cell:
                figures |= dict.fromkeys(people)
            elif not is_absent(cell):
                figure = read_figure(cell, self.decimal)
                if figure is None or _places(figure) > MOST_DECIMALS:
                    message = say("“%(cell)s” is not a figure: the row waits.", cell=cell)
                    self._doubt(sheet, line.number, message)
                    return None
                figures |= dict.fromkeys(people, figure)
        if sum(figure is not None for figure in figures.values()) == 1 and not self.own[sheet]:
            return figures
        return {name: figure for name, figure in figures.items() if figure is not None}

    def _ask_day(self, sheet: int, line: TextLine, day: object) -> None:
        """Ask for the day of a block whose first row with figures has none."""
        figures = {None, Use.PERSON, Use.POINTS}
        of = zip(self.columns[sheet], line.cells, strict=True)
        filled = (column for column, cell in of if cell and column["use"] in figures)
        if not day and not all(read_day(column["head"]) for column in filled):
            self.undated.setdefault(self.evening, f"{sheet}.{line.number}")

    def _groups(self, total: NotebookRow, rows: Rows) -> list[Rows]:
        """Return what totals may be of: rows since the last totals, of the evening, the sheet."""
        sheet = [row for row in rows if row.sheet == total.sheet]
        evening = [row for row in sheet if row.evening == total.evening]
        before = [one.number for one in self.totals if one.evening == total.evening]
        last = max((number for number in before if number < total.number), default=0)
        since = [row for row in evening if last < row.number < total.number]
        return [since, evening, sheet, [row for row in sheet if row.number < total.number]]

    def _row_kind(self, rows: Rows, told: Sequence[set[RowKind]]) -> RowKind | None:
        """Return what a row is where totals and days leave one meaning."""
        if any(self.own):
            return RowKind.DEAL
        days = Counter((row.sheet, row.day) for row in rows if row.day)
        kinds = {*RowKind} - ({RowKind.EVENING} if any(n > 1 for n in days.values()) else set())
        clear = {kind for found in told if len(found) == 1 for kind in found}
        if clear == {RowKind.RUNNING}:
            return RowKind.RUNNING
        kinds -= {RowKind.RUNNING} if clear == {RowKind.DEAL} else set()
        return kinds.pop() if len(kinds) == 1 else None

    def _doubt_total(
        self, total: NotebookRow, groups: Sequence[Rows], kind: RowKind | None
    ) -> None:
        """Point at totals that the rows don't come to, whatever a row is or as it was answered."""
        told = kinds_told(total, groups)
        wanted = RowKind.RUNNING if kind is RowKind.RUNNING else RowKind.DEAL
        if wanted in told or (told and kind is None):
            return
        sums = final_figures(next(filter(None, groups), []), wanted)
        for name, figure in total.figures.items():
            if sums and figure is not None and figure != sums.get(name, NOTHING):
                values = {"total": _said(figure), "sum": _said(sums.get(name, NOTHING))}
                self._doubt(total.sheet, total.number, say(OTHER_TOTAL, name=name, **values))

    def _doubt_rows(self, rows: Rows) -> None:
        """Point at rows that don't cancel among others that do."""
        left = [sum(paid.values()) for paid in paid_by_row(rows, RowKind.DEAL)]
        for row, figure in zip(rows, left, strict=True):
            if figure and left.count(0) * 2 > len(left):
                message = say("This row doesn’t cancel: it comes to %(sum)s.", sum=_said(figure))
                self._doubt(row.sheet, row.number, message)

    def _doubt_sums(self, rows: Rows, kind: RowKind | None) -> Iterator[str]:
        """Point at sums without a label, and at days that go on from another; yield those sums."""
        labelled = {total.evening for total in self.totals}
        for number, evening in groupby(rows, lambda row: row.evening):
            sums, above, before = dict[str, Decimal](), 0, 0
            for _, day in groupby(evening, lambda row: row.day):
                *others, last = day
                if before > 1 and kind is RowKind.RUNNING:
                    first = [*others, last][0]
                    self._doubt(first.sheet, first.number, GOES_ON)
                of_day = final_figures(others, RowKind.DEAL)
                sums = added([sums, of_day])
                above, before = above + len(others), len(others) + 1
                found = [of_day] * (before > 2) + [sums] * (above > 1)
                if number not in labelled and any(equals(last, figures) for figures in found):
                    self._doubt(last.sheet, last.number, IS_SUM)
                    yield f"{last.sheet}.{last.number}"
                sums = added([sums, *paid_by_row([last], RowKind.DEAL)])
                above += 1

    def _evenings(self, rows: Rows, kind: RowKind) -> Iterator[dict[str, Any]]:
        made: dict[object, list[tuple[NotebookRow, dict[str, int]]]] = {}
        paid = paid_by_row(rows, kind)
        for key, row, figures in zip(evening_keys(rows, kind), rows, paid, strict=True):
            made.setdefault(key, []).append((row, self._whole(figures)))
        for group in made.values():
            first = group[0][0]
            day = first.day or self.days.get(self.undated.get(first.evening)) or self.day
            deals = [paid for row, paid in group if not row.is_opening]
            if deals and day:
                totals = added(paid for _, paid in group)
                opening = next((paid for row, paid in group if row.is_opening), {})
                more = {"title": first.title, "opening": opening}
                evening = {"day": day.isoformat(), "names": [*totals], "deals": deals}
                yield evening | {"totals": totals} | {name: of for name, of in more.items() if of}

    def _whole(self, figures: Mapping[str, Decimal]) -> dict[str, int]:
        """Return figures in the unit of their last decimal."""
        return {name: int(figure.scaleb(self.scale)) for name, figure in figures.items()}


def _not_there(name: str) -> Problem:
    return Problem("unknown-answer", name, say("There is no such column, person or choice."))


def _decimal(cells: Sequence[str]) -> str:
    """Return the decimal separator of most figures; a comma where none has decimals."""
    points = sum(bool(POINT_DECIMALS.search(cell)) and not is_day(cell) for cell in cells)
    commas = sum(bool(COMMA_DECIMALS.search(cell)) and not is_day(cell) for cell in cells)
    return "." if points > commas else ","


def _places(figure: Decimal) -> int:
    """Count the decimals of a figure."""
    return next((count for count in range(MOST_DECIMALS + 1) if figure.scaleb(count) % 1 == 0), 9)


def _said(figure: Decimal) -> str:
    return f"{figure:+}".replace("-", MINUS) if figure % 1 else signed(int(figure))
