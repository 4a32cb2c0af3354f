"""Small values that templates show everywhere: a person in a seat, an amount beside a name."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scorer.rules.description import Description
from scorer.rules.seats import Seat, Sides, gathered, named
from scorer.texts import Text


class SeatView(NamedTuple):
    """Somebody in a seat, or a side by its first one; the seat gives the colour and the mark."""

    seat: int
    name: Text | str


class SeatAmount(NamedTuple):
    """What somebody or a side gets or gives; None for who sat out."""

    seat: int
    name: Text | str
    amount: int | None


def seat_views(names: Sequence[str], seats: Iterable[int]) -> list[SeatView]:
    """Show these seats with their names."""
    return [SeatView(seat, names[seat]) for seat in seats]


def side_views(names: Sequence[str], sides: Sides) -> list[SeatView]:
    """Show these sides with the names of who is on them."""
    return [SeatView(min(side), named(side, names)) for side in sides]


def amounts(names: Sequence[str], sides: Sides, paid: Mapping[Seat, int]) -> list[SeatAmount]:
    """Show these sides with what a deal pays them."""
    return [
        SeatAmount(min(side), named(side, names), amount) for side, amount in gathered(sides, paid)
    ]


def odd_texts(table: Description) -> list[Text]:
    """Say what is unusual about a table: that it isn't zero-sum, or not symmetric."""
    return [check.text for check in table.checks if not check.holds]
