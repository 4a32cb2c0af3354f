"""What the columns of a notebook are, as far as their heads and cells tell.

The guess is a `Plan`: people look at it, correct it, and the table is read by it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from scorer.notebooks.cells import first_parts, folded, is_absent, read_day, read_figure
from scorer.notebooks.tables import SIGMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer.notebooks.tables import Line, Table

#: Running totals change less from row to row than they are big: below this part they are taken
#: for such.
CALM = Decimal("0.6")
#: Running totals grow to more than so many times those of the first row.
GROWN = Decimal("1.5")
#: Fewer rows don't tell.
FEW = 4
POINT_DECIMALS = re.compile(r"(?<![0-9.,])[0-9]+\.[0-9]{1,2}(?![0-9.,])|[0-9],[0-9]{3}\.")
COMMA_DECIMALS = re.compile(r"[0-9],[0-9]{1,2}(?![0-9])|[0-9]\.[0-9]{3},")


class Role(StrEnum):
    """What a column has."""

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


class Rows(StrEnum):
    """What a row is."""

    DEALS = "deals"
    EVENINGS = "evenings"


#: The heads by which a column is known, in Italian, English and German.
HEADS: dict[Role, frozenset[str]] = {
    Role.DAY: frozenset({"data", "date", "giorno", "day", "datum", "quando", "when", "tag"}),
    Role.TITLE: frozenset({"evening", "serata", "abend", "title", "titolo", "session"}),
    Role.NUMBER: frozenset(
        {"n", "nr", "no", "num", "numero", "number", "#", "mano", "smazzata", "deal", "giro"}
        | {"partita", "round", "runde", "spiel", "game no", "hand"}
    ),
    Role.VOIDED: frozenset({"voided", "annullata"}),
    Role.CALLER: frozenset({"caller", "chiamante", "chi chiama", "chiama", "chi", "chiamato da"}),
    Role.BID: frozenset({"bid", "chiamata", "offerta", "a quanto", "puntata", "asta"}),
    Role.CARD: frozenset({"called card", "carta chiamata", "carta", "card"}),
    Role.PARTNER: frozenset({"partner", "socio", "socia", "compagno", "compagna", "con"}),
    Role.POINTS: frozenset(
        {"points", "punti", "card points", "punti fatti", "punti chiamante", "fatti"}
        | {"card points of the caller's side", "punti del chiamante e del socio"}
    ),
    Role.RESULT: frozenset(
        {"result", "esito", "made", "fatta", "risultato", "made or missed", "fatta o persa"}
    ),
}
#: What is in no need of being read, though there may be figures in it.
IGNORED = frozenset(
    {"totale", "total", "tot", "somma", "sum", "check", "controllo", "note", "notes", "ora", "time"}
    | {"luogo", "place", "mazziere", "dealer", "outcome", "game", "gioco", "gesamt", "summe"}
    | {"controllo somma", "stake", "posta", "piatto", "pot", SIGMA, "zone", "fuso orario"}
)
#: Behind the name of a player: a balance, which follows from the figures.
BALANCE = re.compile(rf"\s(?:{SIGMA}|saldo|balance|totale|tot|total|progressivo|gesamt)$")
FIGURES = re.compile(r"\s(?:punti|points|pts|pt|mano|parziale|punkte|\+/-)$")
FORMULA = re.compile(r"'(?=\s*[=+\-@\t\r\n])")
OF_CHIAMATA = (Role.CALLER, Role.BID, Role.PARTNER)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a table is to be read: by column what it has, and the names of the players.

    ``decimal`` is the sign before decimals; ``month_first`` reads 3/12 as 12 March.
    """

    roles: tuple[Role, ...]
    names: tuple[str, ...]
    rows: Rows = Rows.DEALS
    running: bool = False
    month_first: bool = False
    decimal: str = ","

    def places(self, role: Role) -> list[int]:
        """List the columns of a role."""
        return [place for place, one in enumerate(self.roles) if one is role]

    @property
    def lacks_names(self) -> bool:
        """Whether nobody has said whose the figures of a column are."""
        return any(not self.names[place] for place in self.places(Role.PLAYER))

    @property
    def is_chiamata(self) -> bool:
        """Whether there is a column of everything that a deal of Briscola Chiamata needs."""
        told = {*self.roles}
        return told.issuperset(OF_CHIAMATA) and bool(told & {Role.POINTS, Role.RESULT})


