"""Running balances in numbers: what the chart draws, and the table that stands beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SEATS = range(2, 11)


@dataclass(frozen=True, slots=True)
class DealPayouts:
    """What one deal paid, by seat; a seat that sat the deal out has no amount."""

    number: int
    payouts: Mapping[int, int]
    amended: bool = False


@dataclass(frozen=True, slots=True)
class Balances:
    """A session in numbers: names and opening balances by seat, deals in order, none voided.

    ``since`` says with which deal each seat came to the table; left out, all were there before.
    ``marks`` says which colour and mark each has; left out, those of its place.
    """

    names: tuple[str, ...]
    opening: tuple[int, ...]
    deals: tuple[DealPayouts, ...]
    since: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.names) not in SEATS or len(self.opening) != len(self.names):
            raise ValueError("a chart takes 2 to 10 seats, each with a name and an opening balance")


@dataclass(frozen=True, slots=True)
class Wording:
    """The words on a chart and about it, in the reader's language."""

    title: str
    description: str
    deals: str  # what the numbers under the chart count: "deals"
    amended: str  # what a ring under the chart means: "amended"
    no_deals: str  # "No deals yet"


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """One deal of the table: by seat what it paid, None for sitting out, and the balance then."""

    number: int
    amended: bool
    payouts: tuple[int | None, ...]
    balances: tuple[int, ...]


def balance_table(balances: Balances) -> tuple[BalanceRow, ...]:
    """Give the numbers of the chart, a row a deal."""
    return tuple(_rows(balances))


def _rows(balances: Balances) -> Iterator[BalanceRow]:
    seats = range(len(balances.names))
    now = balances.opening
    for deal in balances.deals:
        payouts = tuple(deal.payouts.get(seat) for seat in seats)
        now = tuple(balance + (paid or 0) for balance, paid in zip(now, payouts, strict=True))
        yield BalanceRow(deal.number, deal.amended, payouts, now)
