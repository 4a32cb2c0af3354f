"""The server: gunicorn on the local network.

The standard library has to be patched before this module is imported (`scorer.cli` does it): a
lock, thread or socket made before would block the whole worker.
"""

import gc
import os
import resource
import shutil
import ssl
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from importlib import metadata
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

from flask import Flask
from gunicorn.app.base import BaseApplication
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from scorer import __version__, charts, metrics, settings, storage
from scorer.app import create_app
from scorer.errors import ScorerError
from scorer.games import all_games
from scorer.languages import LANGUAGES, catalogue
from scorer.listening import ListenPlace, invitation, moved
from scorer.services.files.demo import DemoWiper
from scorer.services.journal.status import forget_old_counts
from scorer.services.live import streams
from scorer.storage.private_files import own_folder
from scorer.texts import counted
from scorer.web.base import headers
from scorer.worker import HEAD, TLSContext, Worker, read_first

#: Open connections of a worker; further ones wait.
CONNECTIONS = 1000
ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
#: Seconds that current requests have when the server stops.
LAST_REQUESTS = 5
#: The umask of a socket file: only its owner and group may connect.
OF_STRANGERS = 0o007


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


def serve(*, place: ListenPlace, workers: int, overrides: Mapping[str, object]) -> None:
    """Migrate the database and serve until stopped; ``overrides`` are settings above all others.

    Raise OSError or ScorerError for a place that is taken.
    """
    place.probe()
    with ExitStack() as opened:
        if overrides.get("DEMO"):
            folder = opened.enter_context(own_folder("scorer-demo-"))
            os.environ["SCORER_INSTANCE"] = str(folder)
        app = create_app(overrides)
        https = encryption(app)
        with app.app_context():
            database = storage.db.engine.url
        storage.hide_data(Path(app.instance_path), database)
        opened.enter_context(storage.served(database))
        app.jinja_env.bytecode_cache = template_cache(Path(app.instance_path))
        forget_old_counts(Path(app.instance_path))
        opened.enter_context(metrics.counts_of(app).shared(Path(app.instance_path)))
        with app.app_context():
            started = f"Scorer {__version__}: {bring_up()}, {counted(workers, 'worker')}"
            storage.db.session.remove()
            storage.db.engine.dispose()
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
        "pre_fork": _hand_on_signals,
        **(https or {}),
        "when_ready": lambda _: print(started, *welcome, *proxy, sep="\n", flush=True),
    }
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)  # a file for each connection
    with suppress(ValueError, OSError):  # macOS says that there is no limit, and has one
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    load_libraries()
    Server(app, configured).run()


def load_libraries() -> None:
    """Load what pages import when they need it, for all workers at once."""
    charts.load()
    all_games()
    for language in LANGUAGES:
        catalogue(language)
    gc.freeze()  # or a worker's collector would copy what it shares: 25 MB each
    gc.enable()
    gc.set_threshold(5_000, 10, 100)  # a page waits 50 to 100 ms where everything is collected


class TemplateCache(FileSystemBytecodeCache):
    """Jinja's cache of compiled templates, on a disk that may be full."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def template_cache(instance: Path) -> TemplateCache | None:
    """Return the cache of templates that Jinja and this program compiled; None without a folder.

    A page with twelve new templates takes 0.3 s, and compiled ones 0.01 s.
    """
    changed = max(source.stat().st_mtime_ns for source in settings.PACKAGE.rglob("*.py"))
    folder = instance / f"templates-{metadata.version('jinja2')}-{changed:x}"
    for old in {*instance.glob("templates-*")} - {folder}:
        shutil.rmtree(old, ignore_errors=True)
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        return TemplateCache(str(folder))
    return None


def _hand_on_signals(arbiter: Any, worker: Worker) -> None:
    worker.unread = arbiter.SIG_QUEUE


def encryption(app: Flask) -> dict[str, Any]:
    """Return gunicorn's settings for HTTPS; none where a certificate is not set."""
    certificate, key = app.config["CERTIFICATE"], app.config["CERTIFICATE_KEY"]
    if not certificate:
        return {}
    context = encrypted(certificate, key)
    return {"certfile": certificate, "keyfile": key, "ssl_context": lambda _, __: context}


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
