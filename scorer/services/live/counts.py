"""Counts of running servers, which other processes read: open streams, and errors of today.

Each `scorer serve` has a file in the instance folder with a slot for each worker, and holds the
file's lock for as long as it runs. The file is written in full when the server starts, so that a
full disk changes no count and stops no worker; it is never mapped into memory.
"""

import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

PREFIX = "serving-"
#: The key of the counts among the extensions of the app.
COUNTS = "scorer.counts"
#: Workers that a server may have at once.
SLOTS = 1024
#: The numbers of a slot: the worker's open streams, the day of its errors, and their number.
SLOT = struct.Struct("=3q")


class ServerTotals(NamedTuple):
    """The counts of all servers that run on an instance folder."""

    streams: int
    errors_today: int


class SlotNumbers(NamedTuple):
    """The numbers of a worker."""

    streams: int
    day: int
    errors: int

    @property
    def errors_today(self) -> int:
        return self.errors if self.day == _today() else 0


class ServerCounts:
    """The counts of one server; a worker inherits its slot when it is forked."""

    def __init__(self, file: int) -> None:
        self.server = os.getpid()
        self._file = file
        self._taken: set[int] = set()
        self._slot = 0

    def take_slot(self) -> int:
        """Choose the slot of the worker that is forked next."""
        self._slot = next(slot for slot in range(SLOTS) if slot not in self._taken)
        self._taken.add(self._slot)
        return self._slot

    def free_slot(self, slot: int) -> None:
        """Forget the streams of a worker that has ended; its errors stay."""
        self._taken.discard(slot)
        self._write(slot, self._read(slot)._replace(streams=0))

    def begin_stream(self) -> None:
        self._add_streams(1)

    def end_stream(self) -> None:
        self._add_streams(-1)

    def count_error(self) -> None:
        numbers = self._read(self._slot)
        counted = numbers._replace(day=_today(), errors=numbers.errors_today + 1)
        self._write(self._slot, counted)

    def _add_streams(self, more: int) -> None:
        numbers = self._read(self._slot)
        self._write(self._slot, numbers._replace(streams=numbers.streams + more))

    def _read(self, slot: int) -> SlotNumbers:
        numbers = os.pread(self._file, SLOT.size, slot * SLOT.size)
        return SlotNumbers(*SLOT.unpack(numbers.ljust(SLOT.size, b"\0")))

    def _write(self, slot: int, numbers: SlotNumbers) -> None:
        with suppress(OSError):  # a count is not worth a worker
            os.pwrite(self._file, SLOT.pack(*numbers), slot * SLOT.size)


@contextmanager
def shared_counts(instance: Path) -> Iterator[ServerCounts]:
    """Count in a new file while the block runs; delete those of earlier days."""
    for path, is_running, slots in _files(instance):
        if not is_running and not any(numbers.errors_today for numbers in slots):
            path.unlink(missing_ok=True)
    with (instance / f"{PREFIX}{uuid4().hex}").open("x+b", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        counts = ServerCounts(file.fileno())
        with suppress(OSError):  # a disk that is full by now: counts are lost, pages are not
            file.write(bytes(SLOTS * SLOT.size))
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
    return ServerTotals(
        sum(numbers.streams for _, is_running, slots in files if is_running for numbers in slots),
        sum(numbers.errors_today for *_, slots in files for numbers in slots),
    )


def _files(instance: Path) -> Iterator[tuple[Path, bool, list[SlotNumbers]]]:
    """Yield each file, whether its server runs, and the numbers of its slots."""
    for path in instance.glob(f"{PREFIX}*"):
        with suppress(OSError, struct.error), path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                is_running = False
            except BlockingIOError:
                is_running = True
            yield path, is_running, [SlotNumbers(*slot) for slot in SLOT.iter_unpack(file.read())]


def _today() -> int:
    return datetime.now(UTC).toordinal()
