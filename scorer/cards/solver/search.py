"""Search an open deal, within a limit, for four questions (contract.md, solve).

The search runs in growing budgets of nodes, and after each checks the limit and asks the caller
whether to go on; the transposition table keeps the results. At the limit open questions stay open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from time import monotonic

from scorer.cards.solver import kernel
from scorer.cards.solver.kernel import ENGINE, array_of, zeros
from scorer.cards.solver.open_deal import (
    Limit,
    OpenDeal,
    Position,
    Solved,
    SolverGoal,
    Watch,
    turning_point,
)

COMPILED = ENGINE == "numba"
#: Nodes before the clock is looked at for the first time, some hundredths of a second.
FIRST_BUDGET = 1 << (18 if COMPILED else 11)
#: Three numbers of the table a position; in Python they are objects.
ENTRY = 24 if COMPILED else 150
#: More than this Python doesn't fill in minutes.
MOST_ENTRIES = 1 << (26 if COMPILED else 20)
MEGABYTE = 10**6
SUITS, PLIES = 4, 48
NO_LIMIT = Limit()


class Search:
    """The search of one deal: its state, its table, and what is left of the limit."""

    def __init__(self, deal: OpenDeal, limit: Limit, watch: Watch = lambda _: True) -> None:
        self.deal, self.limit, self.nodes = deal, limit, 0
        self._watch, self._began, self._stopped = watch, monotonic(), False
        self._state = _state_of(deal, limit)

    def allow(self, seconds: float) -> None:
        """Let the search go on for so many seconds from now, instead of its own."""
        self.limit = replace(self.limit, seconds=monotonic() - self._began + seconds)

    def at_least(self, position: Position, total: int) -> bool | None:
        """Whether our side ends with a number of card points; None at the limit."""
        need, left = total - position.taken, self.deal.left(position)
        if need <= 0 or need > left:
            return need <= 0
        answer = kernel.UNDECIDED
        while answer == kernel.UNDECIDED:
            budget = self._budget()
            if budget <= 0:
                return None
            answer = self._search(position, need, left, budget)
            self._stopped = self._stopped or not self._watch(self.nodes)
        return bool(answer)

    def verdicts(self, first: int = 0, known: int | None = None) -> Iterator[bool]:
        """Yield backwards from the last card played whether the target was still reached.

        The last verdict is the one before the card ``first``, or at the limit; those from
        before the card ``known`` on are left out.
        """
        for position in reversed(self.deal.positions()[first:known]):
            made = self.at_least(position, self.deal.target)
            if made is None:
                break
            yield made

    def values(self) -> Iterator[int]:
        """Yield backwards from the last card played the exact value of each position.

        The last value is the one before the first card, or at the limit.
        """
        for position in reversed(self.deal.positions()):
            low, high = self.value(position)
            if low < high:
                break
            yield low

    def value(self, position: Position) -> tuple[int, int]:
        """The card points that our side ends with, or the bounds that the limit left."""
        low, high = self.bounds(position)
        total = min(max(self.deal.target, low + 1), high)
        while low < high:
            reached = self.at_least(position, total)
            if reached is None:
                break
            low, high = (total, high) if reached else (low, total - 1)
            total = (low + high + 1) // 2
        return low, high

    def bounds(self, position: Position, *, made: bool | None = None) -> tuple[int, int]:
        """Return what our side can end with, also by whether it reaches the target."""
        low, high = position.taken, position.taken + self.deal.left(position)
        if made is None:
            return low, high
        target = self.deal.target
        return (max(low, target), high) if made else (low, min(high, target - 1))

    def _budget(self) -> int:
        """Return the number of nodes to search next; 0 at the limit."""
        budget, limit, spent = FIRST_BUDGET + self.nodes // 8, self.limit, self.nodes
        if limit.nodes is not None:
            budget = min(budget, limit.nodes - spent)
        if limit.seconds is not None:
            elapsed = monotonic() - self._began
            rest = limit.seconds - elapsed
            if rest <= 0:
                return 0
            if spent:
                budget = min(budget, int(rest * spent / elapsed) + 1)
        return 0 if self._stopped else budget

    def _search(self, position: Position, need: int, left: int, budget: int) -> int:
        deal, state, table = self.deal, self._state, position.table
        owners = [0] * SUITS
        for seat, hand in enumerate(position.hands):
            state.hands[seat] = sum(1 << card for card in hand)
            for card in hand:
                shift = kernel.OWNER_BITS * (card % deal.height)
                owners[card // deal.height] |= (seat + 1) << shift
        for suit, owned in enumerate(owners):
            state.owners[suit] = owned
        state.counters[kernel.NODES], state.counters[kernel.LIMIT] = 0, budget
        place = deal.best_place(table) if table else 0
        answer = kernel.reaches(
            state,
            0,
            position.leader,
            len(table),
            table[place] if table else 0,
            (position.leader + place) % len(deal.hands),
            deal.worth(table),
            table[0] if table else 0,
            need,
            left,
        )
        self.nodes += int(min(state.counters[kernel.NODES], budget))
        return int(answer)


def _state_of(deal: OpenDeal, limit: Limit) -> kernel.State:
    entries = max(1, min(limit.memory * MEGABYTE // ENTRY, MOST_ENTRIES)) | 1
    seats, honours = range(len(deal.hands)), sum(map(bool, deal.points[: deal.height]))
    dead = -1 if deal.dead is None else deal.dead
    turned = [0, *reversed(deal.hands[dead])] if deal.dead is not None else [0]
    rules = {
        kernel.SEATS: len(deal.hands),
        kernel.HEIGHT: deal.height,
        kernel.ASIDE: deal.aside,
        kernel.HONOURS: honours,
        kernel.SIZE: entries,
        kernel.DEAD: dead,
        kernel.FOLLOW: bool(deal.follows),
        kernel.TRUMPS: deal.trumps,
    }
    return kernel.State(
        rules=array_of(int(rules[key]) for key in range(len(rules))),
        hands=zeros(len(seats)),
        ours=array_of(int(seat in deal.ours) for seat in seats),
        follows=array_of(int(seat in deal.follows) for seat in seats),
        owners=zeros(SUITS),
        points=array_of(deal.points),
        turned=array_of(turned),
        closed_up=_closed_up(deal.height - honours),
        moves=zeros(PLIES * kernel.MOST_MOVES),
        promise=zeros(PLIES * kernel.MOST_MOVES),
        first=zeros(entries),
        second=zeros(entries),
        bounds=zeros(entries),
        counters=zeros(2),
    )


@cache  # the same for every search
def _closed_up(ranks: int) -> kernel.Array:
    """Return the owners of a suit's worthless ranks, gone ones left out."""
    closed = [0]
    for _ in range(ranks):
        closed = [
            (low | owner) if not owner else (low << kernel.OWNER_BITS | owner)
            for low in closed
            for owner in range(kernel.OWNER + 1)
        ]
    return array_of(closed)


