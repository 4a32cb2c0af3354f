"""Streams of events for programs, which bring a link's secret."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, request
from flask_babel import get_locale

from scorer.errors import NotFoundError
from scorer.languages import translate
from scorer.services.circles import standing_link
from scorer.services.streams import HEADERS, MIMETYPE, Asked, open_stream
from scorer.texts import say

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

blueprint = Blueprint("api_events", __name__, url_prefix="/api/v1/circles/<uuid:circle>")
SCHEME = "bearer"
WANTED = say("A link's secret is needed: Authorization: Bearer SECRET.")


@blueprint.get("/events")
@blueprint.get("/sessions/<uuid:session>/events")
def listen(circle: UUID, session: UUID | None = None) -> ResponseReturnValue:
    """Tell of every change of a session, or of any session of the circle."""
    sent = request.authorization
    link = standing_link(sent.token or "") if sent and sent.type == SCHEME else None
    if link is None:
        message = translate(WANTED, get_locale().language)
        problem = {"code": "unauthorized", "field": "", "message": message}
        answer = jsonify(ok=False, problems=[problem])
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer, HTTPStatus.UNAUTHORIZED
    if link.circle_id != circle:
        raise NotFoundError(circle)
    if request.method == "HEAD":
        return Response(mimetype=MIMETYPE, headers=HEADERS)
    after = request.headers.get("Last-Event-ID", type=int)
    after = request.args.get("after", type=int) if after is None else after
    asked = Asked(circle, link.link_id, session, after, link.expires_at)
    return Response(open_stream(asked), mimetype=MIMETYPE, headers=HEADERS)
