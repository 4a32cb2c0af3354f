"""The blueprint of the deals, and what its pages have in common."""

from collections.abc import Callable
from enum import StrEnum
from http import HTTPStatus
from uuid import UUID

from flask import current_app, flash, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from scorer.errors import ConflictError, InvalidError, Problem, RefusedError
from scorer.evening.acts import Record
from scorer.routes import Routes
from scorer.services.deals import deals
from scorer.services.deals.deals import Done
from scorer.services.live.streams import hub_of
from scorer.texts import Text, say
from scorer.web.base.access import current_holder
from scorer.web.base.filters import in_words
from scorer.web.base.forms import MOST_DEALS, PageForm
from scorer.web.base.pages import SESSION, keep_undo, last_page_url, wants_json

DEAL = f"/deals/<int(max={MOST_DEALS}):number>"
VOID_REASONS = (say("Recorded twice"), say("It was a misdeal"))

pages = Routes("deals", __name__, url_prefix=SESSION, at_table=True)


class EntryMode(StrEnum):
    """The act of an entry form: one form serves four acts."""

    RECORD = "record"
    START = "start"
    FINISH = "finish"
    AMEND = "amend"


def carry_out(
    act: Callable[[], Done | None],
    form: PageForm,
    *,
    following: str,
    refused: Callable[[], str] | None = None,
    writes: bool = True,
    overtaken: Callable[[], str],
) -> ResponseReturnValue:
    """Carry out the act of a form on a deal, and answer the browser or script that sent it.

    ``refused`` shows the form again with its problems; without it they are flashed on the page that
    follows. ``overtaken`` shows what another phone wrote first.
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
        return saved(following, done if done and writes else None)
    if wants_json():
        return problems_as_json(form)
    flash(next(iter(form.problems.values()))[0], "problem")
    return redirect(following, HTTPStatus.SEE_OTHER)


def saved(following: str, recorded: Done | None = None) -> ResponseReturnValue:
    """Redirect to the following page, or the last page if the deal ended the session.

    A script gets the payouts, to compare with its own. The phone no longer counts as writing.
    """
    if recorded is not None:
        end_writing(recorded.number)
    if recorded is not None and recorded.ends:
        here = request.view_args or {}
        following = last_page_url(here["circle_id"], here["session_id"])
    if wants_json():
        return jsonify(ok=True, next=following, paid=recorded.payouts if recorded else {})
    return redirect(following, HTTPStatus.SEE_OTHER)


def recorded(session_id: UUID, act: Record) -> Done:
    """Record a deal, which this phone may take back for a moment."""
    done = deals.record_deal(session_id, act, current_holder())
    keep_undo(session_id, done)
    return done


def end_writing(number: int) -> None:
    """Announce to the others that this phone has written a deal."""
    here, by = request.view_args or {}, current_holder()
    at = here["circle_id"], here["session_id"], by.phone_id
    hub_of(current_app).presence.end_writing(at, number)


def problems_as_json(form: PageForm) -> ResponseReturnValue:
    return jsonify(ok=False, problems=form.as_json()), HTTPStatus.UNPROCESSABLE_ENTITY


def flash_changed(number: int) -> None:
    flash(in_words(changed_text(number)), "problem")


def changed_text(number: int) -> Text:
    """Say that a deal is no longer as the phone saw it, and that nothing was written."""
    return say("Deal %(number)s was changed meanwhile: look at it first.", number=number)
