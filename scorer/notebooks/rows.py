"""Rows of a notebook with their figures, and what they come to in each meaning of a row."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum

from scorer.ledger.money import added

NOTHING = Decimal(0)


class RowKind(StrEnum):
    """The meaning of a row: a deal, the sum of an evening, where everybody stood after it."""

    DEAL = "deal"
    EVENING = "evening"
    RUNNING = "running"


#: What a line of totals can tell: rows that it is the sum of, or of which it repeats the last.
KINDS = (RowKind.DEAL, RowKind.RUNNING)


@dataclass(frozen=True, slots=True)
class NotebookRow:
    """A row that was understood; ``evening`` numbers blocks with a day or a head of their own.

    Beside a single figure who is blank has None: nothing changed for them.
    """

    sheet: int
    number: int
    evening: int
    day: date | None
    figures: dict[str, Decimal | None]
    title: str = ""
    is_opening: bool = False


Rows = Sequence[NotebookRow]


def evening_keys(rows: Rows, kind: RowKind) -> list[object]:
    """Return what the rows of one evening share."""
    if kind is RowKind.EVENING:
        return [*range(len(rows))]
    return [(row.evening, row.day) for row in rows]


def joined_rows(rows: Rows) -> list[NotebookRow]:
    """Join the lines of a table with a line for each person: somebody's next begins a row."""
    made: dict[tuple[int, date | None, int], NotebookRow] = {}
    counts: Counter[tuple[int, date | None, str]] = Counter()
    for row in rows:
        for name, figure in row.figures.items():
            place = row.evening, row.day, counts[row.evening, row.day, name]
            counts[row.evening, row.day, name] += 1
            made.setdefault(place, replace(row, figures={})).figures[name] = figure
    return [*made.values()]


def paid_by_row(rows: Rows, kind: RowKind) -> list[dict[str, Decimal]]:
    """Return what each row paid: differences, where rows say where everybody stood after it."""
    stood: dict[tuple[int, str], Decimal] = {}
    made = []
    for row in rows:
        paid = {}
        for name, figure in row.figures.items():
            before = stood.get((row.evening, name), NOTHING)
            now = before if figure is None else figure
            paid[name] = now - before
            if kind is RowKind.RUNNING:
                stood[row.evening, name] = now
        made.append(paid)
    return made


def final_figures(rows: Rows, kind: RowKind) -> dict[str, Decimal]:
    """Return everybody's figures after the last row."""
    return added(paid_by_row(rows, kind))


def kinds_told(total: NotebookRow, groups: Sequence[Rows]) -> set[RowKind]:
    """Return what a row is by totals: a deal if they are its sum, running if they repeat it."""
    return {kind for kind in KINDS if any(agrees(total, group, kind) for group in groups)}


def agrees(total: NotebookRow, rows: Rows, kind: RowKind) -> bool:
    """Whether totals are what at least two rows come to."""
    return len(rows) > 1 and equals(total, final_figures(rows, kind))


def equals(total: NotebookRow, finals: Mapping[str, Decimal]) -> bool:
    """Whether totals are these figures, as far as they name people."""
    figures = total.figures.items()
    return all(figure is None or finals.get(name) == figure for name, figure in figures)
