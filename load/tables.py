"""Tables of phones on streams of events, at which deals are recorded at a given rate."""

import re
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Lock, Thread
from urllib.parse import urlsplit

from load.browsers import PATIENCE, Browser
from load.phones import Phone
from tests.services.evenings import FIVE
from tests.web.phones import PLAYED

TOLD = re.compile(rb'"version": \d+, "kind": "deal", "number": (\d+)')
#: Threads that send requests, and seconds that the last deals have to be heard of.
SENDERS, LATE = 16, 5.0


@dataclass(slots=True)
class Table:
    """A session, the phone that records in it, and when it sent which deal."""

    phone: Phone
    others: list[Browser]
    sent: dict[int, float] = field(default_factory=dict)
    recording: Lock = field(default_factory=Lock)
    #: Seconds after which a phone heard of a deal.
    heard: list[float] = field(default_factory=list)

    @property
    def browsers(self) -> list[Browser]:
        """All phones of the table."""
        return [self.phone.browser, *self.others]


def tables(site: str, count: int, phones: int) -> list[Table]:
    """Begin so many sessions, each in a circle of its own, with so many phones."""

    def begin(_: int) -> Table:
        first = Browser(site).start(FIVE)
        others = first.let_in_all([Browser(site) for _ in range(phones - 1)])
        return Table(Phone(first, first.filled_in("record", "/record", **PLAYED)), others)

    with ThreadPoolExecutor(SENDERS) as threads:
        return list(threads.map(begin, range(count)))


@contextmanager
def listening(tables: Sequence[Table]) -> Iterator[None]:
    """Hold a stream of events for each phone while the block runs, and note what is heard."""
    with ExitStack() as opened:
        selector = opened.enter_context(selectors.DefaultSelector())
        for table in tables:
            for browser in table.browsers:
                stream = opened.enter_context(_stream(browser))
                selector.register(stream, selectors.EVENT_READ, table)
        thread = Thread(target=_hear, args=(selector,))
        thread.start()
        try:
            yield
        finally:
            selector.register(opened.enter_context(socket.socket()), selectors.EVENT_WRITE)
            thread.join()


def _stream(browser: Browser) -> socket.socket:
    place = urlsplit(browser.site)
    stream = socket.create_connection((place.hostname or "", place.port or 80), PATIENCE)
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    stream.sendall(
        f"GET {browser.url}events?presence HTTP/1.1\r\nHost: {place.netloc}\r\n"
        f"Cookie: {cookies}\r\nX-Forwarded-For: {browser.address}\r\n\r\n".encode()
    )
    assert stream.recv(4096).startswith(b"HTTP/1.1 200")
    return stream


def _hear(selector: selectors.BaseSelector) -> None:
    """Note what is told until a socket that can be written to is registered."""
    while True:
        for key, event in selector.select():
            if event == selectors.EVENT_WRITE:
                return
            assert isinstance(key.fileobj, socket.socket)
            text, now = key.fileobj.recv(65536), time.perf_counter()
            if not text:
                selector.unregister(key.fileobj)
            for number in TOLD.findall(text):
                key.data.heard.append(now - key.data.sent[int(number)])


def play(tables: Sequence[Table], rate: float, seconds: float) -> list[float]:
    """Record so many deals a second, table after table; give how long each took."""
    began = time.perf_counter()

    def record(number: int) -> None:
        table = tables[number % len(tables)]
        time.sleep(max(0.0, began + number / rate - time.perf_counter()))
        with table.recording:
            table.sent[table.phone.number] = time.perf_counter()
            table.phone.record(2 + table.phone.number % 117)

    before = [len(table.phone.seconds) for table in tables]
    with ThreadPoolExecutor(SENDERS) as threads:
        list(threads.map(record, range(round(rate * seconds))))
    time.sleep(min(LATE, seconds))
    return [
        taken
        for table, known in zip(tables, before, strict=True)
        for taken in table.phone.seconds[known:]
    ]
