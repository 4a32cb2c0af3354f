"""The blueprint of the cards of a deal, and what its pages have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, url_for

from scorer.services import circles
from scorer.web.views import card_session_view

if TYPE_CHECKING:
    from scorer.services.tricks import Tricks

MOST_DEALS = 1_000_000
PREFIX = "/circles/<uuid:circle_id>/sessions/<uuid:session_id>"

pages = Blueprint(
    "tricks", __name__, url_prefix=f"{PREFIX}/deals/<int(max={MOST_DEALS}):number>/tricks"
)


def place(tricks: Tricks) -> dict[str, Any]:
    """Where a page is: its circle, its session, its deal."""
    return {
        "circle": circles.find(tricks.state.circle_id),
        "card_session": card_session_view(tricks.state),
        "number": tricks.number,
        "under_way": tricks.version is None,
    }


def back_url(tricks: Tricks) -> str:
    """Where one came from: the deal's page, or the session's while the deal is under way."""
    circle_id, session_id = tricks.state.circle_id, tricks.state.session_id
    if tricks.version is None:
        return url_for("sessions.show", circle_id=circle_id, session_id=session_id)
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=tricks.number)


def beside_url(tricks: Tricks) -> str:
    """Where the cards are shown beside the sheet, once there is one."""
    return back_url(tricks) + ("" if tricks.version is None else "#tricks")
