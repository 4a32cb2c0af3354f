"""Streams of events of a session and of a circle, for the phones that look at them."""

from uuid import UUID

from flask import Response, request

from scorer.routes import Routes
from scorer.services.base.roles import Role
from scorer.services.live.streams import HEADERS, MIMETYPE, STREAM, Asked, open_stream
from scorer.web.base.access import current_holder, may
from scorer.web.base.forms import MOST_DEALS
from scorer.web.base.pages import CIRCLE, SESSION

pages = Routes("events", __name__)


@pages.get(f"{SESSION}/events", least=Role.SPECTATOR)
def of_session(circle_id: UUID, session_id: UUID) -> Response:
    """Tell of every change of a session."""
    return _stream(circle_id, session_id)


@pages.get(f"{CIRCLE}/events", least=Role.SPECTATOR)
def of_circle(circle_id: UUID) -> Response:
    """Tell of every change of any session of a circle."""
    return _stream(circle_id, None)


def _stream(circle_id: UUID, session_id: UUID | None) -> Response:
    if request.method == "HEAD":
        return Response(mimetype=MIMETYPE, headers=HEADERS)
    after = request.headers.get("Last-Event-ID", type=int)
    writes = request.args.get("writes", 0, type=int) if may("deals.record") else 0
    here = current_holder()
    asked = Asked(
        circle_id,
        here.phone_id,
        session_id,
        request.args.get("after", type=int) if after is None else after,
        writes=writes if 0 < writes <= MOST_DEALS else 0,
        meets=session_id is not None and "presence" in request.args,
        address=request.remote_addr or "",
        joined_at=here.joined_at,
    )
    stream = request.environ[STREAM] = open_stream(asked)
    return Response(stream, mimetype=MIMETYPE, headers=HEADERS)
