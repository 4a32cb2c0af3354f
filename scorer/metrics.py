"""The status at ``/status``, and where ``METRICS`` is set, metrics for Prometheus at ``/metrics``.

The workers of `scorer serve` count in files that all of them read; the one that answers sums them.
Waits for locks and recorded deals are observed by events of SQLAlchemy, so no other code counts.
"""

import hmac
import os
import re
import time
from collections import defaultdict
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from platform import python_version
from typing import Any

from flask import Flask, Response, abort, current_app, g, jsonify, request
from sqlalchemy import Connection, Engine, ExceptionContext, PoolProxiedConnection, event

from scorer.api.health import asked_from_here
from scorer.routes import FACTS, RouteFacts
from scorer.services.base.clock import now
from scorer.services.journal.status import STREAMS, ServerStatus, errors_of_today, server_status
from scorer.services.live import streams
from scorer.storage import db
from scorer.storage.processes import Counts

#: The metrics of Prometheus: what each is, and how it is read.
COUNTER, GAUGE, HISTOGRAM = "counter", "gauge", "histogram"
REQUESTS, SECONDS = "scorer_requests_total", "scorer_request_seconds"
LOCK_WAITS, POOL_WAITS = "scorer_lock_wait_seconds", "scorer_pool_wait_seconds"
DEALS, SERVER_ERRORS = "scorer_deals_recorded_total", "scorer_server_errors_total"
FAMILIES = {
    REQUESTS: (COUNTER, "Requests answered."),
    SECONDS: (HISTOGRAM, "Seconds until the answer began."),
    "scorer_event_streams": (GAUGE, "Open streams of events."),
    LOCK_WAITS: (HISTOGRAM, "Seconds that a write waited for the lock."),
    DEALS: (COUNTER, "Deals recorded."),
    SERVER_ERRORS: (COUNTER, "Requests answered with a status from 500 on."),
    POOL_WAITS: (HISTOGRAM, "Seconds until the pool gave a connection."),
    "scorer_build_info": (GAUGE, "What runs here."),
    "scorer_circles": (GAUGE, "Circles."),
    "scorer_sessions_open": (GAUGE, "Sessions that have not ended."),
    "scorer_database_bytes": (GAUGE, "Size of the data."),
    "scorer_photos_bytes": (GAUGE, "Size of the photos."),
    "scorer_backup_age_seconds": (GAUGE, "Seconds since the last backup."),
    "scorer_process_memory_bytes": (GAUGE, "Memory of the server."),
    "scorer_process_cpu_seconds_total": (COUNTER, "Seconds of processor time of the server."),
    "scorer_process_open_files": (GAUGE, "Open files of the server."),
}
#: The buckets of seconds, from a quick page to one that timed out.
BOUNDS = ("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "15", "+Inf")
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
METHODS = frozenset({"GET", "HEAD", "POST"})
#: The parts of statements that wait for a write lock, on SQLite and on PostgreSQL.
ALONE, LOCKED = "BEGIN IMMEDIATE", " FOR UPDATE"
NEW_DEALS = "INSERT INTO deal "
#: The key of a connection's info: when its statement was sent.
ASKED = "scorer.asked"
_EXTENSION = "scorer.counts"


def counts_of(app: Flask) -> Counts:
    counts: Counts = app.extensions[_EXTENSION]
    return counts


def register(app: Flask) -> None:
    """Count the app's requests, locks and deals, and serve the figures."""
    app.extensions[_EXTENSION] = Counts()
    app.after_request(_count_for_status)
    app.add_url_rule("/status", "metrics.status", show_status)
    FACTS["metrics.status"] = RouteFacts(limits=("secret",))
    if not app.config["METRICS"]:
        return
    metrics = Metrics(counts_of(app))
    app.url_value_preprocessor(metrics.begin)
    app.after_request(metrics.count)
    with app.app_context():
        metrics.watch(db.engine)
    app.add_url_rule("/metrics", "metrics.show", metrics.show)
    FACTS["metrics.show"] = RouteFacts(limits=("secret",))


def _count_for_status(response: Response) -> Response:
    counts = counts_of(current_app)
    if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        counts.add(errors_of_today())
    if response.mimetype == streams.MIMETYPE:
        counts.add(STREAMS)
        response.call_on_close(lambda: counts.add(STREAMS, -1))
    return response


def show_status() -> Response:
    _admit()
    return jsonify(_status().document())


def _status() -> ServerStatus:
    return server_status(Path(current_app.instance_path), current_app.config["VERSION"])


def _admit() -> None:
    """Refuse clients without the token that are not of this machine."""
    token: str | None = current_app.config["METRICS_TOKEN"]
    sent = request.authorization.token if request.authorization else None
    if sent and not (token and hmac.compare_digest(sent.encode(), token.encode())):
        abort(HTTPStatus.UNAUTHORIZED)
    if not sent and not asked_from_here():
        abort(HTTPStatus.NOT_FOUND)


def labelled(name: str, **labels: object) -> str:
    """Write the name of a number as Prometheus reads it; no label has a quote.

    >>> labelled("scorer_requests_total", method="GET", status=200)
    'scorer_requests_total{method="GET",status="200"}'
    """
    listed = ",".join(f'{label}="{value}"' for label, value in labels.items())
    return f"{name}{{{listed}}}" if listed else name


class Metrics:
    """What Prometheus reads, counted by events of Flask and SQLAlchemy."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        for name in (DEALS, SERVER_ERRORS):
            counts.add(name, 0)

    def begin(self, _endpoint: str | None, _values: object) -> None:
        g.came = time.monotonic()

    def count(self, response: Response) -> Response:
        endpoint = request.endpoint or ""
        method = request.method if request.method in METHODS else "other"
        status = response.status_code
        self._counts.add(labelled(REQUESTS, endpoint=endpoint, method=method, status=status))
        self._observe(SECONDS, time.monotonic() - g.came, endpoint=endpoint)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self._counts.add(SERVER_ERRORS)
        return response

    def _observe(self, name: str, seconds: float, **labels: object) -> None:
        for bound in BOUNDS:
            bucket = labelled(f"{name}_bucket", **labels, le=bound)
            self._counts.add(bucket, int(seconds <= float(bound)))
        self._counts.add(labelled(f"{name}_sum", **labels), seconds)
        self._counts.add(labelled(f"{name}_count", **labels))

    def watch(self, engine: Engine) -> None:
        """Observe waits for locks and for the pool, and the writes of deals and their commits."""
        self._watch_pool(engine)
        event.listen(engine, "engine_disposed", self._watch_pool)  # which makes another pool

        @event.listens_for(engine, "before_cursor_execute")
        def note_when(connection: Connection, *_: Any) -> None:
            connection.info[ASKED] = time.monotonic()

        @event.listens_for(engine, "after_cursor_execute")
        def count(connection: Connection, _: Any, statement: str, given: Any, *__: Any) -> None:
            if statement == ALONE or LOCKED in statement:
                self._observe(LOCK_WAITS, time.monotonic() - connection.info[ASKED])
            elif statement.startswith(NEW_DEALS):
                db.session.info[self] += len(given) if isinstance(given, list) else 1

        @event.listens_for(engine, "handle_error")
        def count_wait(context: ExceptionContext) -> None:
            if context.connection and context.statement == ALONE:
                came = context.connection.info[ASKED]
                self._observe(LOCK_WAITS, time.monotonic() - came)

        # A transaction counts its deals.
        event.listen(db.session, "after_begin", lambda session, *_: session.info.update({self: 0}))
        event.listen(
            db.session,
            "after_commit",
            lambda session: self._counts.add(DEALS, session.info.pop(self, 0)),
        )

    def _watch_pool(self, engine: Engine) -> None:
        connect = engine.pool.connect

        def timed_connect() -> PoolProxiedConnection:
            came = time.monotonic()
            try:
                return connect()
            finally:
                self._observe(POOL_WAITS, time.monotonic() - came)

        engine.pool.connect = timed_connect  # type: ignore[method-assign]  # no event precedes it

    def show(self) -> Response:
        """Answer with the metrics to a client with the token, or without one to this machine."""
        _admit()
        numbers = {**self._counts.totals(), **_state(self._counts.server)}
        numbers["scorer_event_streams"] = numbers.get(STREAMS, 0)
        samples: defaultdict[str, list[str]] = defaultdict(list)
        for name, number in numbers.items():
            metric = re.sub(r"_(bucket|sum|count)$", "", name.partition("{")[0])
            samples[metric].append(f"{name} {float(number)}\n")
        page = ""
        for name, (kind, means) in FAMILIES.items():
            page += f"# HELP {name} {means}\n# TYPE {name} {kind}\n{''.join(samples[name])}"
        return Response(page, content_type=CONTENT_TYPE)


def _state(server: int) -> dict[str, float]:
    """Read the metrics of the data, and of a server's processes; an age only of a backup."""
    status = _status()
    built = {"version": status.version, "python": python_version(), "engine": status.engine}
    state: dict[str, float] = {
        labelled("scorer_build_info", **built, revision=status.revision or ""): 1,
        "scorer_circles": status.sizes.circles,
        "scorer_sessions_open": status.sizes.open_sessions,
        "scorer_database_bytes": status.database_bytes,
        "scorer_photos_bytes": status.sizes.photos_bytes,
    }
    if status.last_backup:
        state["scorer_backup_age_seconds"] = (now() - status.last_backup).total_seconds()
    if usage := process_usage(server):
        names = "memory_bytes", "cpu_seconds_total", "open_files"
        state |= {f"scorer_process_{name}": n for name, n in zip(names, usage, strict=True)}
    return state


def process_usage(server: int) -> tuple[int, float, int] | None:
    """Return the bytes of memory, seconds of CPU and open files of a server and its workers.

    Memory that they share counts once. None on systems without ``/proc`` of Linux.
    """
    children = Path(f"/proc/{server}/task/{server}/children")
    if not children.is_file():
        return None
    memory, ticks, files = 0, 0, 0
    for pid in (str(server), *children.read_text(encoding="ascii").split()):
        process = Path("/proc", pid)
        with suppress(OSError):  # it has ended meanwhile
            shares = (process / "smaps_rollup").read_text(encoding="ascii")
            memory += sum(map(int, re.findall(r"^Pss: +(\d+)", shares, re.MULTILINE))) * 1024
            # After the name: the time in user and system mode, and that of ended children.
            times = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            ticks += sum(map(int, times[11:15]))
            files += len(list((process / "fd").iterdir()))
    return memory, ticks / os.sysconf("SC_CLK_TCK"), files
