"""The next deal of a session, the ways in which it is not played, and the turns of those after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorer.evening.terms import turn_of
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.services.state import SessionState
from scorer.services.writing import OUTCOME_WORDS
from scorer.storage import queries
from scorer.texts import Text, often, say, signed

#: Deals that a phone can go on for without a network.
MOST_AHEAD = 40


@dataclass(frozen=True, slots=True)
class NextDeal:
    """The next deal: its number, who deals it, who sits out, how many times it counts."""

    number: int
    dealer: str
    sits_out: tuple[str, ...]
    times: int


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """A way in which a deal is not played, and who deals then.

    ``again``: the same dealer. The next deal counts ``more`` times, or ``compound`` so many times
    what waits already.
    """

    code: str
    name: Text
    hint: Text
    again: bool
    more: int
    compound: bool


def next_deal(state: SessionState) -> NextDeal | None:
    """Tell the next deal; None where the session has ended or too few are left for one."""
    if state.row.ended_at or not state.can_go_on:
        return None
    active = state.table().active
    return NextDeal(
        number=state.row.next_number,
        dealer=state.names[state.turn.dealer],
        sits_out=tuple(state.names[seat] for seat in state.order if seat not in active),
        times=state.turn.times,
    )


def ways_not_played(state: SessionState) -> list[NotPlayed]:
    """List the ways in which the next deal may not be played, each with who deals then."""
    return [_not_played(state, outcome) for outcome in state.game.outcomes(state.rules)]


def _not_played(state: SessionState, outcome: Outcome) -> NotPlayed:
    turn, once, twice = (
        state.game.turn_after(before, outcome, state.order, state.rules)
        for before in (state.turn, state.turn._replace(times=1), state.turn._replace(times=2))
    )
    name = state.names[turn.dealer]
    if turn.times > 1:
        hint = say(
            "%(name)s deals; the next deal counts %(times)s", name=name, times=often(turn.times)
        )
    elif turn.dealer == state.turn.dealer:
        hint = say("%(name)s deals again, nothing is scored", name=name)
    else:
        hint = say("%(name)s deals next, nothing is scored", name=name)
    return NotPlayed(
        code=outcome.value,
        name=OUTCOME_WORDS[outcome],
        hint=hint,
        again=turn.dealer == state.turn.dealer,
        more=once.times,
        compound=twice.times > max(once.times, 2),
    )


def penalty_text(state: SessionState) -> Text:
    """Say what a penalty costs."""
    table = state.table()
    offender = table.active[0]
    paid = state.game.penalty(offender, table).payouts
    values = {"fine": signed(paid[offender]), "share": signed(paid[table.active[-1]])}
    if len(state.game.sides(table.active, table.rules)) < len(table.active):
        return say("%(fine)s for the offender’s side, %(share)s for the other", **values)
    return say("%(fine)s for the offender, %(share)s for everybody else", **values)


@dataclass(frozen=True, slots=True)
class TurnAhead:
    """Who deals a deal to come, and who plays it, in order of play."""

    dealer: Seat
    active: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Ahead:
    """What a phone needs to go on without a network: the turns from deal ``number`` on.

    ``times`` is the multiplier of the first of them, ``balances`` are those before it.
    """

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
