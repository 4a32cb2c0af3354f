"""Lots for a table: who sits where and who deals first, as anybody can compute it again."""

import re
from typing import NamedTuple
from uuid import UUID

from scorer.storage import models, queries
from scorer.tournaments.facts import by_lot, digest

#: How a seed is written: the beginning of a hash or key, and which lot it is.
SEED = re.compile(r"[0-9a-f]{12}/([1-9][0-9]{0,3})")
BEGINNING = 12


class Lots(NamedTuple):
    """What came of a seed: the names in order of play, and who deals first."""

    seed: str
    seats: tuple[str, ...]
    dealer: str

    @property
    def number(self) -> str:
        """Which lot it is of this table."""
        return self.seed.partition("/")[2]

    @property
    def hashes(self) -> list[tuple[str, str]]:
        """Return everybody with the beginning of the hash that gave the place."""
        return [(name, digest(self.seed, name)[:BEGINNING]) for name in self.seats]


def draw_lots(names: list[str], seed: str) -> Lots:
    """Sort names by the hashes of the seed and each name; another hash says who deals.

    >>> draw_lots(["Ada", "Bea", "Ciro"], "8be082b3a1f0/1")[1:]
    (('Bea', 'Ciro', 'Ada'), 'Ciro')
    """
    return Lots(seed, tuple(by_lot(names, seed)), by_lot(names, seed, "dealer")[0])


def next_seed(circle_id: UUID | None, key: UUID, before: str) -> str:
    """Return the seed after another one: the end of the circle's journal, and which lot it is.

    Where no circle is yet, the key of the page takes the place of the journal.
    """
    circle = queries.find(models.Circle, circle_id) if circle_id else None
    beginning = circle.chain if circle else key.hex
    drawn = SEED.fullmatch(before)
    return f"{beginning[:BEGINNING]}/{int(drawn[1]) + 1 if drawn else 1}"


def kept_seed(seed: str, names: list[str], dealer: int) -> str:
    """Return a seed if everybody sits as it says, else nothing."""
    if not (names and SEED.fullmatch(seed)):
        return ""
    lots = draw_lots(names, seed)
    return seed if (list(lots.seats), lots.dealer) == (names, names[dealer]) else ""
