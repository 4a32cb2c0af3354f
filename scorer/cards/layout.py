"""Lay out a deal: who led each trick, who played which card, who won it.

A card that is there twice, or can't be read, is doubtful: its trick counts only where every
possible card gives the same result. So one mistake is one problem, and proves nothing.

Who led follows from the trick before, from what was written down, from the hands, and from the next
leader. Nothing follows across a trick that nobody remembers. Of contradicting leaders the one with
the fewest contradictions is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from scorer.cards.trick_game import UNREAD, CardPile, turns_of
from scorer.rules.seats import Seat

if TYPE_CHECKING:
    from scorer.cards.deal import CardDeal

NO_CARDS: tuple[int, ...] = ()
NO_DOUBTS: frozenset[int] = frozenset()

D = TypeVar("D", bound="CardDeal")


@dataclass(slots=True)
class Layout(Generic[D]):
    """A deal with its inferences; an unknown leader or winner is None.

    For each trick, ``places`` has the index of the winning card, 0 being the first one played, and
    ``worths`` the card points that it brings for certain. ``weighed`` caches the choice between
    contradictory leaders.
    """

    deal: D
    turns: Mapping[Seat, tuple[Seat, ...]]
    complete: bool
    seen: frozenset[int]
    doubtful: frozenset[int]
    hands: Mapping[Seat, frozenset[int]]
    holders: Mapping[int, Seat]
    places: Sequence[int | None]
    worths: Sequence[int]
    leaders: list[Seat | None]
    winners: list[Seat | None]
    weighed: dict[tuple[int, Seat | None], tuple[int, Seat | None]]

    def trick(self, index: int) -> CardPile | None:
        return self.deal.tricks[index] if 0 <= index < len(self.deal.tricks) else None

    def full(self, index: int) -> bool:
        trick = self.trick(index)
        return trick is not None and len(trick.cards) == len(self.turns)

    def in_play(self, index: int) -> bool:
        """Whether this is the last trick entered, and it is not complete."""
        trick, later = self.trick(index), self.deal.tricks[index + 1 :]
        return trick is not None and len(trick.cards) < len(self.turns) and not any(later)

    def player(self, index: int, place: int) -> Seat | None:
        """Return the player of a card by its place in a trick, from the leader; None if unknown."""
        leader = self.leaders[index]
        return None if leader is None else self.turns[leader][place]

    def plays(self, index: int) -> Iterator[tuple[Seat | None, int]]:
        """Yield the readable cards of a trick, each with its player, or None if unknown."""
        trick = self.deal.tricks[index]
        for place, card in enumerate(() if trick is None else trick.cards):
            if card != UNREAD:
                yield self.player(index, place), card

    def places_of(self, card: int) -> list[tuple[int, int]]:
        """Find a card among the tricks: trick and place, both from 0."""
        if card not in self.seen:
            return []
        return [
            (index, trick.cards.index(card))
            for index, trick in enumerate(self.deal.tricks)
            if trick is not None and card in trick.cards
        ]

    def may_hold(self, seat: Seat, card: int) -> bool:
        """Whether the written hands allow that a card was in this one."""
        if card in self.holders:
            return self.holders[card] == seat
        return seat not in self.hands

    def may_play(self, seat: Seat, card: int, index: int) -> bool:
        """Whether somebody may have had a card at a trick: dealt to him, or drawn before."""
        drawn = self.deal.drawn
        if drawn is None:
            return self.may_hold(seat, card)
        if card in drawn.places:
            drawer, after = self.drawer(drawn.places[card])
            return after < index and drawer in (None, seat)
        hands = self.deal.hands
        dealt = [holder for holder, hand in hands.items() if card in hand.cards]
        whole = seat in hands and len(hands[seat].cards) in self.deal.hand_sizes(seat)
        return seat in dealt if dealt else index > 0 or not whole

    def drawer(self, place: int) -> tuple[Seat | None, int]:
        """Return who draws a card of the stock, if known, and after which trick."""
        index, turn = divmod(place, len(self.turns))
        winner = self.winners[index] if index < len(self.winners) else None
        return (None if winner is None else self.turns[winner][turn]), index

    def misheld(self, trick: CardPile, leader: Seat) -> int:
        """Count the cards of a trick that were in other hands, if this seat led."""
        pairs = zip(self.turns[leader], trick.cards, strict=False)
        return sum(card != UNREAD and not self.may_hold(seat, card) for seat, card in pairs)

    def next_leader(self, index: int) -> Seat | None:
        """Return the leader after a trick: its winner, or the winner that was written down."""
        trick, winner = self.deal.tricks[index], self.winners[index]
        if winner is not None or trick is None or trick.winner not in self.turns:
            return winner
        return trick.winner

    def unseen(self) -> list[int]:
        """List the cards of the pack that were neither played nor laid aside."""
        return sorted(self.deal.letters.pack - self.seen)

    def held(self) -> dict[Seat, frozenset[int]]:
        """Return the cards that each player certainly held: a whole hand, or the played ones."""
        played: dict[Seat, set[int]] = {seat: set() for seat in self.turns}
        for index in range(len(self.deal.tricks)):
            for seat, card in self.plays(index):
                if seat is not None and card not in self.doubtful:
                    played[seat].add(card)
        return {seat: self.hands.get(seat, frozenset(cards)) for seat, cards in played.items()}

    def taken(self) -> tuple[dict[Seat, int], dict[Seat, int]]:
        """Sum up the card points and the tricks that each player has certainly taken."""
        points: dict[Seat, int] = dict.fromkeys(self.turns, 0)
        for worth, winner in zip(self.worths, self.winners, strict=True):
            if winner is not None:
                points[winner] += worth
        return points, {seat: self.winners.count(seat) for seat in points}


def lay_out(deal: D) -> Layout[D]:
    """Compute every leader and winner that follows from the record of a deal."""
    tricks = [NO_CARDS if trick is None else trick.cards for trick in deal.tricks]
    played, players = [*chain.from_iterable(tricks), *deal.aside], deal.players
    seen, doubtful = frozenset(played), NO_DOUBTS
    if len(seen) < len(played) or UNREAD in seen:
        doubtful = frozenset(card for card, n in Counter(played).items() if n > 1 or card == UNREAD)
    hands = _whole_hands(deal) if deal.hands else {}
    settled: Sequence[tuple[int | None, int]]
    if not doubtful and set(map(len, tricks)) == {len(players)}:
        settled = deal.deck.trick_results(tricks, deal.trump)
    else:
        unseen = sorted(deal.letters.pack - seen)
        settled = [_settle(cards, deal, doubtful, unseen) for cards in tricks]
    layout = Layout(
        deal=deal,
        turns=turns_of(players),
        complete=[*map(len, tricks)] == [len(players)] * deal.trick_count,
        seen=seen,
        doubtful=doubtful,
        hands=hands,
        holders={card: seat for seat, hand in hands.items() for card in hand},
        places=[place for place, _ in settled],
        worths=[worth for _, worth in settled],
        leaders=[],
        winners=[],
        weighed={},
    )
    _find_leaders(layout)
    return layout


def _whole_hands(deal: CardDeal) -> dict[Seat, frozenset[int]]:
    """Return the reliable hands: complete, readable, no card in two hands, played as dealt."""
    exchanges = deal.takes_up if deal.laid_aside else None
    held = Counter(card for hand in deal.hands.values() for card in hand.cards)
    return {
        seat: frozenset(hand.cards)
        for seat, hand in deal.hands.items()
        if len(hand.cards) == deal.trick_count
        and deal.drawn is None
        and seat != exchanges
        and all(card != UNREAD and held[card] == 1 for card in hand.cards)
    }


def _settle(
    cards: tuple[int, ...], deal: CardDeal, doubtful: frozenset[int], unseen: list[int]
) -> tuple[int | None, int]:
    """Return the place of the winning card, and the trick's certain card points.

    A doubtful card leaves open only what differs between the cards that it may be.
    """
    doubts = [place for place, card in enumerate(cards) if card in doubtful]
    if len(cards) != len(deal.players) or len(doubts) > 1:
        return None, 0
    tricks = [
        (*cards[:place], card, *cards[place + 1 :])
        for place in doubts
        for card in (cards[place], *unseen)
        if card != UNREAD
    ]
    settled = deal.deck.trick_results(tricks if doubts else [cards], deal.trump)
    places = {place for place, _ in settled}
    worth = min((worth for _, worth in settled), default=0)
    return (places.pop() if len(places) == 1 else None), worth


def _find_leaders(layout: Layout[Any]) -> None:
    """Fill in who led and who won each trick; the winner of one leads to the next."""
    leader, turns, hands = layout.deal.first_leader, layout.turns, layout.hands
    for index, (trick, place) in enumerate(zip(layout.deal.tricks, layout.places, strict=True)):
        if place is None or leader is None or hands or trick is None or trick.leader is not None:
            leader = _leader(layout, index, leader)
        layout.leaders.append(leader)
        if place is not None and leader is not None:
            leader = turns[leader][place]
            layout.winners.append(leader)
        else:
            # The written winner of a whole trick that a doubtful card leaves open is believed.
            open_trick = trick if place is None and layout.full(index) else None
            written = None if open_trick is None else open_trick.winner
            layout.winners.append(written if written in turns else None)
            leader = layout.next_leader(index)
    if None not in layout.leaders:
        return
    # An unknown leader follows from the next one, who won the trick.
    for index in reversed(range(len(layout.leaders) - 1)):
        place, following = layout.places[index], layout.leaders[index + 1]
        if layout.leaders[index] is None and place is not None and following is not None:
            layout.leaders[index] = _counted_back(layout, following, place)
            layout.winners[index] = following


def _leader(layout: Layout[Any], index: int, expected: Seat | None) -> Seat | None:
    """Return the leader of a trick that doesn't follow from the trick before."""
    trick, place = layout.trick(index), layout.places[index]
    if trick is not None and place is not None and expected is not None:
        agrees = trick.leader in (None, expected)
        if agrees and not (layout.hands and layout.misheld(trick, expected)):
            return expected
    return _weigh(layout, index, expected)[1]


