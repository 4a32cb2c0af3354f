"""From payouts to balances, standings and settlement: no game is known here, all are integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    """Say who hands what to whom, in few transfers.

    Where points don't sum to zero something is left over: who won, or who lost, then shares in
    proportion what there is.
    """
    won = {seat: n * stake_cents for seat, n in totals.items() if n > 0}
    lost = {seat: -n * stake_cents for seat, n in totals.items() if n < 0}
    moved = min(sum(won.values()), sum(lost.values()))
    owed = sorted(((cents, seat) for seat, cents in _shares(won, moved).items()), reverse=True)
    owing = sorted((-cents, seat) for seat, cents in _shares(lost, moved).items())
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


def _shares(amounts: Mapping[Seat, int], total: int) -> dict[Seat, int]:
    """Cut amounts down to a total in proportion; the cents left go where most was cut off."""
    whole = sum(amounts.values()) or 1
    cut = {seat: divmod(amount * total, whole) for seat, amount in amounts.items()}
    shares = {seat: share for seat, (share, _) in cut.items()}
    for seat in sorted(cut, key=lambda seat: (-cut[seat][1], seat))[: total - sum(shares.values())]:
        shares[seat] += 1
    return shares
