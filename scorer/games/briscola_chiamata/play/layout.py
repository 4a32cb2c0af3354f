"""Laying a record out on the table: who led each trick, who played which card, who won it.

A card that is there twice, or can't be read, is doubtful: a trick with one is settled only as far
as it is the same whichever card that was. So one slip of the pen is one problem, and nothing is
proved that may be a slip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.play.dead_hand import in_turn
from scorer.games.briscola_chiamata.play.leading import follow
from scorer.games.briscola_chiamata.play.lookup import UNREAD
from scorer.games.briscola_chiamata.play.record import Record
from scorer.games.briscola_chiamata.rules import ChiamataRules, FirstLeader
from scorer.rules.game import Table
from scorer.rules.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorer.games.briscola_chiamata.play.record import Calls, Pile

    Settle = Callable[[list[tuple[int, ...]]], list[tuple[int, int]]]

NOTHING: tuple[int, ...] = ()
NONE: frozenset[int] = frozenset()


@dataclass(slots=True)
class Layout:
    """A record on the table; ``leaders`` and ``winners`` are None where nothing tells them.

    ``places`` and ``worths`` are what each trick is settled as: the place of the card that takes
    it, and the card points that it brings for certain.
    """

    record: Record
    table: Table[ChiamataRules]
    turns: Mapping[Seat, tuple[Seat, ...]]
    first_leader: Seat | None
    complete: bool
    seen: frozenset[int]
    doubtful: frozenset[int]
    hands: Mapping[Seat, frozenset[int]]
    holders: Mapping[int, Seat]
    places: Sequence[int | None]
    worths: Sequence[int]
    leaders: list[Seat | None]
    winners: list[Seat | None]
    reckoned: dict[tuple[int, Seat | None], tuple[int, Seat | None]]

    @property
    def target(self) -> int:
        """The card points that the caller's side needs."""
        bid = self.record.claim.bid
        return self.table.rules.target(bid.value, points_bid=bid.points is not None)

    def trick(self, index: int) -> Pile | None:
        """A trick, where there is one and it is remembered."""
        return self.record.tricks[index] if 0 <= index < len(self.record.tricks) else None

    def full(self, index: int) -> bool:
        """Whether a trick has as many cards as play."""
        trick = self.trick(index)
        return trick is not None and len(trick.cards) == len(self.turns)

    def in_play(self, index: int) -> bool:
        """Whether this is the trick that was entered last, and cards are yet to come."""
        trick, later = self.trick(index), self.record.tricks[index + 1 :]
        return trick is not None and len(trick.cards) < len(self.turns) and not any(later)

    def player(self, index: int, place: int) -> Seat | None:
        """Who played the card in a place of a trick, counted from whoever led."""
        leader = self.leaders[index]
        return None if leader is None else self.turns[leader][place]

    def plays(self, index: int) -> Iterator[tuple[Seat | None, int]]:
        """The cards of a trick that can be read, with who played each, as far as that is known."""
        trick = self.record.tricks[index]
        for place, card in enumerate(() if trick is None else trick.cards):
            if card != UNREAD:
                yield self.player(index, place), card

    def places_of(self, card: int) -> list[tuple[int, int]]:
        """Find a card among the tricks: in which, and in which place."""
        if card not in self.seen:
            return []
        return [
            (index, trick.cards.index(card))
            for index, trick in enumerate(self.record.tricks)
            if trick is not None and card in trick.cards
        ]

    def may_hold(self, seat: Seat, card: int) -> bool:
        """Whether a card can have been in a hand, by the hands that were written down."""
        if card in self.holders:
            return self.holders[card] == seat
        return seat not in self.hands

    def misheld(self, trick: Pile, leader: Seat) -> int:
        """How many cards of a trick others held, if this seat led."""
        pairs = zip(self.turns[leader], trick.cards, strict=False)
        return sum(card != UNREAD and not self.may_hold(seat, card) for seat, card in pairs)

    def next_leader(self, index: int) -> Seat | None:
        """Who leads after a trick: the winner, or where nothing tells him whoever was written."""
        trick, winner = self.record.tricks[index], self.winners[index]
        if winner is not None or trick is None or trick.winner not in self.turns:
            return winner
        return trick.winner

    def unseen(self) -> list[int]:
        """The cards of the pack that are nowhere in the record."""
        return sorted(self.record.letters.pack - self.seen)

    def taken(self) -> tuple[dict[Seat, int], dict[Seat, int]]:
        """The card points and the tricks that each player has taken for certain."""
        points: dict[Seat, int] = dict.fromkeys(self.turns, 0)
        for worth, winner in zip(self.worths, self.winners, strict=True):
            if winner is not None:
                points[winner] += worth
        return points, {seat: self.winners.count(seat) for seat in points}


