"""Standings and settlement from balances: integers only, and no game is known here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from scorer.ledger.money import Transfer, by_points, transfers
from scorer.rules.seats import Seat

__all__ = ["Standing", "Transfer", "settlement", "shared_places", "standings"]

Ranked = TypeVar("Ranked")


class Standing(NamedTuple):
    """A place in the standings; equal balances share it."""

    place: int
    seat: Seat
    balance: int


def standings(
    totals: Mapping[Seat, int],
    *,
    lowest_first: bool = False,
    out: Mapping[Seat, int] = MappingProxyType({}),
) -> list[Standing]:
    """Order by balance, then by seat; the highest leads, in some games the lowest.

    Whoever is ``out`` comes after those who are in; the deal that put one out last counts first.

    >>> [tuple(standing) for standing in standings({0: 4, 1: -8, 2: 4})]
    [(1, 0, 4), (1, 2, 4), (3, 1, -8)]
    >>> [tuple(standing) for standing in standings({0: 9, 1: 8, 2: 7}, out={1: 4, 2: 5})]
    [(1, 0, 9), (2, 2, 7), (3, 1, 8)]
    """
    sign = 1 if lowest_first else -1
    ranks = {seat: (seat in out, -out.get(seat, 0), sign * n) for seat, n in totals.items()}
    places = shared_places(ranks)
    ranked = sorted(totals, key=lambda seat: (places[seat], seat))
    return [Standing(places[seat], seat, totals[seat]) for seat in ranked]


def shared_places(ranks: Mapping[Ranked, Any]) -> dict[Ranked, int]:
    """Return the place of each, the lowest rank first; equal ranks share it.

    >>> shared_places({"Ada": 4, "Bea": 9, "Ciro": 4})
    {'Ada': 1, 'Bea': 3, 'Ciro': 1}
    """
    in_order = sorted(ranks.values())
    return {who: in_order.index(rank) + 1 for who, rank in ranks.items()}


def settlement(totals: Mapping[Seat, int], stake_cents: int) -> list[Transfer[Seat]]:
    """Return few transfers that settle these balances at a stake a point.

    If points don't sum to zero, the smaller of the two sums, won and lost, is shared in proportion.

    >>> [tuple(transfer) for transfer in settlement({0: 3, 1: -1, 2: -2}, 10)]
    [(2, 0, 20), (1, 0, 10)]
    """
    return transfers(by_points(totals, stake_cents))