def _weigh(layout: Layout[Any], index: int, expected: Seat | None) -> tuple[int, Seat | None]:
    """Choose the leader with the fewest contradictions; return their number, and the leader.

    Candidates are the expected leader, the written one, and those implied by a winner or a hand.

    Contradictions are counted to the end of the connected tricks: so one mistake is one problem,
    and the tricks after it are read as they were meant. In a trick with a card too few or too many
    nobody knows who played which card.
    """
    key, trick = (index, expected), layout.trick(index)
    if trick is None or not (layout.full(index) or layout.in_play(index)):
        return 0, None
    if key not in layout.weighed:
        leaders = [expected, trick.leader]
        place, winner = layout.places[index], trick.winner
        if place is not None and winner is not None and winner in layout.turns:
            leaders.append(_counted_back(layout, winner, place))
        leaders += [
            _counted_back(layout, layout.holders[card], place)
            for place, card in enumerate(trick.cards)
            if card in layout.holders
        ]
        weighed = [
            (_against(layout, index, trick, seat, expected), seat)
            for seat in dict.fromkeys(leaders)
            if seat is not None and seat in layout.turns
        ]
        layout.weighed[key] = min(weighed, key=itemgetter(0), default=(0, None))
    return layout.weighed[key]


def _counted_back(layout: Layout[Any], seat: Seat, place: int) -> Seat:
    """Return the leader if this seat played in that place."""
    return layout.turns[seat][-place % len(layout.turns)]


def _against(
    layout: Layout[Any], index: int, trick: CardPile, leader: Seat, expected: Seat | None
) -> int:
    """Count what contradicts a leader: written leaders and winners, and cards of other hands."""
    before, place = layout.trick(index - 1), layout.places[index]
    leaders = [expected, trick.leader, before.winner if before else None]
    count = sum(seat not in (None, leader) for seat in leaders) + layout.misheld(trick, leader)
    if place is None:
        return count
    winner = layout.turns[leader][place]
    count += trick.winner not in (None, winner)
    return count + _weigh(layout, index + 1, winner)[0]
