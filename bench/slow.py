"""Phones that record beside very many slow clients."""

from collections.abc import Iterator

from bench.figures import Figure, faultless, memory, p99, times
from bench.live import Table, record
from bench.phones import faults, in_one_session
from bench.places import Place
from bench.slow_clients import KINDS, slow_clients

#: Slow clients of each kind, phones that record, deals a second of all together, for how long.
SLOW, RECORDING, RATE, SECONDS = 300, 8, 16.0, 40.0


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
            full = max(memory(here.workers()))
        found = faults(phones, url)
    yield times("a deal recorded before", before)
    most = max(50.0, 2_000 * p99(before))
    yield times(f"a deal recorded beside {SLOW * len(KINDS):,} slow clients", during, most)
    yield Figure("requests without an answer", sum(phone.unanswered for phone in phones), most=0)
    yield Figure("memory of a worker", full, "MB")
    yield faultless(found)
