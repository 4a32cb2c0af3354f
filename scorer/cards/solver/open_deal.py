"""A deal with all cards known, its positions, and the questions and answers about them.

Players are places in order of play, from 0. Cards are numbers: a suit times ``height``, plus a rank
from 0 for the strongest; trumps are the first of four suits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class SolverGoal(Enum):
    """The questions about a position."""

    MADE = "made"
    VALUE = "value"
    BEST = "best"
    VERDICTS = "verdicts"


#: Is told the number of nodes so far, and says whether to go on.
Watch = Callable[[int], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """How long a search may last, and how many megabytes its table may take."""

    nodes: int | None = None
    seconds: float | None = None
    memory: int = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """An answer; unknown values, and those not asked for, are None; ``best`` has card numbers.

    A verdict has the number of a card played, from 0, and whether the target could be reached then.
    """

    decided: bool
    bounds: tuple[int, int]
    made: bool | None
    value: int | None = None
    best: tuple[int, ...] | None = None
    nodes: int
    verdicts: tuple[tuple[int, bool], ...] | None = None
    turning: int | None = None


class Position(NamedTuple):
    """A position in a deal: who leads, the trick so far, the hands, and our side's card points."""

    leader: int
    table: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    taken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDeal:
    """A deal with all its cards, and how far it was played.

    ``hands`` are as dealt, a ``dead`` one in the order of turning over; cards ``aside`` go to the
    winner of the last trick. ``ours`` are the places of the side that needs the ``target``,
    ``follows`` those of players who must follow suit. ``leader`` played the first card. ``names``
    and ``texts`` are the words for players and cards. Without ``trumps`` the first suit is like the
    others. If the cards are known only after ``tricks_before`` tricks, ``taken_before`` is what our
    side took in them.
    """

    height: int
    points: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    ours: frozenset[int]
    follows: frozenset[int]
    dead: int | None
    aside: int
    leader: int
    played: tuple[int, ...]
    target: int
    names: tuple[str, ...]
    texts: tuple[str, ...]
    trumps: bool = True
    tricks_before: int = 0
    taken_before: int = 0

    def place(self, index: int) -> tuple[int, int]:
        """Return the trick of a played card and its place in the trick, both from 1."""
        trick, card = divmod(index, len(self.hands))
        return self.tricks_before + trick + 1, card + 1

    def player(self, card: int) -> int:
        return next(seat for seat, hand in enumerate(self.hands) if card in hand)

    def positions(self) -> list[Position]:
        """Return every position, from before the first card to after the last."""
        position = Position(self.leader, (), self.hands, self.taken_before)
        positions = [position]
        for card in self.played:
            position = self.after(position, card)
            positions.append(position)
        return positions

    def to_play(self, position: Position) -> int:
        return (position.leader + len(position.table)) % len(self.hands)

    def playable(self, position: Position) -> tuple[int, ...]:
        """Return the cards that the next player may play; none after the last trick."""
        player = self.to_play(position)
        hand = position.hands[player]
        if player == self.dead:
            return hand[:1]
        led = position.table[0] // self.height if position.table else None
        suited = tuple(card for card in hand if card // self.height == led)
        return suited if suited and player in self.follows else hand

    def after(self, position: Position, card: int) -> Position:
        player, table = self.to_play(position), (*position.table, card)
        hands = tuple(
            tuple(other for other in hand if other != card) if seat == player else hand
            for seat, hand in enumerate(position.hands)
        )
        if len(table) < len(hands):
            return position._replace(table=table, hands=hands)
        winner = (position.leader + self.best_place(table)) % len(hands)
        worth = self.worth(table) + (0 if any(hands) else self.aside)
        taken = position.taken + (worth if winner in self.ours else 0)
        return Position(winner, (), hands, taken)

    def best_place(self, table: tuple[int, ...]) -> int:
        """Return the place of the winning card so far: the best trump, or of the suit led."""
        suits = [card // self.height for card in table]
        suit = 0 if self.trumps and 0 in suits else suits[0]
        return table.index(min(card for card in table if card // self.height == suit))

    def worth(self, cards: tuple[int, ...]) -> int:
        return sum(self.points[card] for card in cards)

    def left(self, position: Position) -> int:
        """Return the card points that are not taken yet: of trick, hands, discards."""
        if not any(position.hands):
            return 0
        return self.worth((*position.table, *sum(position.hands, ()))) + self.aside


def turning_point(made: Sequence[bool]) -> int | None:
    """Return the index of the last verdict before a different one, if any."""
    changes = (place for place in range(len(made) - 1) if made[place] != made[place + 1])
    return max(changes, default=None)
