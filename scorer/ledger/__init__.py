"""From balances to standings and settlement: no game is known here, all are integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorer.ledger.money import Transfer, by_points, transfers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.rules.seats import Seat

__all__ = ["Standing", "Transfer", "settlement", "standings"]


class Standing(NamedTuple):
    """A place in the standings; those who are level share it."""

    place: int
    seat: Seat
    balance: int


def standings(totals: Mapping[Seat, int], *, lowest_first: bool = False) -> list[Standing]:
    """Order by balance, then by seat; the highest leads, or the lowest where a game says so."""
    sign = 1 if lowest_first else -1
    ranked = sorted(totals, key=lambda seat: (sign * totals[seat], seat))
    places: dict[int, int] = {}
    for place, seat in enumerate(ranked, start=1):
        places.setdefault(totals[seat], place)
    return [Standing(places[totals[seat]], seat, totals[seat]) for seat in ranked]


def settlement(totals: Mapping[Seat, int], stake_cents: int) -> list[Transfer[Seat]]:
    """Say who hands what to whom, in few transfers.

    Where points don't sum to zero something is left over: who won, or who lost, then shares in
    proportion what there is.
    """
    return transfers(by_points(totals, stake_cents))
