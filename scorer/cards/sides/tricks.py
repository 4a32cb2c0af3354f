"""The ``TrickGame`` of a deal whose sides are known, and the parts of its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from scorer.cards.trick_game import NumberedDeck, Stock
    from scorer.rules.game import Table
    from scorer.rules.seats import Seat


class SidesTricks(NamedTuple):
    """A ``TrickGame`` of people at a table: ``trump`` is a suit by its place, or none."""

    table: Table[Any]
    deck: NumberedDeck
    dealt: int
    trump: int | None
    follows: bool
    first_leader: Seat | None
    stock: Stock | None
    laid_aside: int = 0

    @property
    def players(self) -> tuple[Seat, ...]:
        """Everybody who plays the deal."""
        return self.table.active

    @property
    def trick_count(self) -> int:
        """As many as make up the pack."""
        return len(self.deck.cards) // len(self.players)

    def settle(self, tricks: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
        """For each whole trick the place of the card that takes it, and its card points."""
        return self.deck.settle(tricks, self.trump)

    def must_follow(self, _seat: Seat) -> bool:
        """Everybody must follow suit, or nobody."""
        return self.follows

    def hand_sizes(self, _seat: Seat) -> Sequence[int]:
        """As many cards as are dealt at first."""
        return (self.dealt,)

    def plays_as_dealt(self, _seat: Seat) -> bool:
        """Nobody draws where there is no stock."""
        return self.stock is None

    def name(self, seat: Seat) -> str:
        """What somebody at the table is called."""
        return self.table.name(seat)
