"""The line of play: who led each trick, who played which card, who won it, whose turn it is.

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

from scorer.cards.board import Board, PlayedTrick
from scorer.rules.seats import Seat


@dataclass(slots=True)
class Line:
    """A board with what follows from it; an unknown leader or winner is None.

    For each trick ``places`` has the place of the winning card, from the lead on, and ``worths``
    the card points that it brings for certain. ``hands`` are the reliable ones, ``holders`` their
    players by card. ``weighed`` keeps the choice between contradictory leaders.
    """

    board: Board
    doubtful: frozenset[int]
    seen: frozenset[int]
    hands: Mapping[Seat, frozenset[int]]
    holders: Mapping[int, Seat]
    places: Sequence[int | None]
    worths: Sequence[int]
    leaders: list[Seat | None]
    winners: list[Seat | None]
    weighed: dict[tuple[int, Seat | None], tuple[int, Seat | None]]

    def trick(self, index: int) -> PlayedTrick | None:
        return self.board.tricks[index] if 0 <= index < len(self.board.tricks) else None

    def player(self, index: int, place: int) -> Seat | None:
        leader = self.leaders[index]
        return None if leader is None else self.board.turns[leader][place]

    def plays(self, index: int) -> Iterator[tuple[Seat | None, int]]:
        """Yield the readable cards of a trick, each with its player, or None if unknown."""
        trick = self.board.tricks[index]
        for place, card in enumerate(() if trick is None else trick.cards):
            if card in self.board.deck.pack:
                yield self.player(index, place), card

    def all_plays(self) -> Iterator[tuple[int, Seat | None, int]]:
        for index in range(len(self.board.tricks)):
            for seat, card in self.plays(index):
                yield index, seat, card

    def places_of(self, card: int) -> list[tuple[int, int]]:
        return [
            (index, trick.cards.index(card))
            for index, trick in enumerate(self.board.tricks)
            if trick is not None and card in trick.cards
        ]

    def unseen(self) -> list[int]:
        return sorted(self.board.deck.pack - self.seen)

    def may_hold(self, seat: Seat, card: int) -> bool:
        """Whether the written hands allow that a card was in this one."""
        return self.holders[card] == seat if card in self.holders else seat not in self.hands

    def may_play(self, seat: Seat, card: int, index: int) -> bool:
        """Whether somebody may have had a card at a trick: dealt to him, or drawn before."""
        drawn = self.board.stock_places
        if drawn is None:
            return self.may_hold(seat, card)
        if card in drawn:
            drawer, after = self.drawer(drawn[card])
            return after < index and drawer in (None, seat)
        hands = self.board.hands
        dealt = [holder for holder, hand in hands.items() if card in hand]
        whole = len(hands.get(seat, ())) == self.board.facts.each
        return seat in dealt if dealt else index > 0 or not whole

    def drawer(self, place: int) -> tuple[Seat | None, int]:
        """Return who draws a card of the stock, if known, and after which trick."""
        index, turn = divmod(place, len(self.board.players))
        winner = self.winners[index] if index < len(self.winners) else None
        return (None if winner is None else self.board.turns[winner][turn]), index

    def misheld(self, trick: PlayedTrick, leader: Seat) -> int:
        """Count the cards of a trick that were in other hands, if this seat led."""
        pairs = zip(self.board.turns[leader], trick.cards, strict=False)
        pack = self.board.deck.pack
        return sum(card in pack and not self.may_hold(seat, card) for seat, card in pairs)

    def held(self) -> dict[Seat, frozenset[int]]:
        """Return the cards that each was certainly dealt: a whole hand, or the played ones.

        Where cards are drawn, only the first one played was certainly dealt.
        """
        board, hands = self.board, self.hands
        played: dict[Seat, set[int]] = {seat: set() for seat in board.players}
        for index, seat, card in self.all_plays():
            if seat is not None and card not in self.doubtful:
                played[seat] |= {card} if board.stock_places is None or index == 0 else set()
        if board.stock_places is not None:
            each, pack = board.facts.each, board.deck.pack
            dealt = {seat: frozenset(hand) for seat, hand in board.hands.items()}
            hands = {seat: hand for seat, hand in dealt.items() if len(hand & pack) == each}
        return {seat: hands.get(seat, frozenset(cards)) for seat, cards in played.items()}

    def surely_had(self, seat: Seat, card: int, index: int) -> bool:
        """Whether a card that somebody played later was already in that hand at a trick."""
        drawn, facts = self.board.stock_places, self.board.facts
        if drawn is None or index >= facts.tricks - facts.each:
            return True
        if card in drawn:
            return self.drawer(drawn[card])[1] < index
        return card in self.board.hands.get(seat, ())

    def taken(self) -> tuple[dict[Seat, int], dict[Seat, int]]:
        """Sum up the card points and the tricks that each player has certainly taken."""
        points: dict[Seat, int] = dict.fromkeys(self.board.players, 0)
        aside = [] if self.aside_worth is None else [(self.winners[-1], self.aside_worth)]
        for winner, worth in [*zip(self.winners, self.worths, strict=True), *aside]:
            if winner is not None:
                points[winner] += worth
        return points, {seat: self.winners.count(seat) for seat in points}

    @property
    def aside_worth(self) -> int | None:
        """The certain card points of the cards laid aside; None while nobody has taken them.

        They go to the winner of the last trick (rules.md A6). Once all tricks are known, they are
        the rest of the pack.
        """
        board, points = self.board, self.board.deck.points
        over = len(self.winners) == board.facts.tricks and self.winners[-1] is not None
        if not board.facts.monte or not over:
            return None
        if board.complete and not self.doubtful:
            return sum(points) - sum(self.worths)
        sure = (points[card] for card in board.aside or () if card not in self.doubtful)
        return sum(sure) if board.aside else None

    def next_leader(self, index: int) -> Seat | None:
        """Return the leader after a trick: its winner, or the winner that was written down."""
        trick, winner = self.board.tricks[index], self.winners[index]
        if winner is not None or trick is None or trick.winner not in self.board.turns:
            return winner
        return trick.winner

    @property
    def turn(self) -> Seat | None:
        """Return the next player; None if the leader is unknown, or the deal is over."""
        board, last, trick = self.board, len(self.board.tricks) - 1, self.board.open_trick
        if board.over:
            return None
        if trick is not None:
            return self.player(last, len(trick.cards))
        return self.next_leader(last) if board.tricks else board.first_leader

    @property
    def playable(self) -> list[int]:
        """The cards that may be played next; not to follow suit is only a warning."""
        seat, index, drawn = self.turn, self.board.index, self.board.stock_places or {}
        if self.board.over:
            return []
        if seat is None:
            stock = {card for card, at in drawn.items() if self.drawer(at)[1] >= index}
            return [card for card in self.unseen() if card not in stock]
        if seat in self.hands:
            return [card for card in self.unseen() if card in self.hands[seat]]
        return [card for card in self.unseen() if self.may_play(seat, card, index)]


def follow(board: Board) -> Line:
    """Compute every leader and winner that follows from what is written down."""
    return board.computed(_follow)


def _follow(board: Board) -> Line:
    pack, tricks = board.deck.pack, [() if trick is None else trick.cards for trick in board.tricks]
    played = Counter(chain(*tricks, board.aside or ()))
    doubtful = frozenset(card for card, n in played.items() if n > 1 or card not in pack)
    unseen = sorted(pack.difference(played))
    settled = [_settle(cards, board, doubtful, unseen) for cards in tricks]
    hands = _whole_hands(board)
    holders = {card: seat for seat, hand in hands.items() for card in hand}
    places, worths = [place for place, _ in settled], [worth for _, worth in settled]
    line = Line(board, doubtful, frozenset(played), hands, holders, places, worths, [], [], {})
    _find_leaders(line)
    return line


def _whole_hands(board: Board) -> dict[Seat, frozenset[int]]:
    """Return the reliable hands: complete, readable, no card in two hands, played as dealt."""
    held = Counter(chain(*board.hands.values()))
    return {
        seat: frozenset(hand)
        for seat, hand in board.hands.items()
        if len(hand) == board.facts.each == board.facts.tricks
        and seat != board.takes_up
        and all(card in board.deck.pack and held[card] == 1 for card in hand)
    }


def _settle(
    cards: tuple[int, ...], board: Board, doubtful: frozenset[int], unseen: list[int]
) -> tuple[int | None, int]:
    """Return the place of the winning card, and the trick's certain card points."""
    doubts = [place for place, card in enumerate(cards) if card in doubtful]
    if len(cards) != len(board.players) or len(doubts) > 1:
        return None, 0
    ways = [cards]
    for at in doubts:
        ways = [(*cards[:at], card, *cards[at + 1 :]) for card in (cards[at], *unseen)]
    read = [way for way in ways if board.deck.pack.issuperset(way)]
    results = [board.deck.result(way, board.trump) for way in read]
    found = {place for place, _ in results}
    worth = min((worth for _, worth in results), default=0)
    return (found.pop() if len(found) == 1 else None), worth


