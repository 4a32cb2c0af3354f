"""The rota for sitting out: how often each has, and who has stood in for whom.

The rules say whose turn it is. Where somebody else was chosen, the rota goes on unchanged: whoever
was let off owes a turn, and whoever stood in has one in advance, until they change places.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorer.rules.seats import Seat


class SatOut(NamedTuple):
    """Who sat a deal out, and whose turn it was to."""

    out: tuple[Seat, ...]
    by_turn: tuple[Seat, ...]


def times_out(deals: Iterable[SatOut]) -> Counter[Seat]:
    """Count the deals that each has sat out."""
    return Counter(seat for deal in deals for seat in deal.out)


def to_the_good(deals: Iterable[SatOut]) -> dict[Seat, int]:
    """Return how many deals each sat out beyond their turns; a negative number is owed."""
    ahead: Counter[Seat] = Counter()
    for deal in deals:
        ahead.update(deal.out)
        ahead.subtract(deal.by_turn)
    return {seat: count for seat, count in ahead.items() if count}


def to_change(
    out: Sequence[Seat], playing: Sequence[Seat], ahead: dict[Seat, int]
) -> tuple[Seat, Seat] | None:
    """Return who would sit out but has a turn in advance, and who plays but owes one, if any."""
    stood_in = [seat for seat in out if ahead.get(seat, 0) > 0]
    owing = [seat for seat in playing if ahead.get(seat, 0) < 0]
    if not stood_in or not owing:
        return None
    return stood_in[0], min(owing, key=lambda seat: ahead[seat])