def lay_out(record: Record, table: Table[ChiamataRules], dealer: Seat | None) -> Layout:
    """Work out every leader and winner that the record tells."""
    tricks = [NOTHING if trick is None else trick.cards for trick in record.tricks]
    played = list(chain.from_iterable(tricks))
    if record.discards is not None:
        played += record.discards.cards
    seen = frozenset(played)
    doubtful = _doubtful(played, seen)
    hands, holders = _whole_hands(record, table.rules) if record.hands else ({}, {})
    playing = in_turn(table)
    settled = _settle(record, tricks, len(playing), doubtful, seen)
    leader = first_leader(record.claim.caller, table, dealer, record.auction)
    layout = Layout(
        record,
        table,
        turns_of(playing),
        leader,
        [*map(len, tricks)] == [len(playing)] * table.rules.cards_each,
        seen,
        doubtful,
        hands,
        holders,
        [place for place, _ in settled],
        [worth for _, worth in settled],
        [],
        [],
        {},
    )
    follow(layout)
    return layout


@cache
def turns_of(playing: tuple[Seat, ...]) -> Mapping[Seat, tuple[Seat, ...]]:
    """Who plays in turn, by who leads."""
    return {seat: playing[place:] + playing[:place] for place, seat in enumerate(playing)}


def first_leader(
    caller: Seat, table: Table[ChiamataRules], dealer: Seat | None, auction: Calls = ()
) -> Seat | None:
    """Who must lead first; without a dealer, whoever spoke first in the auction sits after him."""
    if table.rules.play.first_leader is FirstLeader.CALLER:
        return caller
    if dealer is not None:
        return table.after(dealer)
    return auction[0][0] if auction else None


def _doubtful(played: Sequence[int], seen: frozenset[int]) -> frozenset[int]:
    """The cards that are there twice, and those that can't be read."""
    if len(seen) == len(played) and UNREAD not in seen:
        return NONE
    return frozenset(card for card, n in Counter(played).items() if n > 1 or card == UNREAD)


def _whole_hands(
    record: Record, rules: ChiamataRules
) -> tuple[dict[Seat, frozenset[int]], dict[int, Seat]]:
    """The hands to rely on, of the right size, every card read, and none in another hand too.

    With a monte the caller's hand is not what he plays from. Also give who held each card.
    """
    held = Counter(card for hand in record.hands.values() for card in hand.cards)
    hands = {
        seat: frozenset(hand.cards)
        for seat, hand in record.hands.items()
        if len(hand.cards) == rules.cards_each
        and not (rules.monte and seat == record.claim.caller)
        and all(card != UNREAD and held[card] == 1 for card in hand.cards)
    }
    return hands, {card: seat for seat, hand in hands.items() for card in hand}


def _settle(
    record: Record,
    tricks: Sequence[tuple[int, ...]],
    players: int,
    doubtful: frozenset[int],
    seen: frozenset[int],
) -> Sequence[tuple[int | None, int]]:
    """For each trick the place of the card that takes it, and what it brings for certain."""
    settle, trump = record.lookup.settle, record.lookup.suit_of(record.called)
    if not doubtful and set(map(len, tricks)) == {players}:
        return settle(tricks, trump)
    unseen = sorted(record.letters.pack - seen)
    return [
        _settle_one(cards, players, doubtful, unseen, partial(settle, trump=trump))
        for cards in tricks
    ]


def _settle_one(
    cards: tuple[int, ...],
    players: int,
    doubtful: frozenset[int],
    unseen: list[int],
    settle: Settle,
) -> tuple[int | None, int]:
    """What is the same whichever card a doubtful one was; of two doubtful ones, nothing is."""
    doubts = [place for place, card in enumerate(cards) if card in doubtful]
    if len(cards) != players or len(doubts) > 1:
        return None, 0
    tricks = [
        (*cards[:place], card, *cards[place + 1 :])
        for place in doubts
        for card in (cards[place], *unseen)
        if card != UNREAD
    ]
    settled = settle(tricks if doubts else [cards])
    places = {place for place, _ in settled}
    worth = min((worth for _, worth in settled), default=0)
    return (places.pop() if len(places) == 1 else None), worth
