"""Guess what the columns of a notebook are, from their heads and cells.

The guess is a `Plan`, which people check and correct before the table is read by it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise, zip_longest

from scorer.notebooks.cells import first_parts, folded, is_absent, read_day, read_figure
from scorer.notebooks.tables import SIGMA, CellTable, Line

#: Running totals: the sum of the changes from row to row is below this part of the sum of sizes.
CALM = Decimal("0.6")
#: Running totals grow to more than so many times those of the first row.
GROWN = Decimal("1.5")
#: Running totals are not guessed from fewer rows.
FEW = 4
POINT_DECIMALS = re.compile(r"(?<![0-9.,])[0-9]+\.[0-9]{1,2}(?![0-9.,])|[0-9],[0-9]{3}\.")
COMMA_DECIMALS = re.compile(r"[0-9],[0-9]{1,2}(?![0-9])|[0-9]\.[0-9]{3},")


class ColumnRole(StrEnum):
    """The content of a column."""

    NOTHING = ""
    PLAYER = "player"
    DAY = "day"
    TITLE = "title"
    NUMBER = "number"
    VOIDED = "voided"
    CALLER = "caller"
    BID = "bid"
    CARD = "card"
    PARTNER = "partner"
    POINTS = "points"
    RESULT = "result"


class RowKind(StrEnum):
    """The meaning of a row."""

    DEALS = "deals"
    EVENINGS = "evenings"


#: The heads by which a column is known, in Italian, English and German.
HEADS: dict[ColumnRole, frozenset[str]] = {
    ColumnRole.DAY: frozenset({"data", "date", "giorno", "day", "datum", "quando", "when", "tag"}),
    ColumnRole.TITLE: frozenset({"evening", "serata", "abend", "title", "titolo", "session"}),
    ColumnRole.NUMBER: frozenset(
        {"n", "nr", "no", "num", "numero", "number", "#", "mano", "smazzata", "deal", "giro"}
        | {"partita", "round", "runde", "spiel", "game no", "hand"}
    ),
    ColumnRole.VOIDED: frozenset({"voided", "annullata"}),
    ColumnRole.CALLER: frozenset(
        {"caller", "chiamante", "chi chiama", "chiama", "chi", "chiamato da"}
    ),
    ColumnRole.BID: frozenset({"bid", "chiamata", "offerta", "a quanto", "puntata", "asta"}),
    ColumnRole.CARD: frozenset({"called card", "carta chiamata", "carta", "card"}),
    ColumnRole.PARTNER: frozenset({"partner", "socio", "socia", "compagno", "compagna", "con"}),
    ColumnRole.POINTS: frozenset(
        {"points", "punti", "card points", "punti fatti", "punti chiamante", "fatti"}
        | {"card points of the caller's side", "punti del chiamante e del socio"}
    ),
    ColumnRole.RESULT: frozenset(
        {"result", "esito", "made", "fatta", "risultato", "made or missed", "fatta o persa"}
    ),
}
#: Heads of columns that are ignored, though there may be figures in them.
IGNORED = frozenset(
    {"totale", "total", "tot", "somma", "sum", "check", "controllo", "note", "notes", "ora", "time"}
    | {"luogo", "place", "mazziere", "dealer", "outcome", "game", "gioco", "gesamt", "summe"}
    | {"controllo somma", "stake", "posta", "piatto", "pot", SIGMA, "zone", "fuso orario"}
)
#: Behind the name of a player: the head of a column of balances, which are derived.
BALANCE = re.compile(rf"\s(?:{SIGMA}|saldo|balance|totale|tot|total|progressivo|gesamt)$")
FIGURES = re.compile(r"\s(?:punti|points|pts|pt|mano|parziale|punkte|\+/-)$")
FORMULA = re.compile(r"'(?=\s*[=+\-@\t\r\n])")
OF_CHIAMATA = (ColumnRole.CALLER, ColumnRole.BID, ColumnRole.PARTNER)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a table is to be read: the role of each column, and the names of the players.

    ``decimal`` is the decimal separator; ``month_first`` reads 3/12 as 12 March.
    """

    roles: tuple[ColumnRole, ...]
    names: tuple[str, ...]
    rows: RowKind = RowKind.DEALS
    running: bool = False
    month_first: bool = False
    decimal: str = ","

    def places(self, role: ColumnRole) -> list[int]:
        return [place for place, assigned in enumerate(self.roles) if assigned is role]

    @property
    def lacks_names(self) -> bool:
        """Whether a column of figures has no player yet."""
        return any(not self.names[place] for place in self.places(ColumnRole.PLAYER))

    @property
    def is_chiamata(self) -> bool:
        """Whether there is a column for each answer that a deal of Briscola Chiamata needs."""
        roles = {*self.roles}
        return roles.issuperset(OF_CHIAMATA) and bool(
            roles & {ColumnRole.POINTS, ColumnRole.RESULT}
        )


