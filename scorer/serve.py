"""The server: gunicorn on the local network, and the address as a code that a phone can read."""

from __future__ import annotations

import io
import socket
from threading import Thread
from typing import TYPE_CHECKING, Any

import segno
from gunicorn.app.base import BaseApplication

from scorer import charts, storage
from scorer.app import create_app

if TYPE_CHECKING:
    from flask import Flask

EVERY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104  # looked for here, not listened on
THREADS = 8
#: Seconds that requests under way are given when the server is told to stop.
LAST_REQUESTS = 5


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn without its own command line."""

    def __init__(self, app: Flask, settings: dict[str, Any]) -> None:
        """Keep what gunicorn will ask for."""
        self._app = app
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        """Tell gunicorn its settings."""
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Give the application, made before the workers are."""
        return self._app


def serve(*, host: str, port: int, workers: int, https: bool) -> None:
    """Bring the database up to date and serve until told to stop; OSError if the port is taken."""
    _try_port(host, port)
    app = create_app({} if https else {"LAN_HTTP": True})
    with app.app_context():
        database = storage.db.engine.url
    with storage.served(database):
        with app.app_context():
            storage.upgrade()
        run(app, host=host, port=port, workers=workers)


def run(app: Flask, *, host: str, port: int, workers: int) -> None:
    """Serve an application until told to stop."""
    settings = {
        "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
        "workers": workers,
        "worker_class": "gthread",
        "threads": THREADS,
        "graceful_timeout": LAST_REQUESTS,
        "preload_app": True,
        "control_socket_disable": True,
        "loglevel": "warning",
        "when_ready": lambda _: print(invitation(address(host, port)), flush=True),
        "post_worker_init": lambda _: Thread(target=charts.warm, daemon=True).start(),
    }
    Server(app, settings).run()


def _try_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except (OSError, OverflowError) as error:
        message = f"port {port} of {host} cannot be used ({error}); name another with --port"
        raise OSError(message) from error


def address(host: str, port: int) -> str:
    """Give the address to open on a phone in the same network."""
    name = _address_on_the_network() if host in EVERY_ADDRESS else host
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def _address_on_the_network() -> str:
    """Ask which of our addresses would be used to reach another machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        name: str = probe.getsockname()[0]
        return name


def invitation(url: str) -> str:
    """Write the address, and a code that a phone's camera reads from the terminal."""
    code = io.StringIO()
    segno.make(url, error="l").terminal(code, compact=True)
    return f"{code.getvalue()}\nScorer is open at {url}"
