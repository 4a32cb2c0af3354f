"""Whether the chain of a session holds: nothing changed, left out, put in or moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from scorer.services.verifying.kept import DAMAGE, Finding
from scorer.storage import chain, models

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.services.verifying.kept import Kept


@dataclass(frozen=True, slots=True)
class Link:
    """Something that was written: its place in the chain, its hash, and how to say it again."""

    number: int | None
    name: str
    serial: int
    chain: str
    canonical: Callable[[], str]


def chain_findings(kept: Kept) -> Iterator[Finding]:
    """What was written is what was chained, in that order, and nothing is missing at the end."""
    written = sorted(_links(kept), key=lambda one: one.serial)
    serials = [one.serial for one in written]
    missing = sorted(set(range(1, kept.row.written + 1)) - set(serials))
    if missing:
        yield Finding(None, f"of {kept.row.written} versions the chain misses {missing}")
    before = models.CHAIN_START
    for one in written:
        if not _is_chained(before, one):
            yield Finding(one.number, f"{one.name} is not as it was chained")
        before = one.chain
    if (before, len(serials)) != (kept.row.chain, kept.row.written):
        yield Finding(None, "the chain of its versions does not end where it should")
    if len(kept.changes) != kept.row.changes:
        counted = f"{len(kept.changes)} changes, but {kept.row.changes} are counted"
        yield Finding(None, f"there are {counted}")


def _links(kept: Kept) -> Iterator[Link]:
    for deal in kept.deals:
        for version in kept.versions_of(deal):
            said = partial(chain.canonical, deal, version)
            name = f"version {version.version}"
            yield Link(deal.number, name, version.serial, version.chain, said)
    for change in kept.changes:
        said = partial(chain.canonical_change, change)
        name = f"the change from deal {change.from_number} on"
        yield Link(None, name, change.serial, change.chain, said)


def _is_chained(before: str, one: Link) -> bool:
    try:
        return one.chain == chain.link(before, one.canonical())
    except DAMAGE:
        return False
