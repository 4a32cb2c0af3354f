"""Workers that are killed, a server that is told to stop, slow clients, while phones record."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread

from bench.figures import Figure, faultless, p99, times
from bench.live import Table, record
from bench.phones import Phone, acknowledged, faults, in_one_session, record_at_once, recording
from bench.places import WORKERS, Place
from bench.slow_clients import KINDS, slow_clients
from tests.serving import Server

PHONES, DEALS = 10, 100
KILLS, KILLED_PHONES, KILLED_DEALS = 10, 4, 500
LOOK_EVERY = 0.005
#: Slow clients of each kind, phones that record, deals a second of all together, for how long.
SLOW, RECORDING, RATE, SECONDS = 300, 8, 16.0, 40.0


def killed(place: Place) -> Iterator[Figure]:
    """Kill all workers ten times while four phones record."""
    with place.database() as url, place.running(url) as here:
        phones = in_one_session(here.url, KILLED_PHONES)
        every = KILLED_PHONES * KILLED_DEALS // (KILLS + 1)
        with killed_while(here, phones, times=KILLS, every=every) as kills:
            record_at_once(phones, KILLED_DEALS)
        found = faults(phones, url)
    unanswered = sum(phone.unanswered for phone in phones)
    yield Figure("workers killed", sum(kills), least=WORKERS * KILLS)
    yield Figure("deals acknowledged", acknowledged(phones), note=f"{unanswered} without an answer")
    yield faultless(found)


@contextmanager
def killed_while(
    server: Server, phones: Sequence[Phone], *, times: int, every: int
) -> Iterator[list[int]]:
    """Kill all workers whenever so many more deals are acknowledged; give how many each time."""
    ended, killed = Event(), list[int]()

    def work() -> None:
        while len(killed) < times and not ended.wait(LOOK_EVERY):
            if acknowledged(phones) >= every * (len(killed) + 1):
                killed.append(_kill(server.workers()))

    thread = Thread(target=work)
    thread.start()
    try:
        yield killed
    finally:
        ended.set()
        thread.join()


def _kill(workers: list[int]) -> int:
    for worker in workers:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    time.sleep(LOOK_EVERY)
    return len(workers)


def stopped(place: Place, count: int = PHONES, deals: int = DEALS) -> Iterator[Figure]:
    """Tell a server to stop while phones record, beside slow clients; another one takes over."""
    with place.database() as url, ExitStack() as opened:
        first = opened.enter_context(place.running(url))
        phones = in_one_session(first.url, count)
        opened.enter_context(slow_clients(first.url, ["half a head"], PHONES))
        with recording(phones, deals):
            began = time.monotonic()
            first.process.terminate()
            first.process.wait()
            seconds = time.monotonic() - began
            second = opened.enter_context(place.running(url))
            for phone in phones:
                phone.browser.site = second.url
        found = faults(phones, url)
    dropped = sum(phone.dropped for phone in phones)
    yield Figure("seconds until it had stopped", seconds, "s")
    yield Figure("deals acknowledged", acknowledged(phones), note=f"{dropped} requests broken off")
    yield faultless(found)


def slow(place: Place) -> Iterator[Figure]:
    """Record while slow clients of every kind hold connections, as quickly as before."""
    with place.database() as url, place.running(url, 2) as here:
        phones = [phone for _ in range(RECORDING) for phone in in_one_session(here.url, 1)]
        tables = [Table(phone, []) for phone in phones]
        before = record(tables, RATE, SECONDS / 2)
        for phone in phones:
            phone.seconds.clear()
        with slow_clients(here.url, list(KINDS), SLOW):
            during = record(tables, RATE, SECONDS)
        found = faults(phones, url)
    yield times("a deal recorded before", before)
    most = max(50.0, 2_000 * p99(before))
    yield times(f"a deal recorded beside {SLOW * len(KINDS):,} slow clients", during, most)
    yield Figure("requests without an answer", sum(phone.unanswered for phone in phones), most=0)
    yield faultless(found)
