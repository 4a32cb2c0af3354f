"""The security log: who came in, who was refused and what owners did, a line of JSON each.

It names moments, addresses, circles and phones: no secret, and nothing that somebody typed.
`docs/security.md` lists the events.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from functools import partial
from logging.handlers import WatchedFileHandler
from typing import TYPE_CHECKING
from uuid import UUID

from flask import g, request

from scorer.services.clock import now

if TYPE_CHECKING:
    from io import TextIOWrapper

    from flask import Flask
    from werkzeug.wrappers import Response

LOG = logging.getLogger("scorer.security")
STDERR = "-"
#: How a phone comes into a circle: what is told where the cookie keeps a circle since, or where a
#: program writes for the first time.
ENTERED = {
    "circles.join_sent": "joined",
    "sessions.new_sent": "circle-begun",
    "api_deals.record": "joined",
    "api_deals.amend": "joined",
    "api_deals.void": "joined",
    "api_deals.restore": "joined",
    "api_deals.review": "joined",
    "api_deals.uphold": "joined",
    "api_deals.withdraw": "joined",
}
#: What the addresses of pages and of the API call the circle.
CIRCLE = ("circle_id", "circle")
#: What owners do, and phones to each other, told once it is done.
ACTS = {
    "circles.new_link": "link-made",
    "circles.new_code": "code-made",
    "circles.revoke_link": "link-revoked",
    "circles.give_role": "role-given",
    "sessions.pass_pen": "pen-passed",
    "circles.send_away": "phone-sent-away",
    "circles.send_own_away": "phone-sent-away",
    "circles.leave": "phone-left",
    "circles.make_recovery": "link-made",
    "sessions.publish": "page-published",
    "sessions.revoke_page": "page-revoked",
    "circles.rename": "circle-renamed",
    "circles.set_zone": "zone-set",
    "ledger.choose_currency": "currency-chosen",
    "seasons.name_sent": "season-named",
    "seasons.rename": "season-named",
    "seasons.drop": "season-dropped",
    "circles.delete_sent": "circle-deleted",
    "circles.download": "circle-exported",
    "players.merge_sent": "players-merged",
}

#: What the operator does at the command line that lets somebody in, gives away, replaces or drops.
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
    """A file that its owner alone reads; one that was moved away is begun anew."""

    def _open(self) -> TextIOWrapper:
        kept = partial(os.open, mode=0o600)
        return open(self.baseFilename, "a", encoding="ascii", opener=kept)


def register(app: Flask) -> None:
    """Write the log to where the setting says, for every request of the app."""
    write_to(LOG, app.config["SECURITY_LOG"])
    app.after_request(_tell)


def write_to(log: logging.Logger, where: str | None) -> None:
    """Let a log go to standard error, a file or nowhere, as a setting says, and there alone."""
    for before in list(log.handlers):
        log.removeHandler(before)
        before.close()
    log.addHandler(_handler(where))
    log.setLevel(logging.INFO)
    log.propagate = False


def _handler(where: str | None) -> logging.Handler:
    if not where:
        return logging.NullHandler()
    if where == STDERR:
        return logging.StreamHandler(sys.stderr)
    return HiddenFile(where, delay=True)


def note(event: str) -> None:
    """Write a line about the request that is being answered."""
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
    """Write a line about what was done at the command line."""
    _write(COMMANDS[command], {"circle": str(circle_id or ""), "command": command})


def _write(event: str, line: dict[str, str | None]) -> None:
    told = {"at": f"{now():%Y-%m-%dT%H:%M:%SZ}", "event": event, **line}
    LOG.info(json.dumps({key: value for key, value in told.items() if value}))


def _who() -> tuple[str, str]:
    """Give the circle and the phone that a request is of, as far as is known."""
    if "entered" in g:
        circle_id, phone_id = g.entered
        return str(circle_id), str(phone_id)
    if "holder" in g:
        return str(g.holder.circle_id), str(g.holder.phone_id)
    values = request.view_args or {}
    return next((str(values[name]) for name in CIRCLE if name in values), ""), ""


def _about() -> dict[str, str]:
    """Give the link, phone or player that a request is about: in its address, or noted by it."""
    values = {**(request.view_args or {}), **g.get("about", {})}.items()
    return {
        f"of_{name.removesuffix('_id')}": str(value)
        for name, value in values
        if isinstance(value, UUID) and name not in CIRCLE
    }


def _tell(response: Response) -> Response:
    """Tell what was done, or that nothing was."""
    endpoint, status = request.endpoint or "", response.status_code
    if endpoint in ENTERED and "entered" in g:
        note(ENTERED[endpoint])
    elif endpoint in ACTS and status < 400:
        note(ACTS[endpoint])
    elif _failed(endpoint, status):
        note("join-failed")
    elif status == 404 and "holder" not in g and _of_a_circle():
        note("stranger")
    return response


def _failed(endpoint: str, status: int) -> bool:
    """Whether a code, a program's secret or that of a public page opened nothing."""
    if request.blueprint == "public":
        return status == 404
    return status == (
        422 if endpoint == "circles.join_sent" else 401 if request.authorization else 0
    )


def _of_a_circle() -> bool:
    """Whether it is a page of a circle, and not what an open page asks for again and again."""
    of_one = any(name in CIRCLE for name in request.view_args or ())
    return of_one and request.endpoint not in {"sessions.version", "circles.version"}
