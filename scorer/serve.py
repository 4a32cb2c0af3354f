"""The server: gunicorn on the local network, and its address as a QR code.

Gunicorn's gevent worker answers each connection in a greenlet. The standard library has to be
patched before this module is imported (`scorer.cli` does it): a lock, thread or socket made before
would block the whole worker.
"""

import gc
import io
import marshal
import os
import resource
import signal
import socket
import ssl
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import metadata
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from uuid import UUID
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import gevent
import segno
from flask import Flask
from gevent.socket import wait_read
from gunicorn.app.base import BaseApplication
from gunicorn.http.errors import NoMoreData
from gunicorn.workers.ggevent import GeventWorker
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy.exc import SQLAlchemyError

from scorer import __version__, charts, limits, metrics, settings, storage
from scorer.app import create_app
from scorer.errors import ScorerError
from scorer.languages import LANGUAGES, catalogue
from scorer.services.base.author import Holder
from scorer.services.base.throttle import neighbourhood
from scorer.services.circle.circles import phones
from scorer.services.figures import figures, ratings
from scorer.services.figures.figures import CircleFigures
from scorer.services.files.demo import DemoWiper
from scorer.services.live import streams
from scorer.services.live.counts import COUNTS, ServerCounts, shared_counts
from scorer.services.live.streams import Stream
from scorer.storage.files import atomic_write, own_folder
from scorer.texts import counted
from scorer.web.base import headers
from scorer.web.base.access import remember
from scorer.web.base.addresses import opens_only_here

EVERY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104  # compared, not listened on
#: Open connections of a worker; further ones wait. Those of one address that wait for their client.
CONNECTIONS, SHARE = 1000, 400
#: Seconds for the head of a request to arrive, and for the next request of an open connection.
HEAD = 10
#: Seconds for the body of a request to arrive, and for a client to take what is written to it.
BODY, ANSWER = 60, 120
#: Bytes of a body that is too large which are read and dropped, and so many at once: a browser that
#: is cut off while it sends shows no answer.
PASSED_OVER, AT_ONCE = 16 * 1024 * 1024, 64 * 1024
#: Seconds until a stream's client that acknowledges nothing is dropped.
VANISHED = 30
TCP = (socket.AF_INET, socket.AF_INET6)
ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
#: The folders of the templates that an evening needs.
AT_THE_TABLE = {"album", "base", "circle", "deals", "figures", "live", "money", "table"}
#: The file of the instance folder with those templates compiled.
COMPILED = "templates.compiled"
#: Signals that tell gunicorn, and through it its workers, to stop.
STOPS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}
#: Seconds that current requests have when the server stops, and seconds until connections without
#: a request are closed.
LAST_REQUESTS = 5
IDLE = 1
#: The umask of a socket file: only its owner and group may connect.
OF_STRANGERS = 0o007
#: The file of the instance folder with the address that was printed last.
ANNOUNCED = "address"
MOVED = (
    "It was {before} the last time. Phones that joined there have to join again: the owner pastes "
    "a recovery link under “Join with a code”, or you run scorer link CIRCLE. "
    "To keep the address, give the machine a fixed one, or a name with --public-url."
)
ONLY_HERE = "Other phones cannot open that address: set another one with --host or --public-url."


class ConnectionShares:
    """The connections of a worker that wait for their clients, by address.

    When an address has more than its share, the connection whose client has been silent longest is
    closed. Streams, and requests that are being answered, do not wait for their clients.
    """

    def __init__(self) -> None:
        self._addresses: dict[gevent.Greenlet, str] = {}
        self._waiting: dict[str, dict[gevent.Greenlet, None]] = {}

    @contextmanager
    def of(self, address: str) -> Iterator[None]:
        """Count the connection of this greenlet for an address; for none if that is empty."""
        self._addresses[gevent.getcurrent()] = address
        try:
            self.wait()
            yield
        finally:
            self.work()
            self._addresses.pop(gevent.getcurrent(), None)

    def wait(self) -> None:
        """Say that this connection waits for its client from now on."""
        address = self._addresses.get(gevent.getcurrent())
        if not address:
            return
        waiting = self._waiting.setdefault(address, {})
        waiting.pop(gevent.getcurrent(), None)
        waiting[gevent.getcurrent()] = None
        if len(waiting) > SHARE:
            silent = next(iter(waiting))
            del waiting[silent]
            silent.kill(NoMoreData, block=False)

    def work(self) -> None:
        """Say that the client of this connection waits for us from now on."""
        address = self._addresses.get(gevent.getcurrent(), "")
        if waiting := self._waiting.get(address):
            waiting.pop(gevent.getcurrent(), None)
            if not waiting:
                del self._waiting[address]


