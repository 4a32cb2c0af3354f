"""The status at ``/status``, and where ``METRICS`` is set, metrics for Prometheus at ``/metrics``.

The workers of `scorer serve` count in files of one folder; the worker that answers sums them.
Waits for locks and recorded deals are observed by events of SQLAlchemy, so no other code counts.
"""

import errno
import hmac
import os
import re
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from platform import python_version
from typing import Any

from flask import Flask, Response, abort, current_app, g, jsonify, request
from sqlalchemy import Connection, Engine, ExceptionContext, PoolProxiedConnection, event

from scorer.api.health import asked_from_here
from scorer.routes import FACTS, Facts
from scorer.services.base.clock import now
from scorer.services.journal.status import ServerStatus, server_status
from scorer.services.live import streams
from scorer.services.live.counts import COUNTS, ServerCounts
from scorer.storage import db
from scorer.storage.files import own_folder

#: The variable with the folder in which prometheus-client counts for several processes.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
#: The head of a file of prometheus-client, how much of it is used, and a value with its time.
HEAD, VALUE = struct.Struct("i4x"), struct.Struct("dd")
#: Bytes that a file has from the start; a worker's counts take some 20,000.
COUNT_FILE_BYTES = 1 << 16
#: The buckets of seconds, from a cached page to one that timed out.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15)
#: The labels of the metric that says what runs.
BUILD = ["version", "python", "engine", "revision"]
METHODS = frozenset({"GET", "HEAD", "POST"})
#: The parts of statements that wait for a write lock, on SQLite and on PostgreSQL.
ALONE, LOCKED = "BEGIN IMMEDIATE", " FOR UPDATE"
NEW_DEALS = "INSERT INTO deal "
#: The key of a connection's info: when its statement was sent.
ASKED = "scorer.asked"


@contextmanager
def counted_together() -> Iterator[None]:
    """Let all workers that are forked in the block count in one folder."""
    with own_folder("scorer-metrics-") as folder:
        os.environ[FOLDER] = str(folder)
        from prometheus_client import values

        values.MmapedDict = CountFile  # type: ignore[assignment, attr-defined]  # it has no setting
        yield


class CountFile:
    """A file in which a process counts, in the format that prometheus-client reads.

    The class of that library maps the file into memory: on a full disk the next count would kill
    the process. Here it is lost.
    """

    def __init__(self, path: str) -> None:
        self._file = -1  # no file: every write fails, and is ignored
        self._end = HEAD.size
        self._places: dict[str, int] = {}
        with suppress(OSError):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                os.write(self._file, HEAD.pack(self._end).ljust(COUNT_FILE_BYTES, b"\0"))
            except OSError:  # who reads all files fails at one without a head
                Path(path).unlink()

    def read_value(self, key: str) -> tuple[float, float]:
        """Begin to count a key, at 0; return its value and time."""
        self.write_value(key, 0.0, 0.0)
        return 0.0, 0.0

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        with suppress(OSError):
            if key not in self._places:
                self._add(key)
            os.pwrite(self._file, VALUE.pack(value, timestamp), self._places[key])

    def _add(self, key: str) -> None:
        name = key.encode()
        padded = name + b" " * (8 - (len(name) + 4) % 8)
        entry = struct.pack("i", len(name)) + padded + VALUE.pack(0.0, 0.0)
        if os.pwrite(self._file, entry, self._end) < len(entry):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._end += len(entry)
        os.pwrite(self._file, HEAD.pack(self._end), 0)
        self._places[key] = self._end - VALUE.size

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._file)


def forget_worker(pid: int) -> None:
    """Drop the gauges of a worker that has ended; its counters stay."""
    if "prometheus_client" not in sys.modules:
        return
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]  # it has no types