def guess(table: CellTable) -> Plan:
    cells = [cell for line in table.lines for cell in line.cells if not read_day(cell)]
    points = sum(bool(POINT_DECIMALS.search(cell)) for cell in cells)
    commas = sum(bool(COMMA_DECIMALS.search(cell)) for cell in cells)
    decimal = "." if points > commas else ","
    plan = named(Plan(_roles(table, decimal), ("",) * len(table.heads), decimal=decimal), table)
    parts = [numbers for cell in days_in(table, plan) if (numbers := first_parts(cell))]
    month_first = all(first <= 12 for first, _ in parts)
    plan = replace(plan, month_first=month_first and any(second > 12 for _, second in parts))
    plan = replace(plan, rows=_rows(table, plan))
    return replace(plan, running=running_totals(table, plan) is True)


def named(plan: Plan, table: CellTable) -> Plan:
    """Name the columns of players that have no name yet after their heads."""
    columns = zip(plan.names, table.heads, plan.roles, strict=True)
    names = (
        name or name_of(head) if role is ColumnRole.PLAYER else "" for name, head, role in columns
    )
    return replace(plan, names=tuple(names))


def days_in(table: CellTable, plan: Plan) -> list[str]:
    cells = [cell for place in plan.places(ColumnRole.DAY) for cell in table.column(place)]
    return [*cells, *table.captions]


def name_of(head: str) -> str:
    """Return the name of a player from the head of a column."""
    if head.startswith("'"):
        return FORMULA.sub("", head).strip()
    match = FIGURES.search(folded(head))
    return head[: len(head.rstrip(" .:")) - len(match[0])].strip() if match else head.strip(" :")


def _roles(table: CellTable, decimal: str) -> tuple[ColumnRole, ...]:
    """Guess the roles of the columns; those of Briscola Chiamata only where all are there."""
    guesses = [_role(table, place, decimal) for place in range(len(table.heads))]
    summed = {BALANCE.sub("", folded(head)) for head in table.heads if BALANCE.search(folded(head))}
    if summed:  # only who has a column of balances is a player
        guesses = [
            ColumnRole.NOTHING
            if role is ColumnRole.PLAYER and folded(name_of(head)) not in summed
            else role
            for head, role in zip(table.heads, guesses, strict=True)
        ]
    whole = Plan(tuple(guesses), ()).is_chiamata
    of_one = {*OF_CHIAMATA, ColumnRole.CARD, ColumnRole.POINTS, ColumnRole.RESULT}
    seen: set[ColumnRole] = set()
    roles: list[ColumnRole] = []
    for role in guesses:
        twice = role in seen and role is not ColumnRole.PLAYER
        roles.append(ColumnRole.NOTHING if twice or (role in of_one and not whole) else role)
        seen.add(role)
    return tuple(roles)


def _role(table: CellTable, place: int, decimal: str) -> ColumnRole:
    head, cells = folded(table.heads[place]), table.column(place)
    days = sum(read_day(cell) is not None for cell in cells)
    for role, heads in HEADS.items():
        if head in heads:
            return ColumnRole.DAY if role is ColumnRole.TITLE and days * 2 > len(cells) else role
    if head in IGNORED or BALANCE.search(head):
        return ColumnRole.NOTHING
    if not cells:
        return ColumnRole.PLAYER if head else ColumnRole.NOTHING
    figures = [read_figure(cell, decimal) for cell in cells]
    days_alone = head and days == len(cells) and {*cells} != {"1/2"}
    if days * 2 > len(cells) and (days_alone or any(figure is None for figure in figures)):
        return ColumnRole.DAY
    if not head and len(cells) > 1 and figures == list(range(1, len(cells) + 1)):
        return ColumnRole.NUMBER
    known = sum(
        figure is not None or is_absent(cell) for figure, cell in zip(figures, cells, strict=True)
    )
    some = any(figure is not None for figure in figures)
    return ColumnRole.PLAYER if some and known * 2 >= len(cells) else ColumnRole.NOTHING


