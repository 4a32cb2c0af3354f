"""The security log and the access log, a line of JSON each.

The security log says who came in, who was refused and what owners did; `docs/logs.md` lists the
events. A line has moments, addresses and keys: no secret, and nothing that somebody typed.

The access log, where the setting ``ACCESS_LOG`` turns it on, has a line for each request. With it
each request gets an ID, which is in its lines of all logs and in its answer (``X-Request-ID``). The
line has the endpoint and the keys and numbers of the address, but no path: that may hold a secret,
or what somebody typed.
"""

import json
import logging
import os
import re
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from logging.handlers import WatchedFileHandler
from uuid import UUID, uuid4

from flask import Flask, g, request
from werkzeug.wrappers import Response

from scorer.routes import facts_of
from scorer.services.base.clock import now
from scorer.settings import PREFIX, STDERR, SettingsError

SECURITY, ACCESS = logging.getLogger("scorer.security"), logging.getLogger("scorer.access")
HEADER = "X-Request-ID"
#: The request ID that is accepted from a proxy; any other is replaced.
NAMED = re.compile(r"[\w.:-]{1,64}", re.ASCII)
#: By endpoint, the event of a request that let a phone into a circle: its cookie got a circle. At
#: any other a program wrote for the first time.
ENTERED = {
    "circles.join_sent": "joined",
    "tournaments.sit_down": "joined",
    "sessions.new_sent": "circle-begun",
}
#: The names of the circle's key in the addresses of pages and of the API.
CIRCLE = ("circle_id", "circle")
#: What an open page asks for again and again.
POLLED = {"sessions.version", "circles.version"}
#: The events of commands that let somebody in, give data away, replace or drop it.
COMMANDS = {
    "circle": "circle-begun",
    "circles": "circle-deleted",
    "demo": "circle-begun",
    "link": "link-made",
    "export": "circle-exported",
    "import": "circle-imported",
    "backup": "backup-made",
    "restore": "database-restored",
    "db": "database-downgraded",
    "key": "key-rotated",
    "program": "key-made",
}


class HiddenFile(WatchedFileHandler):
    """A private file, which is opened anew when it was moved away.

    A line that cannot be written to it goes to standard error, as no answer may fail for its log.
    """

    def _open(self) -> TextIOWrapper:
        private = partial(os.open, mode=0o600)
        return open(self.baseFilename, "a", encoding="ascii", opener=private)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:  # it cannot be opened anew
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name of logging
        reason = sys.exc_info()[1]
        failed, self.stream = self.stream, None
        with suppress(OSError):
            if failed:
                failed.close()
        with suppress(OSError):
            print(f"Cannot write {self.baseFilename}: {reason}", file=sys.stderr)
            print(self.format(record), file=sys.stderr, flush=True)


def register(app: Flask) -> None:
    """Write the logs of every request of the app, as the settings say.

    Raise SettingsError for a file that cannot be opened.
    """
    app.logger.setLevel(app.config["LOG_LEVEL"])
    _open(SECURITY, "SECURITY_LOG", app.config["SECURITY_LOG"])
    app.after_request(_note_event)
    if not app.config["ACCESS_LOG"]:
        return
    _open(ACCESS, "ACCESS_LOG", app.config["ACCESS_LOG"])
    behind_proxy = app.config["PROXY_HOPS"] > 0

    @app.url_value_preprocessor
    def name(_endpoint: str | None, _values: object) -> None:
        given = request.headers.get(HEADER, "") if behind_proxy else ""
        g.request_id = given if NAMED.fullmatch(given) else uuid4().hex
        g.began = time.monotonic()

    app.after_request(_log_access)


def _open(log: logging.Logger, setting: str, where: str | None) -> None:
    """Send a log to standard error, a file or nowhere, as its setting says."""
    for before in list(log.handlers):
        log.removeHandler(before)
        before.close()
    if not where:
        log.addHandler(logging.NullHandler())
    elif where == STDERR:
        log.addHandler(logging.StreamHandler(sys.stderr))
    else:
        try:
            log.addHandler(HiddenFile(where))
        except OSError as error:
            message = f"{PREFIX}{setting} names a file that cannot be opened: {error}."
            raise SettingsError(message) from error
    log.setLevel(logging.INFO)
    log.propagate = False


def _log_access(response: Response) -> Response:
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
    ACCESS.info(json.dumps({key: value for key, value in line.items() if value is not None}))
    return response


def note(event: str) -> None:
    """Write an event of the current request into the security log."""
    circle_id, phone_id = _who()
    values = {**(request.view_args or {}), **g.get("about", {})}.items()
    line = {
        "request": g.get("request_id"),
        "address": request.remote_addr,
        "circle": circle_id,
        "phone": phone_id,
        "method": request.method,
        "endpoint": request.endpoint,
        **{
            f"of_{name.removesuffix('_id')}": str(value)
            for name, value in values
            if isinstance(value, UUID) and name not in CIRCLE
        },
    }
    _write(event, line)


def note_command(command: str, circle_id: UUID | None = None) -> None:
    """Write the event of a command into the security log."""
    _write(COMMANDS[command], {"circle": str(circle_id or ""), "command": command})


def _write(event: str, line: Mapping[str, str | None]) -> None:
    entry = {"at": f"{now():%Y-%m-%dT%H:%M:%SZ}", "event": event, **line}
    SECURITY.info(json.dumps({key: value for key, value in entry.items() if value}))


def _who() -> tuple[str, str]:
    """Return the circle and the phone of the request, as far as known."""
    if "entered" in g:
        circle_id, phone_id = g.entered
        return str(circle_id), str(phone_id)
    if "holder" in g:
        return str(g.holder.circle_id), str(g.holder.phone_id)
    values = request.view_args or {}
    return next((str(values[name]) for name in CIRCLE if name in values), ""), ""


def _note_event(response: Response) -> Response:
    endpoint, status = request.endpoint or "", response.status_code
    in_circle = any(name in CIRCLE for name in request.view_args or ())
    if "entered" in g:
        note(ENTERED.get(endpoint, ENTERED["circles.join_sent"]))
    elif (event := facts_of(endpoint).logged) and status < 400:
        note(event)
    elif opened_nothing(status) or (ENTERED.get(endpoint) == "joined" and status == 422):
        note("join-failed")
    elif status == 404 and in_circle and "holder" not in g and endpoint not in POLLED:
        note("stranger")
    return response


def opened_nothing(status: int) -> bool:
    """Whether the secret of a program or of a public page was wrong."""
    if request.blueprint == "public":
        return status == 404
    return status == 401 and request.authorization is not None
