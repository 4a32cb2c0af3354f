"""From payouts to balances, standings and settlement: no game is known here, all are integers."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Mapping

    from scorer.rules.seats import Seat


class Standing(NamedTuple):
    """A place in the standings; those who are level share it."""

    place: int
    seat: Seat
    balance: int


class Transfer(NamedTuple):
    """Who hands how many cents to whom."""

    payer: Seat
    payee: Seat
    cents: int


def balances(opening: Mapping[Seat, int], payouts: Iterable[Mapping[Seat, int]]) -> dict[Seat, int]:
    """Add the payouts to the opening balances; who sat a deal out has no figure in it."""
    running = dict(opening)
    for payout in payouts:
        for seat, amount in payout.items():
            running[seat] += amount
    return running


def standings(totals: Mapping[Seat, int], *, lowest_first: bool = False) -> list[Standing]:
    """Order by balance, then by seat; the highest leads, or the lowest where a game says so."""
    sign = 1 if lowest_first else -1
    ranked = sorted(totals, key=lambda seat: (sign * totals[seat], seat))
    places: dict[int, int] = {}
    for place, seat in enumerate(ranked, start=1):
        places.setdefault(totals[seat], place)
    return [Standing(places[totals[seat]], seat, totals[seat]) for seat in ranked]


def settlement(totals: Mapping[Seat, int], stake_cents: int) -> list[Transfer]:
    """Say who hands what to whom, in few transfers; points that don't sum to zero are left over."""
    owed = sorted(((n * stake_cents, seat) for seat, n in totals.items() if n > 0), reverse=True)
    owing = sorted((n * stake_cents, seat) for seat, n in totals.items() if n < 0)
    transfers: list[Transfer] = []
    while owed and owing:
        (due, payee), (debt, payer) = owed.pop(0), owing.pop(0)
        cents = min(due, -debt)
        transfers.append(Transfer(payer, payee, cents))
        if due > cents:
            owed.insert(0, (due - cents, payee))
        if -debt > cents:
            owing.insert(0, (debt + cents, payer))
    return [transfer for transfer in transfers if transfer.cents]
