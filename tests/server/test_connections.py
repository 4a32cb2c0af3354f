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

from bench.browsers import Browser, Listener, believe_phones
from bench.phones import in_one_session
from tests.serving import running

pytestmark = pytest.mark.slow

SILENT, PHONES = 2_300, 200
#: Seconds; the machine may be busy with other tests. Without shares it was 10 and 60.
SOON = 3.0
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
    with running(tmp_path) as server, many_files(), ExitStack() as opened:
        place = urlsplit(server.url)
        for number in range(SILENT):
            client = opened.enter_context(socket.socket())
            client.settimeout(5)
            client.connect((place.hostname, place.port))
            client.sendall(SENT[number % 2])
        waited = [seconds_of_page(place.netloc, "127.0.0.2") for _ in range(10)]

    assert max(waited) < SOON


def test_two_hundred_live_phones_of_one_address_hear_and_are_answered(tmp_path: Path) -> None:
    believe_phones(tmp_path)
    with running(tmp_path) as server, ExitStack() as opened:
        writer = in_one_session(server.url, 1)[0]
        phones = writer.browser.let_in_all([Browser(server.url) for _ in range(PHONES)])
        for phone in phones:
            phone.address = writer.browser.address
        streams = [opened.enter_context(Listener(phone)) for phone in phones]
        writer.record(70)
        heard = [stream.next() for stream in streams]
        pages = [phone.go("").status_code for phone in phones]

    assert [stream.answer.status for stream in streams] == [200] * PHONES
    assert [change and change["number"] for change in heard] == [1] * PHONES
    assert pages == [200] * PHONES
