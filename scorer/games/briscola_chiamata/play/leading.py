"""Who led each trick: by the trick before, by what was written down, by the hands, by the next.

Across a trick that nobody remembers nothing follows. Where two things are told, the one is believed
that less of the record speaks against.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.play.layout import Layout
    from scorer.games.briscola_chiamata.play.record import Pile
    from scorer.rules.seats import Seat


def follow(layout: Layout) -> None:
    """Find out who led each trick and who won it: whoever wins one leads to the next."""
    leader, turns, hands = layout.first_leader, layout.turns, layout.hands
    for index, (trick, place) in enumerate(zip(layout.record.tricks, layout.places, strict=True)):
        if place is None or leader is None or hands or trick is None or trick.leader is not None:
            leader = _leader(layout, index, leader)
        layout.leaders.append(leader)
        if place is not None and leader is not None:
            leader = turns[leader][place]
            layout.winners.append(leader)
        else:
            layout.winners.append(None if trick is None else _written_winner(layout, index, trick))
            leader = layout.next_leader(index)
    if None in layout.leaders:
        _look_back(layout)


def _leader(layout: Layout, index: int, expected: Seat | None) -> Seat | None:
    """Who led a trick, where more than the trick before may tell it."""
    trick, settled = layout.trick(index), layout.places[index] is not None
    if settled and expected is not None and _agrees(layout, trick, expected):
        return expected
    return _reckon(layout, index, expected)[1]


def _agrees(layout: Layout, trick: Pile | None, leader: Seat) -> bool:
    """Whether nothing in a trick speaks against who must have led it."""
    if trick is None or trick.leader not in (None, leader):
        return False
    return not layout.hands or not layout.misheld(trick, leader)


def _reckon(layout: Layout, index: int, expected: Seat | None) -> tuple[int, Seat | None]:
    """Of all who are told to have led a trick, whom the least speaks against, and how much that is.

    What speaks against a leader is counted to the end of the tricks that follow: so one slip is one
    problem, and the tricks after it are read as they were meant. Of a trick with a card too few or
    too many nobody knows who played which.
    """
    key, trick = (index, expected), layout.trick(index)
    if trick is None or not (layout.full(index) or layout.in_play(index)):
        return 0, None
    if key not in layout.reckoned:
        told = dict.fromkeys([expected, trick.leader, *_counted_back_to(layout, index, trick)])
        weighed = [
            (_against(layout, index, trick, seat, expected), seat)
            for seat in told
            if seat is not None and seat in layout.turns
        ]
        layout.reckoned[key] = min(weighed, key=itemgetter(0), default=(0, None))
    return layout.reckoned[key]


def _counted_back_to(layout: Layout, index: int, trick: Pile) -> Iterator[Seat]:
    """The leaders that follow from the winner who was written down, and from the hands."""
    place, winner = layout.places[index], trick.winner
    if place is not None and winner is not None and winner in layout.turns:
        yield _counted_back(layout, winner, place)
    for place, card in enumerate(trick.cards):
        if card in layout.holders:
            yield _counted_back(layout, layout.holders[card], place)


def _counted_back(layout: Layout, seat: Seat, place: int) -> Seat:
    """Who led, when this seat played in that place."""
    return layout.turns[seat][-place % len(layout.turns)]


def _against(layout: Layout, index: int, trick: Pile, leader: Seat, expected: Seat | None) -> int:
    """Count leaders and winners who were written down and are others, and cards of others."""
    before, place = layout.trick(index - 1), layout.places[index]
    told = [expected, trick.leader, before.winner if before else None]
    count = sum(seat not in (None, leader) for seat in told) + layout.misheld(trick, leader)
    if place is None:
        return count
    winner = layout.turns[leader][place]
    count += trick.winner not in (None, winner)
    return count + _reckon(layout, index + 1, winner)[0]


def _written_winner(layout: Layout, index: int, trick: Pile) -> Seat | None:
    """Where a doubtful card leaves open who took a trick, it is whoever was written down."""
    settled = layout.places[index] is not None or not layout.full(index)
    return None if settled or trick.winner not in layout.turns else trick.winner


def _look_back(layout: Layout) -> None:
    """Where only the next leader is known, he won: count back from him."""
    for index in reversed(range(len(layout.leaders) - 1)):
        place, following = layout.places[index], layout.leaders[index + 1]
        if layout.leaders[index] is None and place is not None and following is not None:
            layout.leaders[index] = _counted_back(layout, following, place)
            layout.winners[index] = following
