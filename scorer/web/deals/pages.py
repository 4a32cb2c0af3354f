"""The blueprint of the deals, and what its pages have in common."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Blueprint, abort, flash, request, url_for
from flask import session as cookie
from flask_babel import gettext

from scorer.services import circles
from scorer.services.clock import now
from scorer.web.forms.deals import MOST_DEALS, VersionForm

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.deals import Recorded
    from scorer.services.state import SessionState
    from scorer.storage.models import CardSession

UNDO_SECONDS = 20
DEAL = f"/deals/<int(max={MOST_DEALS}):number>"

pages = Blueprint(
    "deals", __name__, url_prefix="/circles/<uuid:circle_id>/sessions/<uuid:session_id>"
)


class Undo(NamedTuple):
    """What this phone wrote a moment ago and may take back."""

    number: int
    version: int


def place(state: SessionState) -> dict[str, Any]:
    """Give what every page of a session shows: its circle, its row and its game."""
    return {
        "circle": circles.find(state.circle_id),
        "card_session": state.row,
        "session_game": state.game,
    }


def session_url(circle_id: UUID, session_id: UUID) -> str:
    """The address of a session's page."""
    return url_for("sessions.show", circle_id=circle_id, session_id=session_id)


def deal_url(circle_id: UUID, session_id: UUID, number: int) -> str:
    """The address of a deal's page."""
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=number)


def wants_json() -> bool:
    """Whether a script asked, which shows problems itself."""
    return request.accept_mimetypes.best == "application/json"


def sent_version() -> VersionForm:
    """Read which version of a deal the phone saw, and why it is to be changed."""
    form = VersionForm(request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    return form


def flash_changed(number: int) -> None:
    """Say that a deal is no longer as the phone saw it."""
    text = gettext("Deal %(number)s was changed meanwhile: look at it first.", number=number)
    flash(text, "problem")


def keep_undo(session_id: UUID, recorded: Recorded) -> None:
    """Remember for a while that this phone wrote the deal, so that it can take it back."""
    moment = int(now().timestamp())
    cookie["undo"] = [session_id.hex, recorded.number, recorded.version, moment]


def offered_undo(row: CardSession) -> Undo | None:
    """Give what this phone wrote in this session, if that was a moment ago and nothing follows."""
    session, number, version, moment = cookie.get("undo", ("", 0, 0, 0))
    late = now().timestamp() - moment > UNDO_SECONDS
    if session != row.session_id.hex or late or row.next_number > number + 1:
        return None
    return Undo(number, version)


def forget_undo() -> None:
    """There is nothing to take back any more."""
    cookie.pop("undo", None)