def _find_leaders(line: Line) -> None:
    board, leader = line.board, line.board.first_leader
    for index, trick in enumerate(board.tricks):
        place, leader = line.places[index], _leader(line, index, leader)
        line.leaders.append(leader)
        if place is not None and leader is not None:
            leader = board.turns[leader][place]
            line.winners.append(leader)
        else:
            # The written winner of a whole trick that a doubtful card leaves open is believed.
            whole = trick is not None and len(trick.cards) == len(board.players)
            written = trick.winner if trick and whole and place is None else None
            line.winners.append(written if written in board.turns else None)
            leader = line.next_leader(index)
    # An unknown leader follows from the next one, who won the trick.
    for index in reversed(range(len(line.leaders) - 1)):
        place, following = line.places[index], line.leaders[index + 1]
        if line.leaders[index] is None and place is not None and following is not None:
            line.leaders[index] = _counted_back(board, following, place)
            line.winners[index] = following


def _leader(line: Line, index: int, expected: Seat | None) -> Seat | None:
    """Return who led a trick: the expected leader, unless something contradicts that."""
    trick, place = line.trick(index), line.places[index]
    if trick is None or place is None or expected is None:
        return _weigh(line, index, expected)[1]
    agrees = trick.leader in (None, expected) and not line.misheld(trick, expected)
    return expected if agrees else _weigh(line, index, expected)[1]


