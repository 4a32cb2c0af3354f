"""Who sits out the next deal: told on the session's page, and chosen there with one tap."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from flask import flash, redirect, request
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError
from scorer.services.sitting_out import SitOutChoice, choose, sitting_out
from scorer.texts import Text, say
from scorer.web.access import current_holder
from scorer.web.deals.pages import session_url
from scorer.web.filters import in_words
from scorer.web.forms.sessions import SitOutForm
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.views import SeatAmount, SeatView, joined, seat_views

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.rules.seats import Seat
    from scorer.services.sitting_out import SittingOut
    from scorer.services.state import SessionState


class Others(NamedTuple):
    """Who could sit out instead of somebody."""

    instead: SeatView
    seats: list[SeatView]


class Change(NamedTuple):
    """A change of places that makes it even, and why."""

    instead: int
    chosen: int
    why: Text
    text: Text


@dataclass(frozen=True, slots=True)
class SittingOutView:
    """Who sits out the next deal, why, who does then, how often each has, and who else could."""

    number: int
    seen: int
    out: list[SeatView]
    why: Text | None
    following: Text
    times: list[SeatAmount]
    owed: list[Text]
    offered: Change | None
    back: Text | None
    others: list[Others]


def sitting_out_view(state: SessionState) -> SittingOutView | None:
    """Show who sits out the next deal; None where everybody plays."""
    found = sitting_out(state)
    if found is None:
        return None
    names = _names(state, found.by_turn)
    return SittingOutView(
        number=state.row.next_number,
        seen=state.row.written,
        out=seat_views(state.names, found.out),
        why=say("Chosen for this deal. By turn it would be %(names)s.", names=names)
        if found.chosen
        else state.game.who_sits_out(len(state.order), state.rules),
        following=say("then %(names)s", names=_names(state, found.following)),
        times=[SeatAmount(seat, state.names[seat], n) for seat, n in found.times.items()],
        owed=_owed(state, found),
        offered=_offered(state, found.offered),
        back=say("Back to the turn: %(names)s", names=names) if found.chosen else None,
        others=_others(state, found),
    )


def _names(state: SessionState, seats: tuple[Seat, ...]) -> Text | str:
    return joined([state.names[seat] for seat in seats])


def _owed(state: SessionState, found: SittingOut) -> list[Text]:
    """Say who owes turns and who has some to the good."""
    return [_ahead(state.names[seat], count) for seat, count in found.ahead.items()]


def _ahead(name: str, count: int) -> Text:
    if count == 1:
        return say("%(name)s is one turn ahead.", name=name)
    if count == -1:
        return say("%(name)s owes a turn.", name=name)
    if count > 0:
        return say("%(name)s is %(count)s turns ahead.", name=name, count=count)
    return say("%(name)s owes %(count)s turns.", name=name, count=-count)


def _offered(state: SessionState, offered: tuple[Seat, Seat] | None) -> Change | None:
    if offered is None:
        return None
    names = {"name": state.names[offered[0]], "other": state.names[offered[1]]}
    why = say("%(name)s has sat out for another before, and %(other)s owes a turn.", **names)
    return Change(*offered, why, say("Let %(other)s sit out for %(name)s", **names))


def _others(state: SessionState, found: SittingOut) -> list[Others]:
    playing = [seat for seat in state.order if seat not in found.out]
    others = seat_views(state.names, playing)
    return [Others(seat, others) for seat in seat_views(state.names, found.out)]


@pages.post(f"{SESSION}/sit-out")
def sit_out(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Let somebody else sit out the next deal, or go back to whose turn it is."""
    form = SitOutForm(request.form)
    # There is no deal 0: a form that can't be read is as stale as one of an earlier deal.
    number = form.number.data if form.validate() else 0
    choice = SitOutChoice(
        number=number or 0,
        seen=form.seen.data or 0,
        instead=form.instead.data,
        chosen=form.chosen.data,
    )
    try:
        choose(session_id, choice, current_holder())
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        flash(gettext("Something was written meanwhile. Look before you go on."), "problem")
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
