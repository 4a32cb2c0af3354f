"""How much one address, phone or circle may ask for within a minute.

A view declares which limits its route counts for (`scorer.routes`). Requests that begin something
are counted in the database, all other writes by phone in memory that the workers of a server share.
Routes that compute are limited by seconds of CPU, counted in the same memory. Exported files are
counted by phone and by circle, and a process makes one of them at a time. When a computation yields
to other greenlets, their time counts too. A route that reads a file in a child process is charged
in advance for all that the child may use, and gets the rest back. Wrong secrets of programs, feeds
and public pages are counted in the same memory.
"""

import time
from collections.abc import Mapping
from http import HTTPStatus

from flask import Flask, abort, g, request
from werkzeug.wrappers import Response

from scorer.logs import opened_nothing
from scorer.routes import EXPORT, FACTS, facts_of
from scorer.services.base import sandbox
from scorer.services.base.throttle import Meter, Turns, admit
from scorer.settings import MOST_FAILURES, MOST_REQUESTS, MOST_SECONDS, MOST_WRITES

#: Fields of a form; the largest page has some 300.
MOST_FIELDS = 1_000
#: How many files a phone, and a circle, may have in the making in a process, with those in line.
EACH = {"phone_id": 2, "circle_id": 6}
#: The limits that count by a phone or a circle; all others count by address. A whole club has one
#: address, so what its phones do in the circle counts by phone.
OF_A_PHONE = ("write", "hold", "dispute", "note", "money", "nickname", "download")
ASKERS = {**dict.fromkeys(OF_A_PHONE, "phone_id"), "circle-download": "circle_id"}


def largest(app: Flask) -> int:
    most: int = app.config["MAX_CONTENT_LENGTH"]
    return max(most, *(facts.largest for facts in FACTS.values()))


def bound_forms(app: Flask) -> None:
    """Refuse a form of very many fields before it is parsed."""

    @app.before_request
    def bound() -> None:
        if own := facts_of(request.endpoint).largest:
            request.max_content_length = max(own, app.config["MAX_CONTENT_LENGTH"])
        if request.mimetype == "application/x-www-form-urlencoded":
            fields = request.get_data().count(b"&") + 1
            if fields > MOST_FIELDS:
                abort(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def register(app: Flask) -> None:
    """Enforce the limits, in which the setting ``LIMITS`` overrides the tables."""
    changed: dict[str, float] = app.config["LIMITS"]
    requests, writes, seconds, failures = (
        {kind: changed.get(kind, most) for kind, most in table.items()}
        for table in (MOST_REQUESTS, MOST_WRITES, MOST_SECONDS, MOST_FAILURES)
    )
    meter, turns = Meter(), Turns()

    @app.after_request
    def count_failures(response: Response) -> Response:
        status = response.status_code
        wrong_feed = status == HTTPStatus.UNAUTHORIZED and "token" in request.args
        if wrong_feed or opened_nothing(status):
            for kind in MOST_FAILURES:
                meter.charge(request.remote_addr or "", kind, 1)
        return response

    @app.before_request
    def hold() -> None:
        kinds = _kinds()
        if kinds == EXPORT:  # before anything is written
            askers = {str(getattr(g.holder, name)): most for name, most in EACH.items()}
            g.turn = turns.line_up(askers)
        for kind in kinds:
            if kind in requests:
                admit(_asker(kind), kind, requests[kind])

    _meter_seconds(app, meter, seconds, {**failures, **writes})


def _kinds() -> tuple[str, ...]:
    return facts_of(request.endpoint).limits


def _meter_seconds(
    app: Flask, meter: Meter, seconds: Mapping[str, float], counted: Mapping[str, float]
) -> None:
    metered = {**seconds, **counted}

    @app.before_request
    def begin() -> None:
        _admit_seconds(meter, metered)
        spent = [kind for kind in _kinds() if kind in seconds]
        if spent:
            request.get_data()  # before the clock starts: a slow client takes no CPU
        if "turn" in g:
            g.turn.wait()
            _admit_seconds(meter, metered)  # those before may have spent them
        askers = {kind: _asker(kind) for kind in spent}
        deposit = sandbox.SECONDS if facts_of(request.endpoint).sandboxed else 0
        paid = {kind: meter.charge(askers[kind], kind, deposit) for kind in spent if deposit}
        g.metered = askers, _seconds(), deposit, paid

    @app.teardown_request
    def charge(_: BaseException | None) -> None:
        askers, began, deposit, paid = g.pop("metered", ({}, 0.0, 0, {}))
        for kind, asker in askers.items():
            meter.charge(asker, kind, _seconds() - began)
        for kind, minute in paid.items():
            meter.give_back(askers[kind], kind, deposit, minute)
        if "turn" in g:
            g.pop("turn").end()


def _seconds() -> float:
    """Return the CPU time of this thread and of the children that it waited for."""
    return time.thread_time() + sandbox.spent.get()


def _admit_seconds(meter: Meter, metered: Mapping[str, float]) -> None:
    for kind in _kinds():
        if kind in metered:
            meter.admit(_asker(kind), kind, metered[kind])
        if kind in MOST_WRITES:
            meter.charge(_asker(kind), kind, 1)


def _asker(kind: str) -> str:
    """Return whom a limit counts for: a phone, a circle, or an address, which programs have."""
    holder = g.get("holder")
    if kind in ASKERS and holder:
        return str(getattr(holder, ASKERS[kind]))
    return request.remote_addr or ""
