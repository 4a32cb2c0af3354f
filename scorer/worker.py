"""A worker of the server: connections of slow, silent and vanished clients; streams; its stop.

Gunicorn's gevent worker answers each connection in a greenlet. Only `scorer.serve` uses this.
"""

import io
import signal
import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import gevent
from flask import Flask
from gevent.socket import wait_read
from gunicorn.http.errors import NoMoreData
from gunicorn.workers.ggevent import GeventWorker

from scorer import limits
from scorer.services.base.throttle import neighbourhood
from scorer.services.live import streams
from scorer.services.live.streams import Stream

#: Connections of one address in a worker that may wait for their clients.
SHARE = 400
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
#: Signals that tell gunicorn, and through it its workers, to stop.
STOPS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}
#: Seconds until a worker that stops closes connections without a request.
IDLE = 1


class SilentConnections:
    """The connections of this worker that wait for their clients, with the addresses of those.

    An address may have ``SHARE`` of them: beyond that the one silent longest is closed. Streams,
    and requests that are being answered, do not wait for their clients.
    """

    def __init__(self) -> None:
        self._addresses: dict[gevent.Greenlet, str] = {}

    def add(self, address: str) -> None:
        """Say that the client of this connection is waited for from now on; no address is free."""
        self.remove()
        if not address:
            return
        self._addresses[gevent.getcurrent()] = address
        same = [connection for connection, other in self._addresses.items() if other == address]
        if len(same) > SHARE:
            del self._addresses[same[0]]
            same[0].kill(NoMoreData, block=False)

    def remove(self) -> None:
        """Say that this connection has ended, or that its client waits for us from now on."""
        self._addresses.pop(gevent.getcurrent(), None)


silent = SilentConnections()


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's gevent worker, with time limits for slow clients and a quick stop."""

    #: Signals that gunicorn received and did not handle; `scorer.serve` sets it before the fork.
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
        """Serve a connection."""
        silent.add(self._address(addr))
        try:
            super().handle(listener, client, addr)
        finally:
            silent.remove()

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answer one request; close the connection of a client that is too slow.

        Other greenlets run between the requests of a client that sends many at once.
        """
        gevent.sleep()
        sock.settimeout(ANSWER)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError as error:
            raise NoMoreData from error
        silent.add(self._address(addr))

    def _address(self, addr: Any) -> str:
        """Return the address of a client, as limits count it; none for a proxy or a socket file."""
        return "" if self.app.hops or not isinstance(addr, tuple) else neighbourhood(addr[0])

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


def read_first(app: Flask) -> WSGIApplication:
    """Read the body of a request before calling the application.

    A greenlet that waits for a slow client then holds no connection to the database and no
    transaction of SQLite.
    """
    most, hops = limits.largest(app), app.config["PROXY_HOPS"]

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length, address = int(environ.get("CONTENT_LENGTH") or 0), _address(environ, hops)
        silent.add(address)
        with gevent.Timeout(BODY, TimeoutError):
            if length <= most:
                environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(most + 1))
            else:
                for _ in range(0, min(length, PASSED_OVER), AT_ONCE):
                    environ["wsgi.input"].read(AT_ONCE)
        silent.remove()
        parts = app(environ, start_response)
        if stream := environ.get(streams.STREAM):
            return StreamParts(parts, environ["gunicorn.socket"], stream)
        silent.add(address)
        return parts

    return answer


def _address(environ: WSGIEnvironment, hops: int) -> str:
    """Return the client's address, as the last of so many proxies reports it; none if none does."""
    if not hops:
        return neighbourhood(environ["REMOTE_ADDR"])
    reported = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return neighbourhood(reported[-hops].strip()) if len(reported) >= hops else ""


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
            silent.add(neighbourhood(sock.getpeername()[0]))
            return super().wrap_socket(sock, *args, **how)
        except OSError as error:
            sock.close()
            raise gevent.GreenletExit from error
        finally:
            silent.remove()
