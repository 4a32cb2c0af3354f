"""The access log: a line of JSON for each request, where the setting ``ACCESS_LOG`` turns it on.

It names the request, so that its other lines in the logs and its answer (``X-Request-ID``) are
found by it. What was asked for is told as the endpoint and the keys and numbers in the address: a
path can hold a secret, and what somebody typed.
"""

from __future__ import annotations

import json
import logging
import re
import time
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from flask import g, request

from scorer.security_log import write_to
from scorer.services.clock import now

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response

LOG = logging.getLogger("scorer.access")
HEADER = "X-Request-ID"
#: What a proxy may call a request: what is longer or has other letters is called anew.
NAMED = re.compile(r"[\w.:-]{1,64}", re.ASCII)


def register(app: Flask) -> None:
    """Name each request before anything refuses it, and write its line once it is answered."""
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
    """Write the line; of a stream of events when it begins."""
    response.headers[HEADER] = g.request_id
    line = {
        "at": f"{now():%Y-%m-%dT%H:%M:%S.%fZ}",
        "request": g.request_id,
        "address": request.remote_addr or None,
        "method": request.method,
        "endpoint": request.endpoint,
        **_keys(),
        "status": response.status_code,
        "bytes": response.content_length,
        "ms": round((time.monotonic() - g.began) * 1000, 1),
    }
    LOG.info(json.dumps({key: value for key, value in line.items() if value is not None}))
    return response


def _keys() -> dict[str, str]:
    """Give what the address names by a key or a number."""
    values = (request.view_args or {}).items()
    return {name: str(value) for name, value in values if isinstance(value, (UUID, int))}
