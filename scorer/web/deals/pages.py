"""The blueprint of the deals, and what its pages have in common."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

from flask import Blueprint, current_app, flash, jsonify, redirect, request, url_for
from flask import session as cookie
from flask.typing import ResponseReturnValue

from scorer.errors import ConflictError, InvalidError, Problem, RefusedError
from scorer.services.clock import now
from scorer.services.deals import Recorded, UnderWay, cancelled_start, under_way
from scorer.services.score_sheet import ScoreSheet, deal_text, last_deal
from scorer.services.state import SessionState
from scorer.services.streams import hub_of
from scorer.texts import Text, say
from scorer.web.access import current_holder
from scorer.web.filters import in_words
from scorer.web.forms import PageForm
from scorer.web.forms.deals import MOST_DEALS, KeyedForm

UNDO_SECONDS = 20
DEAL = f"/deals/<int(max={MOST_DEALS}):number>"
ACT_WORDS = {
    "record": say("Written down"),
    "amend": say("Amended"),
    "void": say("Voided"),
    "restore": say("Restored"),
    "dispute": say("Disputed"),
    "confirm": say("Confirmed"),
    "uphold": say("Upheld"),
    "withdraw": say("Withdrawn"),
}

pages = Blueprint(
    "deals", __name__, url_prefix="/circles/<uuid:circle_id>/sessions/<uuid:session_id>"
)


class EntryMode(StrEnum):
    """What the entry form of a deal does: it is one form for four acts."""

    RECORD = "record"
    START = "start"
    FINISH = "finish"
    AMEND = "amend"


class Undo(NamedTuple):
    """The deal that this phone recorded a moment ago and may void with one tap."""

    number: int
    version: int
    text: Text


def place(state: SessionState) -> dict[str, Any]:
    """Return what every page of a session shows: its row and its game.

    ``here`` are the keys of its addresses.
    """
    return {
        "here": {"circle_id": state.circle_id, "session_id": state.session_id},
        "card_session": state.row,
        "marks": state.marks,
        "session_game": state.game,
        "burden": state.lowest_leads,
    }


def session_url(circle_id: UUID, session_id: UUID) -> str:
    """Return the address of a session's page."""
    return url_for("sessions.show", circle_id=circle_id, session_id=session_id)


def last_page_url(circle_id: UUID, session_id: UUID) -> str:
    """Return the address of the last page of a session."""
    return url_for("sessions.last_page", circle_id=circle_id, session_id=session_id)


def deal_url(circle_id: UUID, session_id: UUID, number: int) -> str:
    """Return the address of a deal's page."""
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=number)


def wants_json() -> bool:
    """Whether a script sent the request and shows problems itself."""
    return request.accept_mimetypes.best == "application/json"


def carry_out(
    act: Callable[[], Recorded | bool | None],
    form: PageForm,
    *,
    following: str,
    refused: Callable[[], str] | None = None,
    overtaken: Callable[[], str],
) -> ResponseReturnValue:
    """Do what a form says to a deal, and answer the browser or a script that sent it.

    ``refused`` shows the form again with its problems; without it they are flashed on the page that
    follows. ``overtaken`` shows what another phone has written meanwhile.
    """
    try:
        done = act()
    except ConflictError:
        return overtaken(), HTTPStatus.CONFLICT
    except RefusedError as error:
        form.refuse([Problem("refused", "", error.message)])
    except InvalidError as error:
        form.refuse(error.problems)
        if refused is not None and not wants_json():
            return refused(), HTTPStatus.UNPROCESSABLE_ENTITY
    else:
        return saved(following, done if isinstance(done, Recorded) else None)
    if wants_json():
        return problems_as_json(form)
    flash(next(iter(form.problems.values()))[0], "problem")
    return redirect(following, HTTPStatus.SEE_OTHER)


def saved(following: str, recorded: Recorded | None = None) -> ResponseReturnValue:
    """Go on to the following page, the last one where the session came to its end by the deal.

    A script is told what the deal pays, to compare. The phone is writing the deal no more.
    """
    if recorded is not None:
        end_writing(recorded.number)
    if recorded is not None and recorded.ends:
        here = request.view_args or {}
        following = last_page_url(here["circle_id"], here["session_id"])
    if wants_json():
        return jsonify(ok=True, next=following, paid=recorded.payouts if recorded else {})
    return redirect(following, HTTPStatus.SEE_OTHER)


def end_writing(number: int) -> None:
    """Let the others see that this phone has written a deal."""
    here, by = request.view_args or {}, current_holder()
    at = here["circle_id"], here["session_id"], by.phone_id
    hub_of(current_app).room.end_writing(at, number)


def problems_as_json(form: PageForm) -> ResponseReturnValue:
    """Tell a script what is wrong with the form that it sent."""
    return jsonify(ok=False, problems=form.as_json()), HTTPStatus.UNPROCESSABLE_ENTITY


def changed(form: KeyedForm, following: str) -> ResponseReturnValue:
    """Answer that a deal is no longer as the phone saw it, so that nothing was done to it."""
    number = form.deal[1]
    if wants_json():
        form.refuse([Problem("changed-meanwhile", "", _changed_text(number))])
        return problems_as_json(form)
    flash_changed(number)
    return redirect(following, HTTPStatus.SEE_OTHER)


def flash_changed(number: int) -> None:
    """Flash that a deal is no longer at the version that the phone saw."""
    flash(in_words(_changed_text(number)), "problem")


def _changed_text(number: int) -> Text:
    return say("Deal %(number)s was changed meanwhile: look at it first.", number=number)


def keep_undo(session_id: UUID, recorded: Recorded) -> None:
    """Remember in the cookie that this phone recorded the deal just now."""
    moment = int(now().timestamp())
    cookie["undo"] = [session_id.hex, recorded.number, recorded.version, moment]


def offered_undo(sheet: ScoreSheet) -> Undo | None:
    """Offer to void the last deal, if this phone recorded it just now and nobody changed it."""
    state = sheet.state
    session, number, version, moment = cookie.get("undo", ("", 0, 0, 0))
    if session != state.session_id.hex or now().timestamp() - moment > UNDO_SECONDS:
        return None
    deal = sheet.newest or last_deal(state)
    if deal is None or deal.voided or (deal.number, deal.version) != (number, version):
        return None
    return Undo(number, version, deal_text(state, deal))


def keep_cancelled(session_id: UUID, key: UUID) -> None:
    """Remember in the cookie that this phone cancelled the start of a deal just now."""
    cookie["cancelled"] = [session_id.hex, key.hex, int(now().timestamp())]


def offered_start(state: SessionState) -> UnderWay | None:
    """Offer to resume the deal whose start this phone cancelled just now."""
    session, key, moment = cookie.get("cancelled", ("", "", 0))
    if session != state.session_id.hex or now().timestamp() - moment > UNDO_SECONDS:
        return None
    cancelled = cancelled_start(state, UUID(key))
    return under_way(state, cancelled) if cancelled else None


def forget_undo() -> None:
    """Offer no undo any more."""
    cookie.pop("undo", None)