def solve(
    deal: OpenDeal,
    ask: SolverGoal,
    start: int | None = None,
    limit: Limit = NO_LIMIT,
    watch: Watch = lambda _: True,
) -> Solved:
    """Answer a question about the position before a card, or after the last one played."""
    search, positions = Search(deal, limit, watch), deal.positions()
    if ask is SolverGoal.VERDICTS:
        return _verdicts(search, positions, start)
    position = positions[-1 if start is None else start]
    value = best = None
    if ask is SolverGoal.MADE:
        made = search.at_least(position, deal.target)
        bounds, decided = search.bounds(position, made=made), made is not None
    else:
        low, high = bounds = search.value(position)
        value = low if low == high else None
        best = _best(search, position, low) if ask is SolverGoal.BEST and low == high else None
        decided = low == high and (ask is SolverGoal.VALUE or best is not None)
        made = low >= deal.target if decided else None
    return Solved(
        decided=decided, bounds=bounds, made=made, value=value, best=best, nodes=search.nodes
    )


def _best(search: Search, position: Position, value: int) -> tuple[int, ...] | None:
    """Return the cards that keep a position's value; None at the limit."""
    deal, best = search.deal, list[int]()
    ours = deal.to_play(position) in deal.ours
    for card in deal.playable(position):
        reached = search.at_least(deal.after(position, card), value if ours else value + 1)
        if reached is None:
            return None
        if reached == ours:
            best.append(card)
    return tuple(best)


def _verdicts(search: Search, positions: Sequence[Position], start: int | None) -> Solved:
    """Whether the target was still reached after every card, from the last one backwards."""
    verdicts = [*search.verdicts(start or 0)][::-1]
    reached = len(positions) - max(1, len(verdicts))
    decided = bool(verdicts) and start in (None, reached)
    made = verdicts[0] if decided else None
    turning = turning_point(verdicts)
    return Solved(
        decided=decided,
        bounds=search.bounds(positions[reached], made=made),
        made=made,
        nodes=search.nodes,
        verdicts=tuple(enumerate(verdicts[1:], start=reached)),
        turning=None if turning is None else reached + turning,
    )
