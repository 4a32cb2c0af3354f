"""Clients that take a connection and give nothing for it: they are slow, or gone.

They are a process of their own, which loads nothing of the program.
"""

import itertools
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

HEAD = b"GET /health HTTP/1.1\r\nHost: scorer\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n"
POST = b"POST /sessions/new HTTP/1.1\r\nHost: scorer\r\n" + FORM
#: So many requests one behind the other that no buffer holds their answers.
STYLE = b"GET /static/0/base/scorer.css HTTP/1.1\r\nHost: scorer\r\n\r\n"
MANY = 10
#: Seconds between two bytes, and how many of them pass before a client vanishes.
BEAT = 1.0
BEATS = 5
#: The clients come one group after the other, a group with each beat.
STEPS = 5
#: What a client that reads slowly lets the server send ahead, and in which pieces.
WINDOW, SEGMENT = 2048, 536
RESET = struct.pack("ii", 1, 0)


class Kind(NamedTuple):
    """What a client sends at once, what it sends byte by byte, and how it goes on."""

    sends: bytes
    drips: bytes = b""
    reads: bool = False
    vanishes: bool = False


KINDS = {
    "half a head": Kind(HEAD),
    "half a body": Kind(POST + bytes(500)),
    "a head, a byte a second": Kind(b"", drips=HEAD),
    "a body, a byte a second": Kind(POST, drips=bytes(1000)),
    "a slow reader": Kind(STYLE * MANY, reads=True),
    "vanished": Kind(POST + bytes(500), vanishes=True),
}


class Client:
    """One connection; where the server ends it, it is made anew."""

    def __init__(self, site: str, kind: Kind) -> None:
        self._address = urlsplit(site).hostname, urlsplit(site).port
        self._kind = kind
        self._connect()

    def _connect(self) -> None:
        self._beats = 0
        self._socket = socket.socket()
        if self._kind.reads:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
        self._socket.setblocking(False)
        with suppress(BlockingIOError):
            self._socket.connect(self._address)

    def beat(self) -> None:
        """Do what this client does once a second."""
        try:
            self._go_on()
        except BlockingIOError:
            return
        except OSError:
            self._socket.close()
            self._connect()

    def _go_on(self) -> None:
        kind, beat = self._kind, self._beats
        self._socket.send(kind.drips[beat - 1 : beat] if beat else kind.sends)
        self._beats += 1
        if kind.vanishes and beat == BEATS:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            raise ConnectionResetError
        if (kind.reads or not kind.drips) and beat and not self._socket.recv(1):
            raise ConnectionResetError


@contextmanager
def slow_clients(site: str, kinds: Sequence[str], count: int) -> Iterator[None]:
    """Keep so many connections of each kind open while the block runs, in a process of its own."""
    command = [sys.executable, "-m", "bench.slow_clients", site, str(count), *kinds]
    with subprocess.Popen(
        command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            yield
        finally:
            process.terminate()


def main() -> None:
    """Keep the connections open until told to stop."""
    site, count, *kinds = sys.argv[1:]
    clients: list[Client] = []
    for beat in itertools.count():
        if beat < STEPS:
            clients += [
                Client(site, KINDS[kind]) for kind in kinds for _ in range(int(count) // STEPS)
            ]
        for client in clients:
            client.beat()
        if beat == STEPS:
            print("ready", flush=True)
        time.sleep(BEAT)


if __name__ == "__main__":
    main()