#: The shares of this process.
shares = ConnectionShares()


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's gevent worker, with time limits for slow clients and a quick stop."""

    #: Signals that gunicorn received and did not handle; `_worker_hooks` sets it before the fork.
    unread: SimpleQueue[int]

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._waiting: set[gevent.Greenlet] = set()

    def init_signals(self) -> None:
        """Handle signals; stop if asked to since the fork, when they went to gunicorn's queue."""
        super().init_signals()
        while not self.unread.empty():
            if (sig := self.unread.get()) in STOPS:
                self.handle_exit(sig, None)

    def run(self) -> None:
        """Answer requests, and do background work."""
        self.app.start_threads()
        super().run()

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Limit the time for the head of a request."""
        waiting = gevent.getcurrent()
        self._waiting.add(waiting)
        try:
            with gevent.Timeout(HEAD, exception=False):
                yield
        finally:
            self._waiting.discard(waiting)

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection; a proxy's counts for no address until a request has come."""
        with shares.of("" if self.app.hops else _host(addr)):
            super().handle(listener, client, addr)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answer one request; close the connection of a client that is too slow.

        Other greenlets run between the requests of a client that sends many at once.
        """
        gevent.sleep()
        sock.settimeout(ANSWER)
        counted = shares.of(_forwarded_for(req, self.app.hops)) if self.app.hops else nullcontext()
        try:
            with counted:
                super().handle_request(listener_name, req, sock, addr)
        except TimeoutError as error:
            raise NoMoreData from error

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Any) -> None:
        """Answer what the application never sees, with the headers of its answers."""
        super().handle_error(req, ClientSocket(client, self.app.headers), addr, exc)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop: finish current requests, end streams, close connections without a request."""
        super().handle_exit(sig, frame)
        self.app.end_streams()
        gevent.spawn_later(IDLE, self._hang_up)

    def _hang_up(self) -> None:
        for waiting in list(self._waiting):
            waiting.kill(NoMoreData, block=False)


def _host(address: Any) -> str:
    """Return the host of a socket's address, as limits count it; nothing for a socket file."""
    return neighbourhood(address[0]) if isinstance(address, tuple) else ""


def _forwarded_for(req: Any, hops: int) -> str:
    """Return the address that the last of so many proxies reports; nothing if none does."""
    named = (value for name, value in req.headers if name == "X-FORWARDED-FOR")
    addresses = ",".join(named).split(",")
    return neighbourhood(addresses[-hops].strip()) if len(addresses) >= hops else ""


