"""Health: whether the server can serve and, for its own machine, what keeps its data."""

from dataclasses import asdict
from ipaddress import ip_address

from flask import current_app, jsonify, request
from werkzeug.wrappers import Response

from scorer.routes import Routes
from scorer.storage import check_tables, database_mode

blueprint = Routes("health", __name__)
#: The headers of a request that a proxy has passed on.
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
    """Answer whether the database responds and has our tables; to this machine with details."""
    check_tables()
    database = asdict(database_mode())
    if not asked_from_here():
        return jsonify(ok=True)
    return jsonify(ok=True, version=current_app.config["VERSION"], database=database)


@blueprint.get("/health/live")
def live() -> Response:
    """Answer that the process runs, whatever the database does."""
    return jsonify(ok=True)


def asked_from_here() -> bool:
    """Whether the request comes from this machine, and not through a proxy.

    A request by a socket file has no address: it comes from a proxy.
    """
    peer = request.environ.get("werkzeug.proxy_fix.orig", request.environ)["REMOTE_ADDR"]
    try:
        here = ip_address(peer).is_loopback
    except ValueError:
        return False
    return here and not any(name in request.headers for name in FORWARDED)
