"""Who won a deal against whom: its sides and their places, without payouts."""

from collections.abc import Sequence
from typing import NamedTuple

from scorer.ledger.records import CALLING, Played


class Contest(NamedTuple):
    """A deal that was played: its sides, their places, and the call, if there is one.

    The winners have place 0; equal sides share a place. In a game with calls the
    first side is the caller's, and the caller is its first seat.
    """

    number: int
    sides: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    bid: str | None = None
    made: bool | None = None

    def place_of(self, seat: int) -> int | None:
        """Return the place of a seat's side; None where the seat did not play."""
        for side, place in zip(self.sides, self.places, strict=True):
            if seat in side:
                return place
        return None

    def won_by(self, seat: int) -> bool:
        """Whether a seat is on the winning side; where all sides are equal, nobody won."""
        return self.place_of(seat) == 0 and max(self.places) > 0


def called(deal: Played) -> Contest | None:
    """Return the caller's side against the rest; None where nobody called."""
    caller = next((seat for seat, role in deal.roles.items() if role in CALLING), None)
    if caller is None or deal.penalty:
        return None
    partners = tuple(seat for seat, role in deal.roles.items() if role == "partner")
    with_caller = (caller, *partners)
    rest = tuple(sorted(seat for seat in deal.payouts if seat not in with_caller))
    places = {True: (0, 1), False: (1, 0), None: (0, 0)}[deal.made]
    return Contest(deal.number, (with_caller, rest), places, deal.bid, deal.made)


def contest(
    deal: Played, sides: Sequence[tuple[int, ...]], *, lowest_first: bool = False
) -> Contest | None:
    """Rank the sides of a deal without a call by what each was paid.

    Return None for a penalty, and where there is one side only.
    """
    if deal.penalty or len(sides) < 2:
        return None
    sign = 1 if lowest_first else -1
    paid = [sign * sum(deal.payouts[seat] for seat in side) for side in sides]
    places = tuple(sum(other < amount for other in paid) for amount in paid)
    return Contest(deal.number, tuple(sides), places)
