"""The access log: a line of JSON for each request, where the setting ``ACCESS_LOG`` turns it on.

Each request gets an ID, which is in its lines of all logs and in its answer (``X-Request-ID``).
The line has the endpoint and the keys and numbers of the address, but no path: that may hold a
secret, or what somebody typed.
"""

import json
import logging
import re
import time
from uuid import UUID, uuid4

from flask import Flask, g, request
from werkzeug.wrappers import Response

from scorer.security_log import write_to
from scorer.services.base.clock import now

LOG = logging.getLogger("scorer.access")
HEADER = "X-Request-ID"
#: The request ID that is accepted from a proxy; any other is replaced.
NAMED = re.compile(r"[\w.:-]{1,64}", re.ASCII)


def register(app: Flask) -> None:
    """Give each request an ID before it can be refused; write its line once it is answered."""
    if not app.config["ACCESS_LOG"]:
        return
    write_to(LOG, app.config["ACCESS_LOG"])
    believed = app.config["PROXY_HOPS"] > 0

    @app.url_value_preprocessor
    def name(_endpoint: str | None, _values: object) -> None:
        given = request.headers.get(HEADER, "") if believed else ""
        g.request_id = given if NAMED.fullmatch(given) else uuid4().hex
        g.began = time.monotonic()

    app.after_request(_tell)


def _tell(response: Response) -> Response:
    """Write the line, for a stream of events when it begins."""
    response.headers[HEADER] = g.request_id
    line = {
        "at": f"{now():%Y-%m-%dT%H:%M:%S.%fZ}",
        "request": g.request_id,
        "address": request.remote_addr or None,
        "method": request.method,
        "endpoint": request.endpoint,
        **{
            name: str(value)
            for name, value in (request.view_args or {}).items()
            if isinstance(value, (UUID, int))
        },
        "status": response.status_code,
        "bytes": response.content_length,
        "ms": round((time.monotonic() - g.began) * 1000, 1),
    }
    LOG.info(json.dumps({key: value for key, value in line.items() if value is not None}))
    return response
