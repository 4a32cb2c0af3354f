"""Who sits out: by turn, or chosen for one deal; how often each has, and who owes a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from scorer.evening.rota import SatOut, times_out, to_change, to_the_good
from scorer.evening.terms import turn_of
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.services.changes import ChangeRequest, NewSeats, change_session
from scorer.services.roles import Holder
from scorer.services.state import SessionState, load_state
from scorer.storage import queries
from scorer.texts import Text, joined, say


@dataclass(frozen=True, slots=True)
class SittingOut:
    """Who sits out the next deal, and what the rota says of it.

    ``following`` sit out the deal after it, if it is played. ``times`` says how often each of those
    at the table has sat out, ``ahead`` how often more than by turn. ``offered`` is a swap
    that evens this out: who of those out is ahead, and who could sit out instead. ``rule`` says how
    the turn goes by the rules.
    """

    names: tuple[str, ...]
    out: tuple[Seat, ...]
    playing: tuple[Seat, ...]
    by_turn: tuple[Seat, ...]
    following: tuple[Seat, ...]
    times: dict[Seat, int]
    ahead: dict[Seat, int]
    offered: tuple[Seat, Seat] | None
    rule: Text | None

    @property
    def chosen(self) -> bool:
        """Whether it is not by turn."""
        return set(self.out) != set(self.by_turn)

    @property
    def why(self) -> Text | None:
        """Why those sit out who do."""
        if not self.chosen:
            return self.rule
        return say(
            "Chosen for this deal. By turn it would be %(names)s.", names=self._named(self.by_turn)
        )

    @property
    def back(self) -> Text:
        """What goes back to whose turn it is, where somebody else was chosen."""
        return say("Back to the turn: %(names)s", names=self._named(self.by_turn))

    @property
    def then(self) -> Text:
        """Who sits out the deal after the next."""
        return say("then %(names)s", names=self._named(self.following))

    @property
    def owed(self) -> list[Text]:
        """Who is ahead, and who owes turns."""
        return [_ahead(self.names[seat], count) for seat, count in self.ahead.items()]

    @property
    def offer(self) -> tuple[Text, Text] | None:
        """Why the swap is offered, and what it is."""
        if self.offered is None:
            return None
        pair = {"name": self.names[self.offered[0]], "other": self.names[self.offered[1]]}
        return (
            say("%(name)s has sat out for another before, and %(other)s owes a turn.", **pair),
            say("Let %(other)s sit out for %(name)s", **pair),
        )

    def _named(self, seats: Sequence[Seat]) -> Text:
        return joined([self.names[seat] for seat in seats])


def _ahead(name: str, count: int) -> Text:
    if count == 1:
        return say("%(name)s is one turn ahead.", name=name)
    if count == -1:
        return say("%(name)s owes a turn.", name=name)
    if count > 0:
        return say("%(name)s is %(count)s turns ahead.", name=name, count=count)
    return say("%(name)s owes %(count)s turns.", name=name, count=-count)


def sitting_out(state: SessionState) -> SittingOut | None:
    """Say who sits out the next deal; None where everybody plays who is not out."""
    if state.game.eliminates:
        return None
    active = state.table().active
    out = tuple(seat for seat in state.order if seat not in active)
    if not out:
        return None
    past = [_sat_out(state, deal) for deal in queries.sat_out(state.circle_id, state.session_id)]
    times, ahead = times_out(past), to_the_good(past)
    by_turn = state.upcoming.by_turn(state.game, state.turn.dealer)
    following = state.terms(state.row.next_number + 1)
    turn = turn_of(state.game, (state.turn, Outcome.PLAYED), state.upcoming, following)
    return SittingOut(
        names=state.names,
        out=out,
        playing=tuple(seat for seat in state.order if seat in active),
        by_turn=by_turn,
        following=following.by_turn(state.game, turn.dealer),
        times={seat: times[seat] for seat in state.order},
        ahead={seat: ahead[seat] for seat in state.order if seat in ahead},
        offered=to_change(out, active, ahead) if set(out) == set(by_turn) else None,
        rule=state.game.who_sits_out(len(state.order), state.rules),
    )


def _sat_out(state: SessionState, deal: queries.SatOutRow) -> SatOut:
    terms = state.terms(deal.number, deal.serial)
    out = tuple(Seat(seat) for seat in deal.sits_out)
    return SatOut(out, terms.by_turn(state.game, Seat(deal.dealer)))


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
