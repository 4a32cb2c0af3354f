"""How much one address may ask for within a minute.

``LIMITED`` is the one place that says which routes are limited. What writes is limited by requests,
which are counted in the database; what computes is limited by the seconds of CPU that it took,
which are kept in memory that the workers of a server share. Where a computation lets others have
their turn, theirs count too. Secrets of programs that open nothing are counted in that memory.
"""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import abort, g, request

from scorer.errors import ScorerError
from scorer.services.throttle import Meter, admit

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response

#: Requests a minute, by what they are for.
MOST_REQUESTS = {"join": 10, "start": 60, "import": 60, "export": 60, "hold": 60, "dispute": 60}
#: Seconds of CPU a minute, by what they are spent on.
MOST_SECONDS = {"api": 40, "file": 20, "what-if": 20, "preview": 20}
#: Secrets that open nothing, a minute: then none is looked up for the address, whatever it is.
MOST_FAILURES = {"secret": 20}
#: So many fields a form may have.
MOST_FIELDS = 1_000
#: What each limited route counts for.
LIMITED = {
    "circles.join_sent": ("join",),
    "sessions.new_sent": ("start",),
    "sessions.start_next": ("start",),
    "sessions.bring_in": ("import", "file"),
    "circles.hold": ("hold",),
    "circles.download": ("export",),
    "sessions.download": ("export",),
    "sessions.download_csv": ("export",),
    "rule_sets.bring_in": ("import", "file"),
    "rule_sets.bring_sent": ("file",),
    "deals.dispute": ("dispute",),
    "deals.preview": ("preview",),
    "rule_sets.preview": ("preview",),
    "rule_sets.new_sent": ("preview",),
    "rule_sets.edit_sent": ("preview",),
    "sessions.what_if": ("what-if",),
    "sessions.change_rules": ("what-if",),
    "sessions.change_rules_sent": ("what-if",),
    "sessions.seating_sent": ("what-if",),
    "operations.score": ("api",),
    "operations.check": ("api",),
    "operations.solve": ("api",),
    "operations.replay": ("api",),
    "api_events.listen": ("secret",),
    "api_circles.circles": ("secret", "api"),
    "api_circles.sessions": ("secret", "api"),
    "api_circles.session": ("secret", "api"),
    "api_circles.standings": ("secret", "api"),
    "api_deals.show": ("secret", "api"),
    "api_deals.record": ("secret", "api"),
    "api_deals.amend": ("secret", "api"),
    "api_deals.void": ("secret", "api"),
    "api_deals.restore": ("secret", "api"),
}


def bound_forms(app: Flask) -> None:
    """Refuse a form of very many fields before it is read; the largest page has some 300."""

    @app.before_request
    def bound() -> None:
        if request.mimetype == "application/x-www-form-urlencoded":
            fields = request.get_data().count(b"&") + 1
            if fields > MOST_FIELDS:
                abort(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def register(app: Flask) -> None:
    """Refuse what an address asks for too often; the setting ``LIMITS`` goes before the table."""
    requests, seconds, failures = _read(app.config["LIMITS"])
    meter, metered = Meter(), seconds | failures
    _count_failures(app, meter)

    @app.before_request
    def hold() -> None:
        address = request.remote_addr or ""
        kinds = LIMITED.get(request.endpoint or "", ())
        for kind in kinds:
            if kind in requests:
                admit(address, kind, requests[kind])
            else:
                meter.admit(address, kind, metered[kind])
        spent = [kind for kind in kinds if kind in seconds]
        if spent:
            request.get_data()  # who sends slowly takes no CPU
            g.metered = address, spent, time.thread_time()

    @app.teardown_request
    def charge(_: BaseException | None) -> None:
        address, kinds, began = g.pop("metered", ("", (), 0.0))
        for kind in kinds:
            meter.charge(address, kind, time.thread_time() - began)


def _count_failures(app: Flask, meter: Meter) -> None:
    @app.after_request
    def count(response: Response) -> Response:
        if response.status_code == HTTPStatus.UNAUTHORIZED and request.authorization:
            for kind in MOST_FAILURES:
                meter.charge(request.remote_addr or "", kind, 1)
        return response


def _read(changed: dict[str, float]) -> list[dict[str, float]]:
    """Put what the setting changes into the tables; ScorerError where it names no limit."""
    tables = (MOST_REQUESTS, MOST_SECONDS, MOST_FAILURES)
    unknown = changed.keys() - {kind for table in tables for kind in table}
    if unknown:
        raise ScorerError(f"there is no limit called {', '.join(sorted(unknown))}")
    return [{kind: changed.get(kind, most) for kind, most in table.items()} for table in tables]
