"""What is written down of a deal of Briscola Chiamata, its ``TrickGame``, and its dead hand.

The dead hand, *il morto*, is dealt to nobody and turned over card by card (rules.md A9). At the
table where the cards are played it has a place of its own, behind all the people: its card comes
last of those around, and where it took a trick it leads to the next. It neither deals nor bids, and
what it takes is lost to the caller's side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.rules import FirstLeader
from scorer.rules.cards import Card
from scorer.rules.seats import Seat, all_seats
from scorer.rules.sheet import Ask
from scorer.rules.tables import PACK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorer.cards.trick_game import NumberedDeck
    from scorer.cards.trick_record import CardRecord
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.game import Table

Calls = tuple[tuple[Seat, Bid | None], ...]

NAME = "Morto"
STORED_NAME = "dead"


@dataclass(frozen=True, slots=True)
class Claim:
    """What was written on the sheet, as far as it was: the record is compared with it."""

    caller: Annotated[Seat, Ask("Caller")]
    bid: Annotated[Bid, Ask("Bid")]
    called_card: Annotated[Card, Ask("Called card")]
    partner: Annotated[Seat | None, Ask("Partner")] = None
    card_points: Annotated[int | None, Ask("Card points of the caller's side", 0, PACK)] = None
    made: Annotated[bool | None, Ask("Made")] = None
    cappotto: Annotated[bool | None, Ask("Cappotto")] = None


class DealRecord(NamedTuple):
    """A deal as it was written down: what was said of it, and its cards.

    ``says_partner`` is whether the claim tells of a partner, or of none; ``called`` is the number
    of the called card.
    """

    claim: Claim
    says_partner: bool
    player_points: Mapping[Seat, int]
    auction: Calls
    called: int
    cards: CardRecord


class ChiamataTricks(NamedTuple):
    """A ``TrickGame`` for one deal of Briscola Chiamata: the called card's suit is the trump."""

    record: DealRecord
    table: Table[ChiamataRules]
    deck: NumberedDeck
    players: tuple[Seat, ...]
    trick_count: int
    laid_aside: int
    first_leader: Seat | None

    @classmethod
    def of(
        cls, record: DealRecord, table: Table[ChiamataRules], dealer: Seat | None
    ) -> ChiamataTricks:
        """Give the tricks of a record at a table where the cards are played."""
        return cls(
            record=record,
            table=table,
            deck=record.cards.deck,
            players=in_turn(table),
            trick_count=table.rules.cards_each,
            laid_aside=table.rules.monte,
            first_leader=first_leader(record.claim.caller, table, dealer, record.auction),
        )

    @property
    def target(self) -> int:
        """The card points that the caller's side needs."""
        bid = self.record.claim.bid
        return self.table.rules.target(bid.value, points_bid=bid.points is not None)

    def settle(self, tricks: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
        """For each whole trick the place of the card that takes it, and its card points."""
        return self.deck.settle(tricks, self.deck.suit_of(self.record.called))

    def must_follow(self, seat: Seat) -> bool:
        """Suit is followed where the rules say so; the dead hand is turned over as it lies."""
        return self.table.rules.play.follow_suit and seat != dead_hand(self.table)

    def hand_sizes(self, seat: Seat) -> Sequence[int]:
        """As many as are dealt; the caller's hand may be written down with the monte in it."""
        with_monte = self.trick_count + self.laid_aside
        return (self.trick_count, *([with_monte] if seat == self.record.claim.caller else []))

    def plays_as_dealt(self, seat: Seat) -> bool:
        """With a monte the caller plays other cards than were dealt to him."""
        return not (self.laid_aside and seat == self.record.claim.caller)

    def name(self, seat: Seat) -> str:
        """What somebody at the table is called."""
        return self.table.name(seat)


def first_leader(
    caller: Seat, table: Table[ChiamataRules], dealer: Seat | None, auction: Calls = ()
) -> Seat | None:
    """Who must lead first; without a dealer, whoever spoke first in the auction sits after him."""
    if table.rules.play.first_leader is FirstLeader.CALLER:
        return caller
    if dealer is not None:
        return table.after(dealer)
    return auction[0][0] if auction else None


def with_dead_hand(table: Table[ChiamataRules]) -> Table[ChiamataRules]:
    """Give the dead hand its place at a table of people, where the rules have one.

    Its name is one that nobody at the table has.
    """
    if not table.rules.dead_hand:
        return table
    names = (NAME, *(f"{NAME} {number}" for number in range(2, len(table.seats) + 2)))
    name = next(name for name in names if name not in table.seats)
    order = table.order or all_seats(len(table.seats))
    return replace(table, seats=(*table.seats, name), order=order)


def dead_hand(table: Table[ChiamataRules]) -> Seat | None:
    """Where the dead hand is; None where there is none."""
    return Seat(len(table.seats) - 1) if table.rules.dead_hand else None


def people(table: Table[ChiamataRules]) -> tuple[str, ...]:
    """Give the names of all but the dead hand."""
    return table.seats[: dead_hand(table)]


def in_turn(table: Table[ChiamataRules]) -> tuple[Seat, ...]:
    """Everybody who plays to the tricks: those who play the deal, and after them the dead hand."""
    dead = dead_hand(table)
    return table.active if dead is None else (*table.active, dead)


def stored_names(table: Table[ChiamataRules]) -> tuple[str, ...]:
    """Name everybody as stored cards do: people by number, the dead hand by a word of its own.

    Its place moves when somebody joins, and the word doesn't.
    """
    numbers = tuple(map(str, range(len(people(table)))))
    return numbers if dead_hand(table) is None else (*numbers, STORED_NAME)