def is_day_unsure(cells: Sequence[str]) -> bool:
    """Whether the order of day and month is ambiguous in all of these cells."""
    parts = {numbers for cell in cells if (numbers := first_parts(cell))}
    return any(a != b for a, b in parts) and all(max(numbers) <= 12 for numbers in parts)


def _rows(table: CellTable, plan: Plan) -> RowKind:
    """Guess whether a row is an evening: each has its own day, and no number."""
    days = plan.places(ColumnRole.DAY)
    if not days or plan.places(ColumnRole.NUMBER) or plan.is_chiamata:
        return RowKind.DEALS
    cells = [_day(line.cells[days[0]], plan) for line in table.lines if not line.is_total]
    return RowKind.EVENINGS if all(cells) and len({*cells}) == len(cells) else RowKind.DEALS


def grouped(table: CellTable, plan: Plan) -> list[list[Line]]:
    """Group the rows by evening, with the totals below them.

    A new evening begins with a new section, day or title, and where deal numbers start again.
    """
    groups: list[list[Line]] = []
    before: tuple[object, ...] = ()
    last = 0
    for line in table.lines:
        number = _number(line, plan)
        now = (line.section, *_carried(line, plan, before[1:]))
        alone = plan.rows is RowKind.EVENINGS
        begins = alone or now != before or 0 <= number < last or line.is_below
        if not groups or (not line.is_total and begins):
            groups.append([])
        groups[-1].append(line)
        before, last = (before, last) if line.is_total else (now, max(number, 0))
    return _with_totals(groups, plan)


def _with_totals(groups: list[list[Line]], plan: Plan) -> list[list[Line]]:
    """Mark rows without a label as totals, by their sums or their place.

    A row below a drawn line is a total if it is the sum of the rows above, or the only one there;
    so is the last row of an evening if it is the sum of at least two rows above.
    """
    _mark_top(groups, plan)
    marked: list[list[Line]] = []
    above, count = list[Decimal](), 0
    for lines in groups:
        group = [*lines]
        first, last = group[0], group[-1]
        if first.is_below and marked and not _is_told(first, plan):
            rows = _no_totals(marked[-1])
            alone = len(group) == 1 and len(rows) > 1
            if alone or _is_sum(first, _sums(rows, plan), plan) or _is_sum(first, above, plan):
                marked[-1].append(replace(first, is_total=True))
                del group[0]
        rows = _no_totals(group)[:-1]
        if group and not (plan.running or last.is_total or _is_told(last, plan)):
            evening = _sums(rows, plan)
            for sums, most in ((evening, len(rows)), (_plus(above, evening), count + len(rows))):
                if _is_sum(last, sums, plan):
                    group[-1] = replace(last, is_total=most > 1, is_unsure=True)
        rows = _no_totals(group)
        above, count = _plus(above, _sums(rows, plan)), count + len(rows)
        marked += [group] if group else []
    return marked


def _mark_top(groups: list[list[Line]], plan: Plan) -> None:
    """Mark totals that stand first, below their label or above a drawn line."""
    top = groups[0] if groups else []
    rest = top[1:] if top and top[0].is_below else []
    if len(top) == 1 and groups[1:] and groups[1][0].is_below:
        rest = groups[1]
    if len(rest) > 1 and _is_sum(top[0], _sums(rest, plan), plan):
        top[0] = replace(top[0], is_total=True, is_unsure=True)


def _no_totals(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if not line.is_total]


def _sums(rows: Sequence[Line], plan: Plan) -> list[Decimal]:
    """Add up the rows, player by player; nothing if there are none."""
    columns = zip(*(_figures(row, plan) for row in rows), strict=True)
    return [sum(filter(None, column), Decimal(0)) for column in columns]


def _plus(some: list[Decimal], others: list[Decimal]) -> list[Decimal]:
    return [amount + other for amount, other in zip_longest(some, others, fillvalue=Decimal(0))]


def _is_told(line: Line, plan: Plan) -> bool:
    """Whether a row has a day, title, number or caller, and so is not a total."""
    labels = (ColumnRole.DAY, ColumnRole.TITLE, ColumnRole.NUMBER, ColumnRole.CALLER)
    return any(line.cells[place] for role in labels for place in plan.places(role))


