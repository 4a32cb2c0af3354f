"""Laying a record out on the table: who led each trick, who played which card, who won it.

A leader follows from the trick before, from what was written down, or backward from the trick
after; across a trick that nobody remembers nothing follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field
from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.play.record import Record
from scorer.games.briscola_chiamata.play.tricks import points_of
from scorer.games.briscola_chiamata.play.tricks import winning_place
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.games.briscola_chiamata.rules import FirstLeader
from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.rules.seats import next_seat

if TYPE_CHECKING:
    from scorer.games.briscola_chiamata.play.record import Trick
    from scorer.rules.cards import Card


@dataclass(slots=True)
class Layout:
    """A record on the table; ``leaders`` and ``winners`` are None where nothing tells them."""

    record: Record
    table: Table[ChiamataRules]
    first_leader: Seat | None
    leaders: list[Seat | None] = field(default_factory=list)
    winners: list[Seat | None] = field(default_factory=list)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.table.active)

    def whole(self, trick: Trick | None) -> bool:
        """Whether every card of a trick is known."""
        return trick is not None and len(trick.known) == len(trick.cards) == self.players

    @property
    def complete(self) -> bool:
        """Whether every trick of the deal was written down with as many cards as play."""
        tricks = self.record.tricks
        sizes = [len(trick.cards) if trick else 0 for trick in tricks]
        return sizes == [self.players] * self.table.rules.cards_each

    def plays(self, index: int) -> list[tuple[Seat | None, Card]]:
        """The cards of a trick with who played each, as far as that is known."""
        trick, leader = self.record.tricks[index], self.leaders[index]
        if trick is None:
            return []
        return [
            (None if leader is None else self.seat_at(leader, place), card)
            for place, card in enumerate(trick.cards)
            if card is not None
        ]

    def seat_at(self, leader: Seat, place: int) -> Seat:
        """Who plays in a place, counted from whoever leads; negative places count back."""
        active = self.table.active
        return active[(active.index(leader) + place) % len(active)]

    def player_of(self, card: Card) -> tuple[int, Seat | None] | None:
        """Find a card among the tricks: in which, and who played it."""
        for index in range(len(self.record.tricks)):
            for seat, played in self.plays(index):
                if played == card:
                    return index, seat
        return None

    def points(self) -> dict[Seat, int]:
        """The card points that each player has taken for certain."""
        taken = dict.fromkeys(self.table.active, 0)
        for trick, winner in zip(self.record.tricks, self.winners, strict=True):
            if trick is not None and winner is not None:
                taken[winner] += points_of(trick.known, self.table.rules.cards)
        return taken

    def tricks(self) -> dict[Seat, int]:
        """The tricks that each player has taken for certain."""
        taken = dict.fromkeys(self.table.active, 0)
        for winner in self.winners:
            if winner is not None:
                taken[winner] += 1
        return taken


def lay_out(record: Record, table: Table[ChiamataRules], dealer: Seat | None) -> Layout:
    """Work out every leader and winner that the record tells."""
    layout = Layout(record, table, _first_leader(record, table, dealer))
    places = [_place(layout, trick) for trick in record.tricks]
    layout.leaders = _forward(layout, places)
    _backward(layout, places)
    layout.winners = [
        None if leader is None or place is None else layout.seat_at(leader, place)
        for leader, place in zip(layout.leaders, places, strict=True)
    ]
    return layout


def _first_leader(record: Record, table: Table[ChiamataRules], dealer: Seat | None) -> Seat | None:
    """Who must lead first; without a dealer, whoever spoke first in the auction sits after him."""
    if table.rules.play.first_leader is FirstLeader.CALLER:
        return record.claim.caller
    if dealer is not None:
        return next_seat(dealer, table.active)
    return record.auction[0][0] if record.auction else None


def _place(layout: Layout, trick: Trick | None) -> int | None:
    """The place of the winning card of a whole trick."""
    if trick is None or not layout.whole(trick):
        return None
    return winning_place(
        trick.known, layout.record.claim.called_card.suit, layout.table.rules.cards
    )


def _forward(layout: Layout, places: list[int | None]) -> list[Seat | None]:
    leaders: list[Seat | None] = []
    expected = layout.first_leader
    for trick, place in zip(layout.record.tricks, places, strict=True):
        leader = trick.leader if trick and trick.leader in layout.table.active else expected
        leaders.append(leader if trick else None)
        known = trick is not None and leader is not None and place is not None
        expected = layout.seat_at(leader, place) if known else None  # type: ignore[arg-type]  # known
    return leaders


def _backward(layout: Layout, places: list[int | None]) -> None:
    """Where a winner is known but not the leader, count back from the winner."""
    leaders, tricks = layout.leaders, layout.record.tricks
    for index in reversed(range(len(tricks))):
        trick, place = tricks[index], places[index]
        if trick is None or place is None or leaders[index] is not None:
            continue
        following = leaders[index + 1] if index + 1 < len(leaders) else None
        winner = following if following is not None else trick.winner
        if winner in layout.table.active:
            leaders[index] = layout.seat_at(winner, -place)