class ClientSocket:
    """The socket of a client, which adds headers to the one answer that it sends."""

    def __init__(self, client: Any, headers: Mapping[str, str]) -> None:
        self._client = client
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def sendall(self, answer: bytes) -> None:
        """Send an answer, with the headers after the status line."""
        status, end, rest = answer.partition(b"\r\n")
        self._client.sendall(status + end + self._headers.encode() + rest)


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn without its own command line."""

    def __init__(self, app: Flask, settings: dict[str, Any]) -> None:
        self._app = app
        self._settings = settings
        self.hops: int = app.config["PROXY_HOPS"]
        self.headers = headers.of_every_answer(app)
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def start_threads(self) -> None:
        """Start listening to other processes, and deleting the circles of a demo."""
        streams.hub_of(self._app).serve()
        if self._app.config.get("DEMO"):
            DemoWiper(self._app).start()

    def end_streams(self) -> None:
        streams.hub_of(self._app).end_all()

    def load(self) -> WSGIApplication:
        return read_first(self._app)


def read_first(app: Flask) -> WSGIApplication:
    """Read the body of a request before calling the application.

    A greenlet that waits for a slow client then holds no connection to the database and no
    transaction of SQLite.
    """
    most = limits.largest(app)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        with gevent.Timeout(BODY, TimeoutError):
            if length <= most:
                environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(most + 1))
            else:
                for _ in range(0, min(length, PASSED_OVER), AT_ONCE):
                    environ["wsgi.input"].read(AT_ONCE)
        shares.work()
        parts = app(environ, start_response)
        if stream := environ.get(streams.STREAM):
            return StreamParts(parts, environ["gunicorn.socket"], stream)
        shares.wait()
        return parts

    return answer


class StreamParts:
    """The parts of a stream of events, which ends when its client disconnects.

    A client that waits for events sends nothing: when the socket becomes readable, it has closed. A
    client that vanished is dropped when it doesn't acknowledge data.
    """

    def __init__(self, parts: Iterable[bytes], client: socket.socket, stream: Stream) -> None:
        self._parts = parts
        if hasattr(socket, "TCP_USER_TIMEOUT") and client.family in TCP:  # macOS has none
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED * 1000)
        self._watching = gevent.spawn(_end_with, client, stream)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._parts)

    def close(self) -> None:
        """Stop watching the descriptor, which another connection may soon use."""
        self._watching.kill()
        self._parts.close()  # type: ignore[attr-defined]  # an answer of Werkzeug has it


def _end_with(client: socket.socket, stream: Stream) -> None:
    wait_read(client.fileno())
    stream.end()


class TLSContext(ssl.SSLContext):
    """TLS with a time limit for the handshake."""

    def wrap_socket(self, sock: socket.socket, *args: Any, **how: Any) -> ssl.SSLSocket:
        """Do the handshake; end the greenlet silently when it fails."""
        sock.settimeout(HEAD)
        try:
            with shares.of(_host(sock.getpeername())):
                return super().wrap_socket(sock, *args, **how)
        except OSError as error:
            sock.close()
            raise gevent.GreenletExit from error


def encrypted(certificate: str, key: str) -> TLSContext:
    """Read a certificate and its key; raise ScorerError if they can't be used."""
    for file in (certificate, key):
        if not Path(file).is_file():
            raise ScorerError(f"{file} does not exist")
    context = TLSContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:
        reason = f"{getattr(error, 'reason', None) or error}".replace("_", " ").lower()
        message = f"{certificate} and {key} must be a certificate and its key in PEM ({reason})"
        raise ScorerError(message) from error
    return context


@dataclass(frozen=True, slots=True)
class ListenPlace:
    """Where the server listens: at a port of a host, or at a socket file instead."""

    host: str
    port: int
    file: Path | None = None

    @property
    def bind(self) -> str:
        if self.file:
            return f"unix:{self.file.absolute()}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def probe(self) -> None:
        """Raise OSError for a port, or ScorerError for a file, that cannot be listened at."""
        if self.file:
            _try_file(self.file)
            return
        host, port = self.host, self.port
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            socket.create_server((host, port), family=family).close()
        except (OSError, OverflowError) as error:
            message = (
                f"cannot listen at port {port} of {host} ({error}); choose another with --port"
            )
            raise OSError(message) from error

    def address(self, scheme: str) -> str:
        return self.bind if self.file else address(self.host, self.port, scheme)


def serve(*, place: ListenPlace, workers: int, overrides: Mapping[str, object]) -> None:
    """Migrate the database and serve until stopped; ``overrides`` are settings above all others.

    Raise OSError or ScorerError for a place that is taken.
    """
    place.probe()
    with ExitStack() as opened:
        if overrides.get("DEMO"):
            folder = opened.enter_context(own_folder("scorer-demo-"))
            os.environ["SCORER_INSTANCE"] = str(folder)
        if settings.load(settings.instance_path(), overrides)["METRICS"].value:
            opened.enter_context(metrics.counted_together())
        app = create_app(overrides)
        https = encryption(app)
        with app.app_context():
            database = storage.db.engine.url
        storage.hide_data(Path(app.instance_path), database)
        opened.enter_context(storage.served(database))
        app.extensions[COUNTS] = opened.enter_context(shared_counts(Path(app.instance_path)))
        with app.app_context():
            started = f"Scorer {__version__}: {bring_up()}, {counted(workers, 'worker')}"
            _warm(app)
        run(app, place=place, workers=workers, https=https, started=started)


