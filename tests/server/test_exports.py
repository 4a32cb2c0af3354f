"""Files taken out of a large circle by slow readers: pages of others go on."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from bench.browsers import Browser
from bench.years import play
from scorer.roles import Role
from scorer.services.circle import circles
from tests.databases import postgres_database
from tests.serving import running
from tests.storage.conftest import opened
from tests.web.pages import Page

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

DEALS = 400
#: More than a worker has connections to its database.
READERS = 18
#: Seconds that nobody waits for a page, on a machine that is busy with other tests, and that the
#: server is given.
SOON, PATIENCE = 15.0, 120.0
UNMETERED = 'LIMITS = {"download": 1000, "circle-download": 1000}\n'


@contextmanager
def export(phone: Browser, form: dict[str, str]) -> Iterator[HTTPResponse]:
    """Ask for all deals as a table, as slow a reader as can be; read the answer's head alone."""
    cookies = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    sent = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
    with closing(HTTPConnection(urlsplit(phone.site).netloc, timeout=PATIENCE)) as connection:
        connection.connect()
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.request("POST", f"{phone.url}csv", urlencode(form), sent)
        yield connection.getresponse()


def seconds_of_page(phone: Browser) -> float:
    began = time.monotonic()
    assert phone.go("").status_code == 200
    return time.monotonic() - began


def test_files_that_are_being_read_hold_no_connection(
    postgres_server: str, postgres_template: str, tmp_path: Path
) -> None:
    (tmp_path / "config.py").write_text(UNMETERED, encoding="ascii")
    with (
        postgres_database(postgres_server, postgres_template) as url,
        running(tmp_path, database_url=url) as server,
        ExitStack() as exports,
    ):
        with opened(url):
            years = play(DEALS)
            secret = circles.make_link(years.circle_id, "Watch", Role.SPECTATOR)
        reader, other = Browser(server.url), Browser(server.url)
        for phone in (reader, other):
            phone.go("/join", phone.filled_in("/join", "/join", code=secret))
            phone.url = years.path
        form = Page(reader.go("more")).form("/csv").sends()
        seconds_of_page(other)
        for _ in range(READERS):
            assert exports.enter_context(export(reader, form)).status == 200

        assert seconds_of_page(other) < SOON
