"""What a phone needs to go on without a network: who deals and plays the deals to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.rules.terms import turn_of
from scorer.storage import queries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.services.state import SessionState

#: More than anybody deals before the network is back.
MOST_AHEAD = 40


@dataclass(frozen=True, slots=True)
class TurnAhead:
    """Who deals a deal to come, and who plays it, in order of play."""

    dealer: Seat
    active: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Ahead:
    """The deals from ``number`` on, the multiplier of the first, and the balances before it."""

    number: int
    times: int
    turns: tuple[TurnAhead, ...]
    balances: Mapping[Seat, int]


def ahead(state: SessionState) -> Ahead:
    """Return the turns to come if every deal is played.

    Only the first one is known in games where a deal can put somebody out.
    """
    return Ahead(
        number=state.row.next_number,
        times=state.turn.times,
        turns=tuple(_turns(state)),
        balances=queries.balances(state.circle_id, state.session_id),
    )


def _turns(state: SessionState) -> Iterator[TurnAhead]:
    turn, number = state.turn, state.row.next_number
    yield TurnAhead(turn.dealer, state.table().active)
    for following in range(number + 1, number + (1 if state.game.eliminates else MOST_AHEAD)):
        before = state.terms(following - 1, after=following - 2)
        terms = state.terms(following, after=following - 1)
        turn = turn_of(state.game, (turn, Outcome.PLAYED), before, terms)
        yield TurnAhead(turn.dealer, terms.active(state.game, turn.dealer))
