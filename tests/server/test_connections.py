"""Very many connections of one address: those of others are answered."""

import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.serving import running

pytestmark = pytest.mark.slow

SILENT = 2_300
#: Seconds; the machine may be busy with other tests. Without shares it was 60.
SOON = 20.0
#: What a client sends before it falls silent: nothing, or a head.
SENT = b"", b"POST /sessions/new HTTP/1.1\r\nHost: scorer\r\nContent-Length: 1000\r\n\r\n"


@contextmanager
def many_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * SILENT), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def seconds_of_page(place: str, source: str) -> float:
    began = time.monotonic()
    connection = HTTPConnection(place, timeout=60, source_address=(source, 0))
    connection.request("GET", "/health")
    assert connection.getresponse().read()
    connection.close()
    return time.monotonic() - began


def test_silent_connections_of_one_address_keep_nobody_else_waiting(tmp_path: Path) -> None:
    with running(tmp_path, workers=2) as server, many_files(), ExitStack() as opened:
        place = urlsplit(server.url)
        for number in range(SILENT):
            client = opened.enter_context(socket.socket())
            client.settimeout(5)
            client.connect((place.hostname, place.port))
            client.sendall(SENT[number % 2])
        waited = [seconds_of_page(place.netloc, "127.0.0.2") for _ in range(10)]

    assert max(waited) < SOON
