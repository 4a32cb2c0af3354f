"""Files taken out of a large circle by one phone: pages of others go on."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlencode, urlsplit

import pytest

from bench.browsers import Browser
from bench.years import Years, play
from scorer.roles import Role
from scorer.services.circle import circles
from tests.databases import postgres_database
from tests.serving import running
from tests.storage.conftest import opened
from tests.web.pages import Page

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

DEALS, EXPORTS = 400, 44
#: More than a worker has connections to its database.
READERS = 18
#: Seconds: nobody waits longer for a page than the first, on a machine that is busy with other
#: tests; the server is given the second.
SOON, PATIENCE = 15.0, 120.0
UNMETERED = 'LIMITS = {"download": 1000, "circle-download": 1000}\n'


@pytest.fixture(scope="module")
def url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """Give the URL of a database whose connections are few."""
    with postgres_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(scope="module")
def site(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Years, str]]:
    """Serve a circle with one worker; give its address, and a link for spectators."""
    with opened(url):
        years = play(DEALS)
        secret = circles.make_link(years.circle_id, "Watch", Role.SPECTATOR)
    instance = tmp_path_factory.mktemp("server")
    (instance / "config.py").write_text(UNMETERED, encoding="ascii")
    with running(instance, database_url=url) as server:
        yield server.url, years, secret


def come_in(site: tuple[str, Years, str]) -> Browser:
    url, years, secret = site
    phone = Browser(url)
    assert phone.go("/join", phone.filled_in("/join", "/join", code=secret)).status_code == 303
    phone.url = years.path
    return phone


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


def test_pages_go_on_while_a_spectator_takes_44_tables(site: tuple[str, Years, str]) -> None:
    greedy, other = come_in(site), come_in(site)
    form = Page(greedy.go("more")).form("/csv").sends()
    for _ in range(8):  # so that each worker has shown it once
        seconds_of_page(other)

    def taken(number: int) -> int:
        with export(greedy, form) as answer:
            while number % 2 and answer.read(65_536):
                time.sleep(0.05)
            return answer.status

    with ThreadPoolExecutor(EXPORTS) as threads:
        exports = [threads.submit(taken, number) for number in range(EXPORTS)]
        waited = [seconds_of_page(other)]
        while not all(one.done() for one in exports):
            waited.append(seconds_of_page(other))
            time.sleep(0.2)

    assert {one.result() for one in exports} == {200, 429}
    assert max(waited) < SOON


def test_files_that_are_being_read_hold_no_connection(site: tuple[str, Years, str]) -> None:
    reader, other = come_in(site), come_in(site)
    form = Page(reader.go("more")).form("/csv").sends()
    seconds_of_page(other)
    with ExitStack() as opened_exports:
        for _ in range(READERS):
            assert opened_exports.enter_context(export(reader, form)).status == 200

        assert seconds_of_page(other) < SOON
