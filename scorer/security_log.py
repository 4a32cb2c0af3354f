"""The security log: who came in, who was refused and what owners did, a line of JSON each.

A line has moments, addresses and keys: no secret, and nothing that somebody typed.
`docs/security.md` lists the events.
"""

import json
import logging
import os
import sys
from functools import partial
from io import TextIOWrapper
from logging.handlers import WatchedFileHandler
from uuid import UUID

from flask import Flask, g, request
from werkzeug.wrappers import Response

from scorer.routes import facts_of
from scorer.services.base.clock import now
from scorer.settings import STDERR

LOG = logging.getLogger("scorer.security")
#: By endpoint or blueprint, the event of a request that let a phone into a circle: its cookie got a
#: circle, or a program wrote for the first time.
ENTERED = {
    "circles.join_sent": "joined",
    "sessions.new_sent": "circle-begun",
    "api_deals": "joined",
}
#: The names of the circle's key in the addresses of pages and of the API.
CIRCLE = ("circle_id", "circle")
#: The events of commands that let somebody in, give data away, replace or drop it.
COMMANDS = {
    "circle": "circle-begun",
    "demo": "circle-begun",
    "link": "link-made",
    "export": "circle-exported",
    "import": "circle-imported",
    "backup": "backup-made",
    "restore": "database-restored",
    "db": "database-downgraded",
    "key": "key-rotated",
}


class HiddenFile(WatchedFileHandler):
    """A private file, which is opened anew when it was moved away."""

    def _open(self) -> TextIOWrapper:
        kept = partial(os.open, mode=0o600)
        return open(self.baseFilename, "a", encoding="ascii", opener=kept)


def register(app: Flask) -> None:
    """Write the log of every request of the app."""
    write_to(LOG, app.config["SECURITY_LOG"])
    app.after_request(_tell)


def write_to(log: logging.Logger, where: str | None) -> None:
    """Send a log to standard error, a file or nowhere, as a setting says."""
    for before in list(log.handlers):
        log.removeHandler(before)
        before.close()
    if not where:
        log.addHandler(logging.NullHandler())
    elif where == STDERR:
        log.addHandler(logging.StreamHandler(sys.stderr))
    else:
        log.addHandler(HiddenFile(where, delay=True))
    log.setLevel(logging.INFO)
    log.propagate = False


def note(event: str) -> None:
    """Write a line about the current request."""
    circle_id, phone_id = _who()
    line = {
        "request": g.get("request_id"),
        "address": request.remote_addr,
        "circle": circle_id,
        "phone": phone_id,
        "method": request.method,
        "endpoint": request.endpoint,
        **_about(),
    }
    _write(event, line)


def note_command(command: str, circle_id: UUID | None = None) -> None:
    """Write a line about a command."""
    _write(COMMANDS[command], {"circle": str(circle_id or ""), "command": command})


def _write(event: str, line: dict[str, str | None]) -> None:
    entry = {"at": f"{now():%Y-%m-%dT%H:%M:%SZ}", "event": event, **line}
    LOG.info(json.dumps({key: value for key, value in entry.items() if value}))


def _who() -> tuple[str, str]:
    """Return the circle and the phone of the request, as far as known."""
    if "entered" in g:
        circle_id, phone_id = g.entered
        return str(circle_id), str(phone_id)
    if "holder" in g:
        return str(g.holder.circle_id), str(g.holder.phone_id)
    values = request.view_args or {}
    return next((str(values[name]) for name in CIRCLE if name in values), ""), ""


def _about() -> dict[str, str]:
    """Return the link, phone or player that the request is about, from its address or its view."""
    values = {**(request.view_args or {}), **g.get("about", {})}.items()
    return {
        f"of_{name.removesuffix('_id')}": str(value)
        for name, value in values
        if isinstance(value, UUID) and name not in CIRCLE
    }


def _tell(response: Response) -> Response:
    """Write the event of the request, if it is one."""
    endpoint, status = request.endpoint or "", response.status_code
    entered = ENTERED.get(endpoint) or ENTERED.get(request.blueprint or "")
    if entered and "entered" in g:
        note(entered)
    elif (event := facts_of(endpoint).logged) and status < 400:
        note(event)
    elif _failed(endpoint, status):
        note("join-failed")
    elif status == 404 and "holder" not in g and _of_a_circle():
        note("stranger")
    return response


def _failed(endpoint: str, status: int) -> bool:
    """Whether a code, or the secret of a program or of a public page, was wrong."""
    if request.blueprint == "public":
        return status == 404
    return status == (
        422 if endpoint == "circles.join_sent" else 401 if request.authorization else 0
    )


def _of_a_circle() -> bool:
    """Whether it is a page of a circle, and not the polling of an open page."""
    of_one = any(name in CIRCLE for name in request.view_args or ())
    return of_one and request.endpoint not in {"sessions.version", "circles.version"}