def guess(table: Table) -> Plan:
    """Guess how a table is to be read."""
    decimal = _decimal(table)
    roles = _roles(table, decimal)
    names = tuple(
        name_of(head) if role is Role.PLAYER else ""
        for head, role in zip(table.heads, roles, strict=True)
    )
    days = [place for place, role in enumerate(roles) if role is Role.DAY]
    written = [cell for place in days for cell in table.column(place)] + list(table.captions)
    plan = Plan(roles, names, month_first=_month_first(written), decimal=decimal)
    plan = replace(plan, rows=_rows(table, plan))
    return replace(plan, running=_running(table, plan))


def name_of(head: str) -> str:
    """Give the name of a player as it stands in the head of a column."""
    return FORMULA.sub("", head).strip() if head.startswith("'") else _bare(head)


def _bare(head: str) -> str:
    match = FIGURES.search(folded(head))
    return head[: len(head.rstrip(" .:")) - len(match[0])].strip() if match else head.strip(" :")


def _decimal(table: Table) -> str:
    """Tell which sign stands before decimals: the comma, unless points alone do."""
    cells = [cell for line in table.lines for cell in line.cells if not read_day(cell)]
    points = sum(bool(POINT_DECIMALS.search(cell)) for cell in cells)
    commas = sum(bool(COMMA_DECIMALS.search(cell)) for cell in cells)
    return "." if points > commas else ","


def _roles(table: Table, decimal: str) -> tuple[Role, ...]:
    """Tell what the columns have; the heads of Briscola Chiamata count where all of it is there."""
    found = [_role(table, place, decimal) for place in range(len(table.heads))]
    summed = {BALANCE.sub("", folded(head)) for head in table.heads if BALANCE.search(folded(head))}
    if summed:  # whoever has a column of balances is a player, and nobody else
        found = [
            Role.NOTHING if role is Role.PLAYER and folded(name_of(head)) not in summed else role
            for head, role in zip(table.heads, found, strict=True)
        ]
    whole = Plan(tuple(found), ()).is_chiamata
    of_one = {Role.CALLER, Role.BID, Role.CARD, Role.PARTNER, Role.POINTS, Role.RESULT}
    seen: set[Role] = set()
    roles = []
    for role in found:
        twice = role in seen and role is not Role.PLAYER
        roles.append(Role.NOTHING if twice or (role in of_one and not whole) else role)
        seen.add(role)
    return tuple(roles)


def _role(table: Table, place: int, decimal: str) -> Role:
    head, cells = folded(table.heads[place]), table.column(place)
    days = sum(read_day(cell) is not None for cell in cells)
    for role, heads in HEADS.items():
        if head in heads:
            return Role.DAY if role is Role.TITLE and days * 2 > len(cells) else role
    if head in IGNORED or BALANCE.search(head):
        return Role.NOTHING
    if not cells:
        return Role.PLAYER if head else Role.NOTHING
    figures = [read_figure(cell, decimal) for cell in cells]
    if days * 2 > len(cells) and (head or not all(one is not None for one in figures)):
        return Role.DAY
    if not head and len(cells) > 1 and figures == list(range(1, len(cells) + 1)):
        return Role.NUMBER
    known = sum(
        one is not None or is_absent(cell) for one, cell in zip(figures, cells, strict=True)
    )
    some = any(one is not None for one in figures)
    return Role.PLAYER if some and known * 2 >= len(cells) else Role.NOTHING


def _month_first(cells: Sequence[str]) -> bool:
    """Tell whether the month is written first: some day has a second number beyond 12."""
    parts = [found for cell in cells if (found := first_parts(cell))]
    return any(second > 12 for _, second in parts) and not any(first > 12 for first, _ in parts)


def is_day_unsure(cells: Sequence[str]) -> bool:
    """Whether days in figures could be read either way."""
    parts = {found for cell in cells if (found := first_parts(cell))}
    return any(a != b for a, b in parts) and all(max(found) <= 12 for found in parts)