def _is_sum(line: Line, sums: Sequence[Decimal], plan: Plan) -> bool:
    pairs = zip(_figures(line, plan), sums, strict=False)
    same = [figure == total for figure, total in pairs if figure is not None]
    return len(same) > 1 and all(same)


def _number(line: Line, plan: Plan) -> int:
    """Return the number of a deal; -1 where it has none."""
    cells = (line.cells[place] for place in plan.places(ColumnRole.NUMBER))
    figure = read_figure(next(cells, ""), plan.decimal)
    return -1 if figure is None else int(figure)


def _carried(line: Line, plan: Plan, before: tuple[object, ...]) -> tuple[object, ...]:
    """Return the day and title of a row; a blank cell takes those of the row before."""
    days = [_day(line.cells[place], plan) for place in plan.places(ColumnRole.DAY)]
    titles = [line.cells[place] for place in plan.places(ColumnRole.TITLE)]
    above = before or ("",) * len(days + titles)
    return tuple(here or last for here, last in zip((*days, *titles), above, strict=True))


def _day(cell: str, plan: Plan) -> object:
    return read_day(cell, month_first=plan.month_first, alone=False) or cell


def running_totals(table: CellTable, plan: Plan) -> bool | None:
    """Whether figures are running totals, by rows of totals or else by how they change.

    None if they may be, but too few rows decide. Figures beside columns of balances are not.
    """
    if any(BALANCE.search(folded(head)) for head in table.heads):
        return False
    groups = grouped(table, plan)
    if plan.rows is RowKind.EVENINGS:
        groups = [[*table.lines]]
    many, few = [], []
    for group in groups:
        rows = [_figures(line, plan) for line in group if not line.is_total]
        rows = [row for row in rows if any(figure is not None for figure in row)]
        for total in (_figures(line, plan) for line in group if line.is_total):
            running = _told_by(total, rows)
            if running is not None:
                return running
        if rows[1:] and rows[-1] == rows[-2]:
            rows = rows[:-1]  # the last balances once more
        many += [_calm(rows)] if len(rows) >= FEW else []
        few += [_grow(rows)] if 1 < len(rows) < FEW else []
    if many:
        return all(many)
    return None if few and all(few) else False


def _figures(line: Line, plan: Plan) -> list[Decimal | None]:
    return [
        read_figure(line.cells[place], plan.decimal) for place in plan.places(ColumnRole.PLAYER)
    ]


def _columns(rows: list[list[Decimal | None]]) -> list[list[Decimal]]:
    """Return the figures of each player, without blank cells."""
    return [
        [figure for figure in column if figure is not None] for column in zip(*rows, strict=True)
    ]


def _told_by(total: Sequence[Decimal | None], rows: list[list[Decimal | None]]) -> bool | None:
    """Compare totals with rows: True if they repeat the last one, False for sums, else None."""
    if len(rows) < 2 or not any(total):
        return None
    columns = _columns(rows)
    pairs = [pair for pair in zip(total, columns, strict=True) if pair[0] is not None]
    if all(sum(column) == figure for figure, column in pairs):
        return False
    return True if all(column and column[-1] == figure for figure, column in pairs) else None


def _grow(rows: list[list[Decimal | None]]) -> bool:
    """Whether all figures of a player have one sign, and each row is larger than the one above."""
    sizes = [sum((abs(figure) for figure in row if figure), Decimal(0)) for row in rows]
    sided = all(len({figure > 0 for figure in column if figure}) < 2 for column in _columns(rows))
    return sided and all(size < after for size, after in pairwise(sizes))


def _calm(rows: list[list[Decimal | None]]) -> bool:
    """Whether figures look like running totals: no row repeats the one before, and they grow.

    Without negative figures, totals never fall; with them, they change little.
    """
    sizes = [sum((abs(figure) for figure in row if figure), Decimal(0)) for row in rows]
    if any(row == after for row, after in pairwise(rows)) or max(sizes) <= GROWN * sizes[0]:
        return False
    columns = _columns(rows)
    steps = [
        [after - before for before, after in pairwise([Decimal(0), *column])] for column in columns
    ]
    if all(figure >= 0 for column in columns for figure in column):
        return all(step >= 0 for column in steps for step in column)
    moved = sum(abs(step) for column in steps for step in column)
    return bool(moved < CALM * sum(sizes))
