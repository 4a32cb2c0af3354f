"""Who sits out the next deal, shown on the session's page and changed there with one tap."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from flask import flash, redirect, request
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError
from scorer.services.sitting_out import SitOutChoice, SittingOut, choose, sitting_out
from scorer.texts import Text, joined, say
from scorer.web.access import current_holder
from scorer.web.deals.pages import session_url
from scorer.web.filters import in_words
from scorer.web.forms.sessions import SitOutForm
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.views import SeatView, seat_views

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.state import SessionState


@dataclass(frozen=True, slots=True)
class SittingOutView:
    """Who sits out the next deal, in words: why, who follows, who owes a turn, the offered swap.

    ``back`` names whose turn it would be, where somebody else was chosen.
    """

    form: SitOutForm
    found: SittingOut
    names: tuple[str, ...]
    why: Text | None
    following: Text
    owed: list[Text]
    offered: Offered | None
    back: Text | None
    playing: list[SeatView]


class Offered(NamedTuple):
    """The swap that evens out the turns, and the reason for it."""

    instead: int
    chosen: int
    why: Text
    text: Text


def sitting_out_view(state: SessionState) -> SittingOutView | None:
    """Show who sits out the next deal; None where everybody plays."""
    found, names = sitting_out(state), state.names
    if found is None:
        return None
    by_turn = joined([names[seat] for seat in found.by_turn])
    offered = None
    if found.offered is not None:
        pair = {"name": names[found.offered[0]], "other": names[found.offered[1]]}
        why = say("%(name)s has sat out for another before, and %(other)s owes a turn.", **pair)
        text = say("Let %(other)s sit out for %(name)s", **pair)
        offered = Offered(*found.offered, why, text)
    return SittingOutView(
        form=SitOutForm(number=state.row.next_number, seen=state.row.written),
        found=found,
        names=names,
        why=say("Chosen for this deal. By turn it would be %(names)s.", names=by_turn)
        if found.chosen
        else state.game.who_sits_out(len(state.order), state.rules),
        following=say("then %(names)s", names=joined([names[seat] for seat in found.following])),
        owed=[_ahead(names[seat], count) for seat, count in found.ahead.items()],
        offered=offered,
        back=say("Back to the turn: %(names)s", names=by_turn) if found.chosen else None,
        playing=seat_views(names, [seat for seat in state.order if seat not in found.out]),
    )


def _ahead(name: str, count: int) -> Text:
    if count == 1:
        return say("%(name)s is one turn ahead.", name=name)
    if count == -1:
        return say("%(name)s owes a turn.", name=name)
    if count > 0:
        return say("%(name)s is %(count)s turns ahead.", name=name, count=count)
    return say("%(name)s owes %(count)s turns.", name=name, count=-count)


@pages.post(f"{SESSION}/sit-out")
def sit_out(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Let somebody else sit out the next deal, or go back to whose turn it is."""
    form = SitOutForm(request.form)
    # There is no deal 0: an unreadable form is as stale as one of an earlier deal.
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
