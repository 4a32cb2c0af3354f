"""Read the rows of a table by a plan into evenings and doubts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from scorer.notebooks.cells import (
    CROSSES,
    folded,
    is_absent,
    on_calendar,
    plain,
    read_day,
    read_figure,
)
from scorer.notebooks.guessing import ColumnRole, Plan, RowKind, grouped, name_of, running_totals
from scorer.notebooks.tables import CellTable, Line
from scorer.texts import Text, say, signed

MAY_RUN = say(
    "These figures may be balances so far, and too few rows tell: look whether they are right."
)
IS_SUM = say("This row is the sum of the others: no deal. If it is one, number the rows.")
MAY_BE_SUM = say("This row repeats the one above: if it is the total, write so in front.")
#: Figures with more decimals are rejected.
MOST_DECIMALS = 2
LONGEST_TITLE = 80
MADE = {
    **dict.fromkeys(("fatta", "made", "si", "yes", "vinta", "won", "ok", "v", "1", "+"), True),
    **dict.fromkeys(("persa", "missed", "no", "lost", "ko", "0", "-"), False),
}
ALONE = frozenset({"", "-", "–", "solo", "sola", "alone", "in mano", "no partner", "senza socio"})
#: A prefix of a name has at least so many letters.
SHORTEST_PREFIX = 3


class Doubt(NamedTuple):
    """A doubt about a row of the text: it is odd, or was not understood."""

    row: int
    text: Text


@dataclass(frozen=True, slots=True)
class NotebookCall:
    """A call as it is written: no ``partner`` if alone, no ``points`` with only the result."""

    caller: str
    bid: str
    partner: str | None
    card: str
    points: int | None
    made: bool | None


@dataclass(frozen=True, slots=True)
class NotebookDeal:
    """A row that was understood: figures by player, and the call, if there is one."""

    row: int
    figures: dict[str, int]
    called: NotebookCall | None = None


@dataclass(frozen=True, slots=True)
class NotebookEvening:
    """An evening of the notebook: its ``day`` if given, and the balances brought in."""

    day: date | None
    title: str
    deals: tuple[NotebookDeal, ...]
    opening: dict[str, int]

    @property
    def players(self) -> list[str]:
        """Return all players: those of the columns, then those named in the rows."""
        names = [*self.opening]
        for deal in self.deals:
            called = (deal.called.caller, deal.called.partner) if deal.called else ()
            names += [*deal.figures, *filter(None, called)]
        return [*dict.fromkeys(names)]


@dataclass(frozen=True, slots=True)
class Notebook:
    """The evenings of a table in multiples of ``unit``; ``cancels`` if every row sums to 0."""

    evenings: tuple[NotebookEvening, ...]
    doubts: tuple[Doubt, ...]
    unit: Decimal
    cancels: bool


def read_notebook(table: CellTable, plan: Plan, today: date, known: Sequence[str] = ()) -> Notebook:
    """Read a table by a plan; days without a year are the last such days before ``today``.

    Callers and partners are matched with the players of the columns, and with those ``known``.
    """
    columns = [name for column in plan.names for name in partners(column)]
    cells = [line.cells[at] for at in plan.places(ColumnRole.PLAYER) for line in table.lines]
    figures = [read_figure(cell, plan.decimal) for cell in cells]
    counts = [_places(figure) for figure in figures if figure is not None]
    decimals = max((count for count in counts if count <= MOST_DECIMALS), default=0)
    reading = _Reading(plan, today, decimals, [*columns, *known])
    evenings = tuple(reading.evenings(table))
    deals = [deal for evening in evenings for deal in evening.deals if deal.figures]
    sums = [sum(deal.figures.values()) for deal in deals]
    cancels = not any(sums)
    doubts = [*map(Doubt._make, table.notes), *reading.doubts]
    doubts += _of_table(table, plan) if evenings else [Doubt(1, _why_nothing(table, plan))]
    if not cancels and sums.count(0) * 2 > len(sums):
        doubts += [
            Doubt(
                deal.row,
                say(
                    "This row doesn’t cancel: it comes to %(sum)s.", sum=_said(left * reading.unit)
                ),
            )
            for deal, left in zip(deals, sums, strict=True)
            if left
        ]
    return Notebook(
        evenings, tuple(sorted(doubts, key=lambda doubt: doubt.row)), reading.unit, cancels
    )


def _of_table(table: CellTable, plan: Plan) -> Iterator[Doubt]:
    """Report columns of crosses alone, and figures that may be running totals."""
    for place in plan.places(ColumnRole.NOTHING):
        cells = table.column(place)
        if cells and all(folded(cell) in CROSSES for cell in cells):
            message = say("The crosses below “%(name)s” are not read.", name=table.heads[place])
            yield Doubt(1, message)
    for place in plan.places(ColumnRole.PLAYER):
        if not plan.names[place]:
            message = say(
                "The figures in column %(number)s are nobody’s: not read.", number=place + 1
            )
            yield Doubt(1, message)
    if not plan.running and running_totals(table, plan) is None:
        yield Doubt(table.lines[0].number, MAY_RUN)


def _why_nothing(table: CellTable, plan: Plan) -> Text:
    if plan.lacks_names:
        return say("Nothing was read: nobody is named above the figures.")
    if any(folded(cell) in CROSSES for line in table.lines for cell in line.cells):
        return say("Nothing was read: a cross is not a figure. Write the points of each one.")
    return say(
        "Nothing was read: there is no column of figures with a player above, of which each row is "
        "a deal or an evening."
    )


def _places(figure: Decimal) -> int:
    exponent = figure.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _said(amount: Decimal) -> str:
    """Format a figure with its sign, a whole one without decimals."""
    return signed(int(amount)) if amount == int(amount) else f"{amount:+}".replace("-", "−")


class _Reading:
    """The state while rows are read: the last day, totals so far, and doubts."""

    def __init__(self, plan: Plan, today: date, decimals: int, known: Sequence[str]) -> None:
        self.plan, self.today, self.known = plan, today, known
        self.unit = Decimal(1).scaleb(-decimals)
        self.doubts: list[Doubt] = []
        self.last_day: date | None = None
        self.running: dict[str, int] = {}
        self.summed: Counter[str] = Counter()

    def evenings(self, table: CellTable) -> Iterator[NotebookEvening]:
        for group in grouped(table, self.plan):
            if self.plan.rows is RowKind.DEALS:
                self.running = {}
            evening = self._evening(group, table.captions[group[0].section])
            if evening.deals:
                yield evening

    def _evening(self, group: Sequence[Line], caption: str) -> NotebookEvening:
        deals: list[NotebookDeal] = []
        opening: dict[str, int] = {}
        day = self._day(group, caption)
        for line in group:
            if line.is_unsure:
                self._doubt(line.number, IS_SUM if line.is_total else MAY_BE_SUM)
            if line.is_total:
                if not line.is_unsure:
                    self._check_total(line, deals)
            elif self._cell(line, ColumnRole.NUMBER) == "0" and not deals:
                opening = self._figures(line)
            elif not self._cell(line, ColumnRole.VOIDED):
                figures = self._figures(line)
                called = self._called(line) if self.plan.is_chiamata else None
                if figures or called:
                    deals.append(NotebookDeal(line.number, figures, called))
                    self.summed.update(figures)
        titles = (self._cell(line, ColumnRole.TITLE) for line in group)
        title = next(filter(None, titles), "" if read_day(caption) else caption)
        return NotebookEvening(day, name_of(title)[:LONGEST_TITLE], tuple(deals), opening)

    def _cell(self, line: Line, role: ColumnRole) -> str:
        return next((line.cells[place] for place in self.plan.places(role)), "")

    def _day(self, group: Sequence[Line], caption: str) -> date | None:
        cells = [
            (line.number, self._cell(line, ColumnRole.DAY)) for line in group if not line.is_total
        ]
        for row, cell in cells:
            if cell:
                day = self._read_day(cell)
                if day is None:
                    self._doubt(row, say("“%(cell)s” is not a day.", cell=cell))
                return day
        return self._read_day(caption) or (
            self.last_day if self.plan.places(ColumnRole.DAY) else None
        )

    def _read_day(self, text: str) -> date | None:
        parsed = read_day(text, month_first=self.plan.month_first, alone=False)
        if parsed is None:
            return None
        near = self.last_day or self.today
        day = on_calendar(parsed, near.year)
        if parsed.year is None and self.last_day is None and day is not None and day > self.today:
            day = on_calendar(parsed, near.year - 1)
        self.last_day = day or self.last_day
        return day

    def _doubt(self, row: int, text: Text) -> None:
        self.doubts.append(Doubt(row, text))

    def _figures(self, line: Line) -> dict[str, int]:
        """Read the figures of a row; a blank cell is who did not play, or 0 beside one figure."""
        figures: dict[str, int] = {}
        blank: list[str] = []
        for place in self.plan.places(ColumnRole.PLAYER):
            name, cell = self.plan.names[place], line.cells[place]
            figure = self._figure(line.number, cell)
            if figure is not None and name:
                figures |= dict.fromkeys(partners(name), figure)
            elif not cell:
                blank.append(name)
        if len(figures) == 1:
            for name in filter(None, blank):
                same = self.running.get(name, 0) if self.plan.running else 0
                figures |= dict.fromkeys(partners(name), same)
        if not self.plan.running:
            return figures
        single = {name: total - self.running.get(name, 0) for name, total in figures.items()}
        self.running |= figures
        return single

    def _figure(self, row: int, cell: str) -> int | None:
        if not cell or is_absent(cell):
            return None
        figure = read_figure(cell, self.plan.decimal)
        if figure is None or _places(figure) > MOST_DECIMALS:
            self._doubt(row, say("“%(cell)s” is not a figure.", cell=cell))
            return None
        return int(figure / self.unit)

    def _called(self, line: Line) -> NotebookCall | None:
        """Read a deal of Briscola Chiamata; nothing if nobody called."""
        caller, bid = name_of(self._cell(line, ColumnRole.CALLER)), self._cell(line, ColumnRole.BID)
        partner, points = self._cell(line, ColumnRole.PARTNER), self._cell(line, ColumnRole.POINTS)
        if not caller and not bid:
            return None
        card_points = read_figure(points, self.plan.decimal)
        if card_points is not None and card_points != int(card_points):
            card_points = None
        made = MADE.get(folded(self._cell(line, ColumnRole.RESULT)).partition(" ")[0])
        if not caller or not bid or (card_points is None and made is None):
            self._doubt(line.number, say("The caller, the bid or the points are missing."))
            return None
        alone = folded(partner) in ALONE or folded(partner) == folded(caller)
        return NotebookCall(
            caller=match(caller, self.known),
            bid=bid,
            partner=None if alone else match(name_of(partner), self.known),
            card=self._cell(line, ColumnRole.CARD),
            points=None if card_points is None else int(card_points),
            made=made if card_points is None else None,
        )

    def _check_total(self, line: Line, deals: Sequence[NotebookDeal]) -> None:
        """Compare totals with the sums of the evening, or of all rows so far."""
        here: Counter[str] = Counter()
        for deal in deals:
            here.update(deal.figures)
        for place in self.plan.places(ColumnRole.PLAYER):
            name, cell = self.plan.names[place], line.cells[place]
            total = read_figure(cell, self.plan.decimal)
            of = partners(name)[0] if name else ""
            if total is None or int(total / self.unit) in (here[of], self.summed[of]):
                continue
            values = {"name": name, "total": _said(total), "sum": _said(here[of] * self.unit)}
            message = say("The total of %(name)s is %(total)s; the rows come to %(sum)s.", **values)
            self._doubt(line.number, message)


def partners(name: str) -> list[str]:
    """Split the head of a column that partners share: ``Ada & Bea``.

    >>> partners("Ada & Bea")
    ['Ada', 'Bea']
    """
    return [part for part in map(plain, name.split(" & ")) if part] or [name]


def match(name: str, known: Sequence[str]) -> str:
    """Find the known player of a name, ignoring case and accents, or by a unique prefix.

    Names joined by ``&`` are matched one by one; an unknown name is returned as it is.

    >>> match("niccolo & fra", ["Niccolò", "Francesca"])
    'Niccolò & Francesca'
    """
    if " & " in name:
        return " & ".join(match(part, known) for part in name.split(" & "))
    if name in known or not name:
        return name
    wanted = folded(name)
    alike = dict.fromkeys(player for player in known if player and folded(player) == wanted)
    if not alike and len(wanted) >= SHORTEST_PREFIX:
        alike = dict.fromkeys(
            player for player in known if player and folded(player).startswith(wanted)
        )
    return next(iter(alike)) if len(alike) == 1 else name
