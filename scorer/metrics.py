"""Metrics for Prometheus at ``/metrics``, where the setting ``METRICS`` turns them on.

The workers of `scorer serve` count in files of one folder; the worker that answers sums them.
Waits for locks and recorded deals are observed by events of SQLAlchemy, so no other code counts.
"""

import hmac
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from tempfile import mkdtemp
from typing import Any

from flask import Flask, Response, abort, current_app, g, request
from sqlalchemy import Connection, Engine, ExceptionContext, event

from scorer.api.health import asked_from_here
from scorer.routes import FACTS, Facts
from scorer.storage import db

#: The variable with the folder in which prometheus-client counts for several processes.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
#: The buckets of seconds, from a cached page to one that timed out.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15)
METHODS = frozenset({"GET", "HEAD", "POST"})
#: The parts of statements that wait for a write lock, on SQLite and on PostgreSQL.
ALONE, LOCKED = "BEGIN IMMEDIATE", " FOR UPDATE"
NEW_DEALS = "INSERT INTO deal "
#: The key of a connection's info: when its statement was sent.
ASKED = "scorer.asked"


@contextmanager
def counted_together() -> Iterator[None]:
    """Count all workers that are forked in the block in one folder."""
    server, folder = os.getpid(), mkdtemp(prefix="scorer-metrics-")
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        if os.getpid() == server:
            shutil.rmtree(folder, ignore_errors=True)


def forget_worker(pid: int) -> None:
    """Drop the gauges of a worker that has ended; its counters stay."""
    if "prometheus_client" not in sys.modules:
        return
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]  # it has no types


def register(app: Flask) -> None:
    """Count the app's requests, locks and deals, and serve the figures."""
    if not app.config["METRICS"]:
        return
    metrics = Metrics()
    app.url_value_preprocessor(metrics.begin)
    app.after_request(metrics.count)
    with app.app_context():
        metrics.watch(db.engine)
    app.add_url_rule("/metrics", "metrics.show", metrics.show)
    FACTS["metrics.show"] = Facts(limits=("secret",))


class Metrics:
    """The counters; prometheus-client is imported only for them."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = CollectorRegistry()
        here: dict[str, Any] = {"registry": self._registry}
        self._requests = Counter(
            "scorer_requests",
            "Requests answered.",
            ["endpoint", "method", "status"],
            **here,
        )
        self._seconds = Histogram(
            "scorer_request_seconds",
            "Seconds until the answer began.",
            ["endpoint"],
            buckets=BOUNDS,
            **here,
        )
        self._streams = Gauge(
            "scorer_event_streams", "Open streams of events.", multiprocess_mode="livesum", **here
        )
        self._waits = Histogram(
            "scorer_lock_wait_seconds",
            "Seconds that a write waited for the lock.",
            buckets=BOUNDS,
            **here,
        )
        self._deals = Counter("scorer_deals_recorded", "Deals recorded.", **here)

    def begin(self, _endpoint: str | None, _values: object) -> None:
        g.came = time.monotonic()

    def count(self, response: Response) -> Response:
        endpoint = request.endpoint or ""
        method = request.method if request.method in METHODS else "other"
        self._requests.labels(endpoint, method, str(response.status_code)).inc()
        self._seconds.labels(endpoint).observe(time.monotonic() - g.came)
        if response.mimetype == "text/event-stream":
            self._streams.inc()
            response.call_on_close(self._streams.dec)
        return response

    def watch(self, engine: Engine) -> None:
        """Observe the statements that wait for a lock or write deals, and the commits."""

        @event.listens_for(engine, "before_cursor_execute")
        def note_when(connection: Connection, *_: Any) -> None:
            connection.info[ASKED] = time.monotonic()

        @event.listens_for(engine, "after_cursor_execute")
        def count(connection: Connection, _: Any, statement: str, given: Any, *__: Any) -> None:
            if statement == ALONE or LOCKED in statement:
                self._waits.observe(time.monotonic() - connection.info[ASKED])
            elif statement.startswith(NEW_DEALS):
                db.session.info[self] += len(given) if isinstance(given, list) else 1

        @event.listens_for(engine, "handle_error")
        def count_wait(context: ExceptionContext) -> None:
            if context.connection and context.statement == ALONE:
                self._waits.observe(time.monotonic() - context.connection.info[ASKED])

        # A transaction counts its deals.
        event.listen(db.session, "after_begin", lambda session, *_: session.info.update({self: 0}))
        event.listen(
            db.session, "after_commit", lambda session: self._deals.inc(session.info.pop(self, 0))
        )

    def show(self) -> Response:
        """Answer with the metrics to a client with the token, or without one to this machine."""
        from prometheus_client import (
            CONTENT_TYPE_LATEST,
            CollectorRegistry,
            generate_latest,
            multiprocess,
        )

        token: str | None = current_app.config["METRICS_TOKEN"]
        sent = request.authorization.token if request.authorization else None
        if sent and not (token and hmac.compare_digest(sent.encode(), token.encode())):
            abort(HTTPStatus.UNAUTHORIZED)
        if not sent and not asked_from_here():
            abort(HTTPStatus.NOT_FOUND)
        registry = self._registry
        if FOLDER in os.environ:
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # as above
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