def _weigh(line: Line, index: int, expected: Seat | None) -> tuple[int, Seat | None]:
    """Choose the leader with the fewest contradictions; return their number, and the leader.

    Candidates are the expected leader, the written one, and those implied by a winner or a hand.
    Contradictions are counted to the end of the connected tricks: so one mistake is one problem,
    and the tricks after it are read as they were meant.
    """
    key, trick, board = (index, expected), line.trick(index), line.board
    size = 0 if trick is None else len(trick.cards)
    # Of the tricks with fewer cards only the last one entered is connected.
    last = not any(board.tricks[index + 1 :])
    if trick is None or size > len(board.players) or (size < len(board.players) and not last):
        return 0, None
    if key not in line.weighed:
        leaders, place = [expected, trick.leader], line.places[index]
        if place is not None and trick.winner is not None and trick.winner in board.turns:
            leaders.append(_counted_back(board, trick.winner, place))
        leaders += [
            _counted_back(board, line.holders[card], place)
            for place, card in enumerate(trick.cards)
            if card in line.holders
        ]
        weighed = [
            (_against(line, index, trick, seat, expected), seat)
            for seat in dict.fromkeys(leaders)
            if seat is not None and seat in board.turns
        ]
        line.weighed[key] = min(weighed, key=lambda pair: pair[0], default=(0, None))
    return line.weighed[key]


def _counted_back(board: Board, seat: Seat, place: int) -> Seat:
    """Return the leader if this seat played in that place."""
    return board.turns[seat][-place % len(board.players)]


def _against(
    line: Line, index: int, trick: PlayedTrick, leader: Seat, expected: Seat | None
) -> int:
    """Count what contradicts a leader: written leaders and winners, and cards of other hands."""
    before, place = line.trick(index - 1), line.places[index]
    leaders = [expected, trick.leader, before.winner if before else None]
    count = sum(seat not in (None, leader) for seat in leaders) + line.misheld(trick, leader)
    if place is None:
        return count
    winner = line.board.turns[leader][place]
    return count + (trick.winner not in (None, winner)) + _weigh(line, index + 1, winner)[0]
