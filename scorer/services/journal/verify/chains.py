"""Differences in a chain of hashes: a session's, or the journal's."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from scorer.errors import ScorerError
from scorer.storage import chain, models

#: What reading a damaged row may raise; out of a generator StopIteration comes as a RuntimeError.
DAMAGE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    ScorerError,
    StopIteration,
    TypeError,
    ValueError,
)
#: What the rows of a session's chain are called, by their tables, and which column numbers them.
CHAINED = {
    "session_change": ("the change from deal {} on", "from_number"),
    "deal_version": ("version {}", "version"),
    "review": ("review {}", "review"),
    "play": ("version {} of the cards", "version"),
}
#: How many missing entries are named: a damaged count may be any number.
MOST_NAMED = 10


class Finding(NamedTuple):
    """A difference: its deal, if it is of one, and a sentence."""

    number: int | None
    what: str


class ChainEntry(NamedTuple):
    """A row of a chain, its deal, if it is of one, and its name."""

    number: int | None
    name: str
    row: models.ChainedRow


def chain_findings(
    entries: Iterable[ChainEntry], start: str, *, count: int, end: str
) -> Iterator[Finding]:
    """Check that the rows are those of the chain, in order, with none missing at the end."""
    entries = sorted(entries, key=lambda entry: entry.row.serial)
    serials = {entry.row.serial for entry in entries}
    if (missing := count - sum(1 <= serial <= count for serial in serials)) > 0:
        first = islice((n for n in range(1, count + 1) if n not in serials), MOST_NAMED)
        names = ", ".join(map(str, first))
        more = f" and {missing - MOST_NAMED} more" if missing > MOST_NAMED else ""
        yield Finding(None, f"the chain misses {names}{more}; entries that it counts: {count}")
    before = start
    for entry in entries:
        try:
            is_chained = entry.row.chain == chain.link(before, chain.canonical(entry.row))
        except DAMAGE:
            is_chained = False
        if not is_chained:
            yield Finding(entry.number, f"{entry.name} differs from its hash")
        before = entry.row.chain
    if (before, len(entries)) != (end, count):
        yield Finding(None, "its chain does not end where it should")
