"""Health: whether the server can serve, and to its own machine what keeps its data."""

from __future__ import annotations

from dataclasses import asdict
from ipaddress import ip_address
from typing import TYPE_CHECKING

from flask import Blueprint, current_app, jsonify, request

from scorer.storage import database_mode

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("health", __name__)


#: A request with one of these came by way of another machine.
FORWARDED = (
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Prefix",
    "X-Forwarded-Proto",
    "X-Real-Ip",
)


@blueprint.get("/health")
def health() -> Response:
    """Tell that the database was reached just now; to the machine itself what runs here, too."""
    database = asdict(database_mode())
    if not asked_from_here():
        return jsonify(ok=True)
    return jsonify(ok=True, version=current_app.config["VERSION"], database=database)


@blueprint.get("/health/live")
def live() -> Response:
    """Tell that the process answers, whatever the database does."""
    return jsonify(ok=True)


def asked_from_here() -> bool:
    """Whether the connection is this machine's own, and nobody handed the request on.

    A socket file is a proxy's: what comes by it has no address and may be anybody's.
    """
    peer = request.environ.get("werkzeug.proxy_fix.orig", request.environ)["REMOTE_ADDR"]
    try:
        here = ip_address(peer).is_loopback
    except ValueError:
        return False
    return here and not any(name in request.headers for name in FORWARDED)
