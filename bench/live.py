"""Phones on streams of events: a hundred at one session, and a hundred circles that play."""

import re
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Lock, Thread

from bench.browsers import Browser, Listener
from bench.figures import Figure, faultless, memory, processor_seconds, times
from bench.phones import Phone, faults, in_one_session
from bench.places import Place

PHONES, DEALS, PAUSE = 100, 10, 4.0
#: Circles that play at once, phones of each, deals a second of all together, and for how long.
CIRCLES, PHONES_OF_A_CIRCLE, RATE, SECONDS = (2, 100), 5, 5.0, 40.0
TOLD = re.compile(rb'"version": \d+, "kind": "deal", "number": (\d+)')
#: Threads that send requests, seconds until all streams are calm, and until the last deal is heard.
SENDERS, SETTLED, LATE = 16, 5.0, 5.0


@dataclass(slots=True)
class Table:
    """A session, the phone that records in it, and when it sent which deal."""

    phone: Phone
    others: list[Browser]
    sent: dict[int, float] = field(default_factory=dict)
    recording: Lock = field(default_factory=Lock)
    #: Seconds after which a phone heard of a deal, and had its page.
    heard: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)

    @property
    def browsers(self) -> list[Browser]:
        return [self.phone.browser, *self.others]

    def open(self, browser: Browser, number: int) -> None:
        """Open the page of the session, as a phone does that has heard of a deal."""
        browser.seconds()
        self.opened.append(time.perf_counter() - self.sent[number])


def hundred_phones(place: Place) -> Iterator[Figure]:
    """Let a hundred phones hear of each deal of their session, and open its page."""
    with place.database() as url, place.running(url, 2) as here:
        (table,) = playing = tables(here.url, 1, PHONES)
        with (
            ThreadPoolExecutor(PHONES) as threads,
            listening(playing, lambda *heard: threads.submit(table.open, *heard)),
        ):
            time.sleep(SETTLED)
            record(playing, 1 / PAUSE, DEALS * PAUSE)
        found = faults([table.phone], url)
    yield times(f"{PHONES} phones hear of a deal", table.heard, 500)
    yield times(f"{PHONES} phones have its page", table.opened, 1_000)
    yield Figure("deals not heard of", PHONES * DEALS - len(table.heard), most=0)
    yield faultless(found)


def hundred_circles(place: Place) -> Iterator[Figure]:
    """Record in two circles, then in a hundred, at the same rate."""
    costs = []
    for count in CIRCLES:
        with place.database() as url, place.running(url, 2) as here:
            playing, name = tables(here.url, count, PHONES_OF_A_CIRCLE), f"{count} circles"
            with listening(playing):
                time.sleep(SETTLED)
                moments = [processor_seconds(here.workers())]
                time.sleep(LATE)
                moments.append(processor_seconds(here.workers()))
                taken = record(playing, RATE, SECONDS)
                moments.append(processor_seconds(here.workers()))
                full = memory(here.workers())
            found = faults([table.phone for table in playing], url)
        heard = [seconds for table in playing for seconds in table.heard]
        started, settled, ended = moments
        costs.append(1_000 * (ended - settled) / len(taken))
        yield Figure(f"{name}, idle", 100 * (settled - started) / LATE, "% of a core")
        yield Figure(f"{name}, CPU time of a deal until all have it", costs[-1], "ms")
        yield times(f"{name}, a deal recorded", taken)
        yield times(f"{name}, a deal heard of", heard, 500)
        yield Figure(f"{name}, memory of a worker", max(full), "MB")
        missed = PHONES_OF_A_CIRCLE * len(taken) - len(heard)
        yield Figure(f"{name}, deals not heard of", missed, most=0)
        yield faultless(found)
    few, many = costs
    yield Figure(f"a deal, {CIRCLES[1]} circles / {CIRCLES[0]}", many / few, most=2)


def tables(site: str, count: int, phones: int) -> list[Table]:
    """Begin so many sessions, each in a circle of its own, with so many phones."""

    def begin(_: int) -> Table:
        phone, *others = in_one_session(site, phones)
        return Table(phone, [other.browser for other in others])

    with ThreadPoolExecutor(SENDERS) as threads:
        return list(threads.map(begin, range(count)))


@contextmanager
def listening(
    tables: Sequence[Table], heard: Callable[[Browser, int], object] = lambda *_: None
) -> Iterator[None]:
    """Hold a stream of events for each phone while the block runs, and note what is heard."""
    with ExitStack() as opened:
        selector = opened.enter_context(selectors.DefaultSelector())
        for table in tables:
            for browser in table.browsers:
                listener = opened.enter_context(Listener(browser))
                assert listener.answer.status == 200
                selector.register(listener.socket, selectors.EVENT_READ, (table, browser))
        thread = Thread(target=_hear, args=(selector, heard))
        thread.start()
        try:
            yield
        finally:
            selector.register(opened.enter_context(socket.socket()), selectors.EVENT_WRITE)
            thread.join()


def _hear(selector: selectors.BaseSelector, heard: Callable[[Browser, int], object]) -> None:
    """Note what is told until a socket that can be written to is registered."""
    while True:
        for key, event in selector.select():
            if event == selectors.EVENT_WRITE:
                return
            assert isinstance(key.fileobj, socket.socket)
            (table, browser), text = key.data, key.fileobj.recv(65536)
            now = time.perf_counter()
            if not text:
                selector.unregister(key.fileobj)
            for number in map(int, TOLD.findall(text)):
                table.heard.append(now - table.sent[number])
                heard(browser, number)


def record(tables: Sequence[Table], rate: float, seconds: float) -> list[float]:
    """Record so many deals a second, table after table; return how long each took."""
    began = time.perf_counter()

    def play(number: int) -> None:
        table = tables[number % len(tables)]
        time.sleep(max(0.0, began + number / rate - time.perf_counter()))
        with table.recording:
            table.sent[table.phone.number] = time.perf_counter()
            table.phone.record(2 + table.phone.number % 117)

    with ThreadPoolExecutor(SENDERS) as threads:
        list(threads.map(play, range(round(rate * seconds))))
    time.sleep(LATE)
    return [taken for table in tables for taken in table.phone.seconds]