def register(app: Flask) -> None:
    """Count the app's requests, locks and deals, and serve the figures."""
    app.after_request(_count_for_status)
    app.add_url_rule("/status", "metrics.status", show_status)
    FACTS["metrics.status"] = Facts(limits=("secret",))
    if not app.config["METRICS"]:
        return
    metrics = Metrics()
    app.url_value_preprocessor(metrics.begin)
    app.after_request(metrics.count)
    with app.app_context():
        metrics.watch(db.engine)
    app.add_url_rule("/metrics", "metrics.show", metrics.show)
    FACTS["metrics.show"] = Facts(limits=("secret",))


def _count_for_status(response: Response) -> Response:
    counts: ServerCounts | None = current_app.extensions.get(COUNTS)
    if counts is None:
        return response
    if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        counts.count_error()
    if response.mimetype == streams.MIMETYPE:
        counts.begin_stream()
        response.call_on_close(counts.end_stream)
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
        self._errors = Counter(
            "scorer_server_errors", "Requests answered with a status from 500 on.", **here
        )
        self._connections = Histogram(
            "scorer_pool_wait_seconds",
            "Seconds until the pool gave a connection.",
            buckets=BOUNDS,
            **here,
        )

    def begin(self, _endpoint: str | None, _values: object) -> None:
        g.came = time.monotonic()

    def count(self, response: Response) -> Response:
        endpoint = request.endpoint or ""
        method = request.method if request.method in METHODS else "other"
        self._requests.labels(endpoint, method, str(response.status_code)).inc()
        self._seconds.labels(endpoint).observe(time.monotonic() - g.came)
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self._errors.inc()
        if response.mimetype == streams.MIMETYPE:
            self._streams.inc()
            response.call_on_close(self._streams.dec)
        return response

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

    def _watch_pool(self, engine: Engine) -> None:
        connect = engine.pool.connect

        def timed_connect() -> PoolProxiedConnection:
            with self._connections.time():
                return connect()

        engine.pool.connect = timed_connect  # type: ignore[method-assign]  # no event precedes it

    def show(self) -> Response:
        """Answer with the metrics to a client with the token, or without one to this machine."""
        from prometheus_client import CollectorRegistry, generate_latest, multiprocess
        from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

        _admit()
        registry = self._registry
        if FOLDER in os.environ:
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # as above
        here = CollectorRegistry()
        here.register(StateCollector())
        page = generate_latest(registry) + generate_latest(here)
        return Response(page, content_type=CONTENT_TYPE_PLAIN_0_0_4)


class StateCollector:
    """The metrics that are read on each request: of the processes, and of the data."""

    def collect(self) -> Iterator[Any]:
        """Yield the metrics; an age of a backup only if there was one."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        status = _status()
        build = GaugeMetricFamily("scorer_build_info", "What runs here.", labels=BUILD)
        build.add_metric(
            [status.version, python_version(), status.engine, status.revision or ""], 1
        )
        yield build
        gauges: dict[str, tuple[str, float]] = {
            "circles": ("Circles.", status.sizes.circles),
            "sessions_open": ("Sessions that have not ended.", status.sizes.open_sessions),
            "database_bytes": ("Size of the data.", status.database_bytes),
            "photos_bytes": ("Size of the photos.", status.sizes.photos_bytes),
        }
        if status.last_backup:
            age = (now() - status.last_backup).total_seconds()
            gauges["backup_age_seconds"] = ("Seconds since the last backup.", age)
        counts: ServerCounts | None = current_app.extensions.get(COUNTS)
        # The process whose children are the workers, or this one if it has none.
        if usage := process_usage(counts.server if counts else os.getpid()):
            memory, seconds, files = usage
            gauges["process_memory_bytes"] = ("Memory of the server.", memory)
            gauges["process_open_files"] = ("Open files of the server.", files)
            cpu = "Seconds of processor time of the server."
            yield CounterMetricFamily("scorer_process_cpu_seconds", cpu, value=seconds)
        for name, (means, value) in gauges.items():
            yield GaugeMetricFamily(f"scorer_{name}", means, value=value)


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