def bring_up() -> str:
    """Migrate the database; describe its tables and its engine for the operator."""
    before, began = storage.revision(), time.monotonic()
    copy = storage.upgrade()
    seconds = time.monotonic() - began
    mode, after, how = storage.database_mode(), storage.revision(), ""
    if before and before != after:
        kept = f"; copied before to {copy}" if copy else ""
        how = f" (upgraded from {before} in {seconds:.1f} s{kept})"
    return f"tables {after}{how}, {ENGINES[mode.engine]} {mode.version}"


def _warm(app: Flask) -> None:
    """Load what the forked workers will share: texts, templates, figures, and what pages need.

    The templates of an evening are kept compiled for the next start. A database that can't be read
    is reported by the pages.
    """
    for language in LANGUAGES:
        catalogue(language)
    compiled = TemplateCache(Path(app.instance_path, COMPILED))
    app.jinja_env.bytecode_cache = compiled
    for template in app.jinja_env.list_templates():
        if template.partition("/")[0] in AT_THE_TABLE:
            app.jinja_env.get_template(template)
    app.jinja_env.bytecode_cache = None
    compiled.keep()
    with suppress(SQLAlchemyError, ScorerError):
        newest, circle = next(iter(sum_ahead().items()), (None, None))
        if newest and circle and (members := phones(newest)):
            _open_pages(app, members[0], circle)
    storage.db.session.remove()
    storage.db.engine.dispose()


def sum_ahead() -> dict[UUID, CircleFigures]:
    """Compute figures and ratings of the circles that played last."""
    summed = figures.warm()
    for circle in summed.values():
        for game in circle.games:
            ratings.rated_sessions(circle, game)
            for player_id in circle.players(game):
                circle.lifetime(game, player_id)
    return summed


def _open_pages(app: Flask, phone: Holder, circle: CircleFigures) -> None:
    """Open the pages of an evening as a phone does, to share the statements and parts they need.

    A failure is left to the phones that open the page.
    """
    at, player_id = f"/circles/{phone.circle_id}/", next(iter(circle.names))
    session = f"{at}sessions/{list(circle.sessions)[-1]}/"
    pages = f"{session}", f"{session}record", at, f"{at}players/{player_id}/"
    for language, path in product(LANGUAGES, pages):
        sent, base = {"Cookie": f"language={language}"}, app.config["PUBLIC_URL"]
        opened = app.test_request_context(path, base, headers=sent)
        with suppress(Exception), app.app_context(), opened:
            remember(phone.circle_id, phone.phone_id)
            app.preprocess_request() or app.dispatch_request()


class TemplateCache(BytecodeCache):
    """Compiled templates in one file, valid while neither the program nor Jinja changes.

    Jinja itself notices a template whose text has changed.
    """

    def __init__(self, file: Path) -> None:
        """Read the file of an earlier start, if it is there, readable and valid."""
        changed = max(source.stat().st_mtime_ns for source in settings.PACKAGE.rglob("*.py"))
        self._file, self._made_by = file, f"{metadata.version('jinja2')} {changed}"
        self._found: dict[str, bytes] = {}
        self._used: dict[str, bytes] = {}
        with suppress(OSError, ValueError, TypeError, EOFError):
            made_by, codes = marshal.loads(file.read_bytes())  # noqa: S302  # in our own folder
            self._found = codes if made_by == self._made_by else {}

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(ValueError, TypeError, EOFError):
            bucket.bytecode_from_string(self._found.get(bucket.key, b""))
        if bucket.code:
            self._used[bucket.key] = self._found[bucket.key]

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._used[bucket.key] = bucket.bytecode_to_string()

    def keep(self) -> None:
        """Write the code of the used templates, if it differs and the folder is writable."""
        if self._used != self._found:
            with suppress(OSError), atomic_write(self._file) as draft:
                draft.write_bytes(marshal.dumps((self._made_by, self._used)))


