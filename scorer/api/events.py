"""Streams of events for programs, which bring a link's secret."""

from uuid import UUID

from flask import Response, request
from flask.typing import ResponseReturnValue

from scorer.api.access import current_program, enter
from scorer.routes import Routes
from scorer.services.base.roles import Role
from scorer.services.live.streams import HEADERS, MIMETYPE, STREAM, StreamRequest, open_stream

blueprint = Routes("api_events", __name__, url_prefix="/api/v1/circles/<uuid:circle>")
blueprint.before_request(enter)


@blueprint.get("/events", least=Role.SPECTATOR, limit="secret")
@blueprint.get("/sessions/<uuid:session>/events", least=Role.SPECTATOR, limit="secret")
def listen(circle: UUID, session: UUID | None = None) -> ResponseReturnValue:
    """Tell of every change of a session, or of any session of the circle."""
    if request.method == "HEAD":
        return Response(mimetype=MIMETYPE, headers=HEADERS)
    program = current_program()
    after = request.headers.get("Last-Event-ID", type=int)
    after = request.args.get("after", type=int) if after is None else after
    by = program.by.phone_id if program.joined else program.link_id
    stream_request = StreamRequest(
        circle,
        by,
        session,
        after,
        until=program.expires_at,
        address=request.remote_addr or "",
        joined_at=program.by.joined_at,
    )
    stream = request.environ[STREAM] = open_stream(stream_request)
    return Response(stream, mimetype=MIMETYPE, headers=HEADERS)
