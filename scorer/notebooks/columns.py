"""What the columns of a table are, as far as it is certain (contract.md, Old tables).

A column of figures is a person's only by the exact name or nickname, or as one of the largest run
of neighbours whose rows all cancel. Everything nearer than nothing is an offer, never an answer.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from scorer.notebooks.cells import EPOCH, WHOLE, folded, is_absent, read_day, read_figure
from scorer.notebooks.splitting import SIGMA, TOTALS, NotebookTable

#: The first heads of our own exports, in each language.
OWN_HEADS = (["day", "evening", "game", "deal"], ["giorno", "serata", "gioco", "smazzata"])
VOIDED = frozenset({"voided", "annullata"})
NUMBERED = frozenset(
    {"", "n", "nr", "no", "num", "numero", "number", "#", "mano", "smazzata", "deal", "giro"}
    | {"partita", "round", "runde", "spiel", "game", "hand", "turno", "riga", "row", "id", "match"}
    | {"serata", "evening", "abend", "giornata", "session", "game no", "deal no", "hand no"}
)
#: Columns that are checks of the others, and so cancel with them: nobody.
CHECKS = TOTALS | {"check", "controllo", "diff", "differenza", "balance", "progressivo"}
#: A prefix that is offered has at least so many letters; of names spelt otherwise, so much is same.
SHORTEST_PREFIX, ALIKE, MOST_OFFERS = 3, 0.75, 4

#: A column as contract.md has it: ``head``, ``use``, and maybe ``person`` and ``offer``.
Column = dict[str, Any]


class Use(StrEnum):
    """The content of a column."""

    WHEN = "when"
    WHO = "who"
    POINTS = "points"
    PERSON = "person"
    NONE = "none"


class People:
    """The people of the circle, each a name with nicknames."""

    def __init__(self, people: Sequence[Sequence[str]]) -> None:
        self.names = [names[0] for names in people]
        self._by_key: dict[str, dict[str, None]] = {}
        for name, *nicknames in people:
            for written in (name, *filter(None, nicknames)):
                self._by_key.setdefault(name_key(written), {})[name] = None

    def exact(self, written: str) -> str | None:
        """Return who is called so, for partners joined; None if nobody is, or several are."""
        found = self._by_key.get(name_key(written), {})
        if len(found) == 1:
            return next(iter(found))
        parts = written.split(" & ")
        known = [self.exact(part) for part in parts] if len(parts) > 1 else [None]
        return None if None in known else " & ".join(filter(None, known))

    def near(self, written: str) -> list[str]:
        """Return the names that are nearly this one: one begins with the other, or is spelt so."""
        key = name_key(written)
        if len(key) < SHORTEST_PREFIX:
            return []
        long = [known for known in self._by_key if len(known) >= SHORTEST_PREFIX]
        begin = [known for known in long if known.startswith(key) or key.startswith(known)]
        close = get_close_matches(key, self._by_key, MOST_OFFERS, ALIKE)
        return [*dict.fromkeys(name for known in begin + close for name in self._by_key[known])]


def name_key(name: str) -> str:
    """Return what two writings of a name share: case, accents and spaces don't count.

    >>> name_key("Anna Marìa") == name_key("ANNAMARIA")
    True
    """
    return folded(name).replace(" ", "")


def is_own(table: NotebookTable) -> bool:
    """Whether this is one of our own exports of deals, by its heads."""
    heads = [folded(head) for head in table.heads]
    return heads[:4] in OWN_HEADS and any(head.endswith(f" {SIGMA}") for head in heads)


def columns(table: NotebookTable, decimal: str, people: People) -> list[Column]:
    """Return the columns of a table, of which those that are not certain are open.

    In our own export the people are those with a column of balances.
    """
    heads, places = table.heads, range(len(table.heads))
    folded_heads = [folded(head) for head in heads]
    own = is_own(table)
    kinds = [_kind(table.column(place), decimal) for place in places]
    counting = [_counts(table.column(place), folded_heads[place]) for place in places]
    of_people = [
        kinds[place] == "figures"
        and not CHECKS.intersection(folded_heads[place].split()[-1:])
        and not (counting[place] and folded_heads[place] in NUMBERED)
        for place in places
    ]
    run = range(0) if own else _cancelling(table, decimal, of_people)
    made: list[Column] = []
    for place, head in enumerate(heads):
        known, is_person = people.exact(head), f"{folded_heads[place]} {SIGMA}" in folded_heads
        column: Column = {"head": head, "use": None}
        if own and not is_person:
            column["use"] = Use.NONE if place else Use.WHEN
        elif own or (known and kinds[place] != "days") or (place in run and head):
            column |= {"use": Use.PERSON, "person": known or head}
        elif kinds[place] == "days":
            column["use"] = None if "days" in kinds[:place] else Use.WHEN
        elif counting[place] or kinds[place] != "figures":
            column["use"] = Use.NONE
        if not known and column["use"] in {None, Use.PERSON} and kinds[place] == "figures":
            near = [] if own else people.near(head)
            column |= {"offer": near} if near else {}
        made.append(column)
    keys = [name_key(column.get("person", "")) for column in made]
    return [
        {"head": column["head"], "use": None, "offer": column.get("offer", [column["person"]])}
        if key and keys.count(key) > 1
        else column
        for key, column in zip(keys, made, strict=True)
    ]


def is_day(cell: str) -> bool:
    return any(read_day(cell, month_first=order) is not None for order in (False, True))


def _kind(cells: Sequence[str], decimal: str) -> str:
    """Return what most cells of a column are: figures, days or text."""
    figures = [cell for cell in cells if not is_absent(cell)]
    figures = [cell for cell in figures if read_figure(cell, decimal) is not None]
    days = [cell for cell in cells if not WHOLE.fullmatch(cell) and is_day(cell)]
    if len(days) * 2 > len(cells) and ({*days} - {*figures} or all(map(EPOCH.fullmatch, cells))):
        return "days"
    in_digits = any(any(map(str.isnumeric, cell)) for cell in figures)
    return "figures" if figures and (in_digits or len(figures) == len(cells)) else "text"


def _counts(cells: Sequence[str], head: str) -> bool:
    """Whether a column counts the rows; under a head that doesn't say so, from four rows on."""
    counted = [*cells] == [str(number) for number in range(1, len(cells) + 1)]
    return counted and len(cells) > (1 if head in NUMBERED else 3)


def _cancelling(table: NotebookTable, decimal: str, of_people: Sequence[bool]) -> range:
    """Return the largest run of neighbouring columns whose rows all cancel, the leftmost of such.

    A row with a cell that is no figure is not compared.
    """
    rows = [
        [_amount(cell, decimal) for cell in line.cells] for line in table.lines if not line.is_total
    ]
    count = len(of_people)
    for length in range(count, 1, -1):
        for first in range(count - length + 1):
            run = slice(first, first + length)
            if all(of_people[run]) and _cancels(row[run] for row in rows):
                return range(first, first + length)
    return range(0)


def _cancels(rows: Iterable[Sequence[Decimal | None]]) -> bool:
    moved = False
    for row in rows:
        figures = [figure for figure in row if figure is not None]
        if len(figures) == len(row) and sum(figures, Decimal(0)):
            return False
        moved = moved or any(figures)
    return moved


def _amount(cell: str, decimal: str) -> Decimal | None:
    return Decimal(0) if not cell or is_absent(cell) else read_figure(cell, decimal)
