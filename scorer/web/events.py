"""Streams of events of a session and of a circle, for the phones that look at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, request

from scorer.services.streams import HEADERS, MIMETYPE, Asked, open_stream
from scorer.web.access import current_holder
from scorer.web.sessions.pages import SESSION

if TYPE_CHECKING:
    from uuid import UUID

pages = Blueprint("events", __name__)


@pages.get(f"{SESSION}/events")
def of_session(circle_id: UUID, session_id: UUID) -> Response:
    """Tell of every change of a session."""
    return _stream(circle_id, session_id)


@pages.get("/circles/<uuid:circle_id>/events")
def of_circle(circle_id: UUID) -> Response:
    """Tell of every change of any session of a circle."""
    return _stream(circle_id, None)


def _stream(circle_id: UUID, session_id: UUID | None) -> Response:
    if request.method == "HEAD":
        return Response(mimetype=MIMETYPE, headers=HEADERS)
    after = request.headers.get("Last-Event-ID", type=int)
    asked = Asked(
        circle_id,
        current_holder().phone_id,
        session_id,
        request.args.get("after", type=int) if after is None else after,
    )
    return Response(open_stream(asked), mimetype=MIMETYPE, headers=HEADERS)