def _rows(table: Table, plan: Plan) -> Rows:
    """Tell whether a row is an evening: each has a day of its own, and no number."""
    days = plan.places(Role.DAY)
    if not days or plan.places(Role.NUMBER) or plan.is_chiamata:
        return Rows.DEALS
    cells = [_day(line.cells[days[0]], plan) for line in table.lines if not line.is_total]
    return Rows.EVENINGS if all(cells) and len({*cells}) == len(cells) else Rows.DEALS


def grouped(table: Table, plan: Plan) -> list[list[Line]]:
    """Put the rows of each evening together, with the totals below them.

    Another one begins with another section, day or title, and where deals are counted anew.
    """
    found: list[list[Line]] = []
    told: tuple[object, ...] = ()
    last = 0
    for line in table.lines:
        number = _number(line, plan)
        now = (line.section, *_carried(line, plan, told[1:]))
        alone = plan.rows is Rows.EVENINGS
        if not found or (not line.is_total and (alone or now != told or 0 <= number < last)):
            found.append([])
        found[-1].append(line)
        told, last = (told, last) if line.is_total else (now, max(number, 0))
    return found


def _number(line: Line, plan: Plan) -> int:
    """Give the number of a deal; -1 where it has none."""
    cells = (line.cells[place] for place in plan.places(Role.NUMBER))
    figure = read_figure(next(cells, ""), plan.decimal)
    return -1 if figure is None else int(figure)


def _carried(line: Line, plan: Plan, before: tuple[object, ...]) -> tuple[object, ...]:
    """Give the day and the title of a row: those above it where its cells are blank."""
    days = [_day(line.cells[place], plan) for place in plan.places(Role.DAY)]
    titles = [line.cells[place] for place in plan.places(Role.TITLE)]
    above = before or ("",) * len(days + titles)
    return tuple(here or last for here, last in zip((*days, *titles), above, strict=True))


def _day(cell: str, plan: Plan) -> object:
    """Give a day, however it is written; what is none as it stands."""
    return read_day(cell, month_first=plan.month_first, alone=False) or cell


def _running(table: Table, plan: Plan) -> bool:
    """Tell running totals from single figures: by the totals, or else by how calm they are.

    Where balances stand beside them, the figures are single.
    """
    if any(BALANCE.search(folded(head)) for head in table.heads):
        return False
    groups = grouped(table, plan)
    if plan.rows is Rows.EVENINGS:
        groups = [[*table.lines]]
    calm = []
    for group in groups:
        rows = [_figures(line, plan) for line in group if not line.is_total]
        rows = [row for row in rows if any(one is not None for one in row)]
        for total in (_figures(line, plan) for line in group if line.is_total):
            told = _told_by(total, rows)
            if told is not None:
                return told
        calm += [_calm(rows)] if len(rows) >= FEW else []
    return bool(calm) and all(calm)


def _figures(line: Line, plan: Plan) -> list[Decimal | None]:
    return [read_figure(line.cells[place], plan.decimal) for place in plan.places(Role.PLAYER)]


def _told_by(total: Sequence[Decimal | None], rows: list[list[Decimal | None]]) -> bool | None:
    """Say what a line of totals tells: the last figures again, their sum, or neither."""
    if len(rows) < 2 or not any(total):
        return None
    columns = [[one for one in column if one is not None] for column in zip(*rows, strict=True)]
    pairs = [(told, one) for told, one in zip(total, columns, strict=True) if told is not None]
    if all(sum(one) == told for told, one in pairs):
        return False
    return True if all(one and one[-1] == told for told, one in pairs) else None


def _calm(rows: list[list[Decimal | None]]) -> bool:
    """Whether figures look like running totals: no two rows are the same, and they grow.

    Where nobody ever loses anything, totals never fall; elsewhere they move little.
    """
    sizes = [sum((abs(one) for one in row if one), Decimal(0)) for row in rows]
    if any(one == after for one, after in pairwise(rows)) or max(sizes) <= GROWN * sizes[0]:
        return False
    columns = [[one for one in column if one is not None] for column in zip(*rows, strict=True)]
    steps = [[after - before for before, after in pairwise([Decimal(0), *one])] for one in columns]
    if all(one >= 0 for column in columns for one in column):
        return all(step >= 0 for column in steps for step in column)
    moved = sum(abs(step) for column in steps for step in column)
    return bool(moved < CALM * sum(sizes))
