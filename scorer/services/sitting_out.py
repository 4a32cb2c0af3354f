"""Who sits out: by turn, or chosen for one deal; how often each has, and who owes a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.rules.game import Outcome
from scorer.rules.rota import SatOut, times_out, to_change, to_the_good
from scorer.rules.seats import Seat
from scorer.rules.terms import turn_of
from scorer.services.changes import ChangeRequest, NewSeats, change_session
from scorer.services.state import load_state
from scorer.storage import queries

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.roles import Holder
    from scorer.services.state import SessionState


@dataclass(frozen=True, slots=True)
class SittingOut:
    """Who sits out the next deal, and what the rota says of it.

    ``following`` sit out the deal after it, if it is played. ``times`` says how often each of those
    at the table has sat out, ``ahead`` how often more than by turn. ``offered`` is a swap
    that evens this out: who of those out is ahead, and who could sit out instead.
    """

    out: tuple[Seat, ...]
    by_turn: tuple[Seat, ...]
    following: tuple[Seat, ...]
    times: dict[Seat, int]
    ahead: dict[Seat, int]
    offered: tuple[Seat, Seat] | None

    @property
    def chosen(self) -> bool:
        """Whether it is not by turn."""
        return set(self.out) != set(self.by_turn)


def sitting_out(state: SessionState) -> SittingOut | None:
    """Say who sits out the next deal; None where everybody plays who is not out."""
    if state.game.eliminates:
        return None
    playing = state.table().active
    out = tuple(seat for seat in state.order if seat not in playing)
    if not out:
        return None
    past = [_sat_out(state, deal) for deal in queries.sat_out(state.circle_id, state.session_id)]
    times, ahead = times_out(past), to_the_good(past)
    by_turn = state.upcoming.by_turn(state.game, state.turn.dealer)
    offered = to_change(out, playing, ahead) if set(out) == set(by_turn) else None
    return SittingOut(
        out=out,
        by_turn=by_turn,
        following=_following(state),
        times={seat: times[seat] for seat in state.order},
        ahead={seat: ahead[seat] for seat in state.order if seat in ahead},
        offered=offered,
    )


def _sat_out(state: SessionState, deal: queries.SatOutRow) -> SatOut:
    terms = state.terms(deal.number, deal.serial)
    out = tuple(Seat(seat) for seat in deal.sits_out)
    return SatOut(out, terms.by_turn(state.game, Seat(deal.dealer)))


def _following(state: SessionState) -> tuple[Seat, ...]:
    following = state.terms(state.row.next_number + 1)
    turn = turn_of(state.game, (state.turn, Outcome.PLAYED), state.upcoming, following)
    return following.by_turn(state.game, turn.dealer)


@dataclass(frozen=True, slots=True)
class SitOutChoice:
    """What a phone chooses for deal ``number``: one who sits out, ``instead`` of another.

    ``seen`` is how much was written in the session when it looked. With nobody chosen it is by turn
    again.
    """

    number: int
    seen: int
    instead: int | None = None
    chosen: int | None = None


def choose(session_id: UUID, choice: SitOutChoice, by: Holder) -> None:
    """Let somebody else sit out the next deal, or go back to whose turn it is.

    Raise ConflictError when something was written meanwhile, InvalidError when it can't be so.
    """
    state = load_state(by.circle_id, session_id)
    out: list[int] | None = None
    if choice.chosen is not None:
        staying = {*state.table().active, choice.instead}
        out = [*(seat for seat in state.order if seat not in staying), choice.chosen]
    seats = NewSeats(state.order, out, state.upcoming.dealer)
    change_session(
        session_id,
        ChangeRequest(
            choice.number, choice.number, seats=seats, until_number=choice.number, seen=choice.seen
        ),
        by,
    )