def run(
    app: Flask,
    *,
    place: ListenPlace,
    workers: int,
    started: str,
    https: Mapping[str, Any] | None = None,
) -> None:
    """Serve an application until stopped; print ``started``, a line, once it answers."""
    public = app.config["PUBLIC_URL"]
    here = place.address("https" if https else "http")
    at_home = (app.config["LAN_HTTP"] or https) and not place.file
    proxy = [] if at_home else [f"Scorer waits for its proxy at {here}"]
    url = f"{public}/" if public else here
    welcome = [invitation(url), *moved(Path(app.instance_path), url)] if at_home or public else []
    configured = {
        "bind": place.bind,
        "umask": OF_STRANGERS,
        "workers": workers,
        "worker_class": Worker,
        "worker_connections": CONNECTIONS,
        "keepalive": HEAD,
        "graceful_timeout": LAST_REQUESTS,
        "preload_app": True,
        "forwarded_allow_ips": "",  # PROXY_HOPS alone says which forwarded headers are believed
        "control_socket_disable": True,
        "loglevel": app.config["LOG_LEVEL"].lower(),
        **_worker_hooks(app.extensions.get(COUNTS)),
        **(https or {}),
        "when_ready": lambda _: print(started, *welcome, *proxy, sep="\n", flush=True),
    }
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)  # a file for each connection
    with suppress(ValueError, OSError):  # macOS says that there is no limit, and has one
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    charts.warm()
    gc.freeze()
    gc.set_threshold(10_000)  # a request makes thousands of objects, and hardly a cycle
    gc.enable()
    Server(app, configured).run()


def _worker_hooks(counts: ServerCounts | None) -> dict[str, Any]:
    """Return gunicorn's hooks: a worker gets the queue of signals and a slot for its counts."""

    def begin(arbiter: Any, worker: Any) -> None:
        worker.unread = arbiter.SIG_QUEUE
        worker.slot = counts.take_slot() if counts else 0

    def end(_: Any, worker: Any) -> None:
        metrics.forget_worker(worker.pid)
        if counts:
            counts.free_slot(worker.slot)

    return {"pre_fork": begin, "child_exit": end}


def encryption(app: Flask) -> dict[str, Any]:
    """Return gunicorn's settings for HTTPS; none where a certificate is not set."""
    certificate, key = app.config["CERTIFICATE"], app.config["CERTIFICATE_KEY"]
    if not certificate:
        return {}
    context = encrypted(certificate, key)
    return {"certfile": certificate, "keyfile": key, "ssl_context": lambda _, __: context}


def _try_file(file: Path) -> None:
    """Refuse a socket file at which another server listens; a stale one is replaced later."""
    if file.exists() and not file.is_socket():
        raise ScorerError(f"{file} is not a socket; choose another file with --socket")
    if not file.absolute().parent.is_dir():
        raise ScorerError(f"the folder of {file} does not exist")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            in_use = probe.connect_ex(str(file)) == 0
        except OSError as error:
            raise ScorerError(f"cannot listen at {file}: {error}") from error
    if in_use:
        raise ScorerError(f"{file} is in use: another server listens there")


def address(host: str, port: int, scheme: str = "http") -> str:
    name = _address_on_the_network() if host in EVERY_ADDRESS else host
    return f"{scheme}://[{name}]:{port}/" if ":" in name else f"{scheme}://{name}:{port}/"


def _address_on_the_network() -> str:
    """Return our address on the route to another machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        name: str = probe.getsockname()[0]
        return name


def invitation(url: str) -> str:
    """Write the address, on a terminal below its QR code, which a log does not need."""
    code = io.StringIO()
    if sys.stdout.isatty():
        segno.make(url, error="l").terminal(code, compact=True)
        code.write("\n")
    text = f"{code.getvalue()}Scorer is open at {url}"
    return f"{text}\n{ONLY_HERE}" if opens_only_here(url) else text


def moved(instance: Path, url: str) -> Iterator[str]:
    """Remember the address; warn if it differs from the last one that phones could open.

    One that no phone can open replaces no other: the network may not be up yet.
    """
    before = last_address(instance)
    joined = bool(before) and not opens_only_here(before)
    if before == url or (joined and opens_only_here(url)):
        return
    with suppress(OSError), atomic_write(instance / ANNOUNCED) as draft:
        draft.write_text(f"{url}\n", encoding="utf-8")
    if joined:
        yield MOVED.format(before=before)


def last_address(instance: Path) -> str:
    """Return the address that the server printed last; an empty text if there is none."""
    with suppress(OSError, UnicodeError):
        return (instance / ANNOUNCED).read_text(encoding="utf-8").strip()
    return ""
