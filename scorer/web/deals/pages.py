"""The blueprint of the deals, and what its pages have in common."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from flask import Blueprint, flash, request, url_for
from flask import session as cookie
from flask_babel import gettext

from scorer.services import circles
from scorer.services.clock import now
from scorer.services.deals import cancelled_start, under_way
from scorer.services.score_sheet import deal_text, last_deal
from scorer.web.forms.deals import MOST_DEALS

if TYPE_CHECKING:
    from scorer.services.deals import Recorded, UnderWay
    from scorer.services.state import SessionState
    from scorer.texts import Text

UNDO_SECONDS = 20
DEAL = f"/deals/<int(max={MOST_DEALS}):number>"

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
    """Return what every page of a session shows: its circle, its row and its game."""
    return {
        "circle": circles.find(state.circle_id),
        "card_session": state.row,
        "marks": state.marks,
        "session_game": state.game,
        "burden": state.lowest_leads,
    }


def session_url(circle_id: UUID, session_id: UUID) -> str:
    """Return the address of a session's page."""
    return url_for("sessions.show", circle_id=circle_id, session_id=session_id)


def deal_url(circle_id: UUID, session_id: UUID, number: int) -> str:
    """Return the address of a deal's page."""
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=number)


def wants_json() -> bool:
    """Whether a script sent the request and shows problems itself."""
    return request.accept_mimetypes.best == "application/json"


def flash_changed(number: int) -> None:
    """Flash that a deal is no longer at the version that the phone saw."""
    text = gettext("Deal %(number)s was changed meanwhile: look at it first.", number=number)
    flash(text, "problem")


def keep_undo(session_id: UUID, recorded: Recorded) -> None:
    """Remember in the cookie that this phone recorded the deal just now."""
    moment = int(now().timestamp())
    cookie["undo"] = [session_id.hex, recorded.number, recorded.version, moment]


def offered_undo(state: SessionState) -> Undo | None:
    """Offer to void the last deal, if this phone recorded it just now and nobody changed it."""
    session, number, version, moment = cookie.get("undo", ("", 0, 0, 0))
    if session != state.session_id.hex or now().timestamp() - moment > UNDO_SECONDS:
        return None
    deal = last_deal(state)
    if deal is None or deal.voided or (deal.number, deal.version) != (number, version):
        return None
    return Undo(number, version, deal_text(state, deal))


def keep_cancelled(session_id: UUID, key: UUID) -> None:
    """Remember in the cookie that this phone cancelled the start of a deal just now."""
    cookie["cancelled"] = [session_id.hex, key.hex, int(now().timestamp())]


def offered_start(state: SessionState) -> UnderWay | None:
    """Offer to bring back the start that this phone cancelled just now."""
    session, key, moment = cookie.get("cancelled", ("", "", 0))
    if session != state.session_id.hex or now().timestamp() - moment > UNDO_SECONDS:
        return None
    cancelled = cancelled_start(state, UUID(key))
    return under_way(state, cancelled) if cancelled else None


def forget_undo() -> None:
    """Offer no undo any more."""
    cookie.pop("undo", None)
