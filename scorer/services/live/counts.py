"""Counts of running servers, which other processes read: open streams, and errors of today.

Each `scorer serve` has a file in the instance folder, which its workers share by `mmap`, and holds
the file's lock for as long as it runs.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

PREFIX = "serving-"
#: The key of the counts among the extensions of the app.
COUNTS = "scorer.counts"
#: Workers that a server may have at once, and the numbers of each: its open streams, the day of its
#: errors, and their number.
SLOTS, NUMBERS = 1024, 3
STREAMS, DAY, ERRORS = range(NUMBERS)
SIZE = SLOTS * NUMBERS * 8


class ServerTotals(NamedTuple):
    """The counts of all servers that run on an instance folder."""

    streams: int
    errors_today: int


class ServerCounts:
    """The counts of one server; a worker inherits its slot when it is forked."""

    def __init__(self, file: mmap) -> None:
        self.server = os.getpid()
        self._numbers = memoryview(file).cast("q")
        self._taken: set[int] = set()
        self._first = 0

    def take_slot(self) -> int:
        """Choose the slot of the worker that is forked next."""
        slot = next(slot for slot in range(SLOTS) if slot not in self._taken)
        self._taken.add(slot)
        self._first = slot * NUMBERS
        return slot

    def free_slot(self, slot: int) -> None:
        """Forget the streams of a worker that has ended; its errors stay."""
        self._taken.discard(slot)
        self._numbers[slot * NUMBERS + STREAMS] = 0

    def begin_stream(self) -> None:
        self._numbers[self._first + STREAMS] += 1

    def end_stream(self) -> None:
        self._numbers[self._first + STREAMS] -= 1

    def count_error(self) -> None:
        if self._numbers[self._first + DAY] != _today():
            self._numbers[self._first + DAY], self._numbers[self._first + ERRORS] = _today(), 0
        self._numbers[self._first + ERRORS] += 1


@contextmanager
def shared_counts(instance: Path) -> Iterator[ServerCounts]:
    """Count in a new file while the block runs; delete those of earlier days."""
    for path, is_running, numbers in _files(instance):
        if not is_running and not _errors(numbers):
            path.unlink(missing_ok=True)
    with (instance / f"{PREFIX}{uuid4().hex}").open("x+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(SIZE)
        counts = ServerCounts(mmap(file.fileno(), SIZE))
        try:
            yield counts
        finally:
            if os.getpid() == counts.server:  # a worker that ends leaves the server its lock
                fcntl.flock(file, fcntl.LOCK_UN)


def server_totals(instance: Path) -> ServerTotals | None:
    """Sum the counts of running servers, and all errors of today; None if no server runs."""
    files = list(_files(instance))
    if not any(is_running for _, is_running, _ in files):
        return None
    streams = sum(sum(numbers[STREAMS::NUMBERS]) for _, running, numbers in files if running)
    return ServerTotals(streams, sum(_errors(numbers) for *_, numbers in files))


def _files(instance: Path) -> Iterator[tuple[Path, bool, list[int]]]:
    """Yield each file, whether its server runs, and its numbers."""
    for path in instance.glob(f"{PREFIX}*"):
        with suppress(OSError, ValueError), path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                is_running = False
            except BlockingIOError:
                is_running = True
            with mmap(file.fileno(), SIZE, access=ACCESS_READ) as shared:
                numbers = memoryview(shared[:]).cast("q").tolist()
            yield path, is_running, numbers


def _errors(numbers: list[int]) -> int:
    days, errors = numbers[DAY::NUMBERS], numbers[ERRORS::NUMBERS]
    return sum(count for day, count in zip(days, errors, strict=True) if day == _today())


def _today() -> int:
    return datetime.now(UTC).toordinal()
