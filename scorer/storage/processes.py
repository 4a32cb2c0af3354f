"""What processes share: a lock, numbers that others read, and lines that all of them hear.

Each is a file that is locked, appended to or overwritten in place, and never mapped into memory: a
disk that is full loses a number, and ends no process.
"""

import fcntl
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from uuid import uuid4

#: Bytes of a file of numbers from the start, which a full disk can't refuse later; of each number.
ROOM, WIDTH = 1 << 16, 24
PREFIX = "serving-"
#: How the names of numbers begin that end with their process, as what it has open does.
OPEN = "open "


class ProcessLock:
    """A lock file that one process holds, or several that share it, until it ends or releases it.

    Forks hold it, too, and a child that is given its descriptor.
    """

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        self._path = path
        self._kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        #: The descriptor of the file while this process has the lock.
        self.file = -1

    def take(self) -> bool:
        """Take the lock if it is free; return whether this process has it."""
        if self.file < 0:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(file, self._kind | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                return False
            self.file = file
        return True

    def release(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1


class Counts:
    """Numbers by name that this process adds to, of itself or in files that others read.

    When they are shared, this process and each of its forks have a file: a number and its name a
    line. A process holds the lock of its file for as long as it runs.
    """

    def __init__(self) -> None:
        self.server = os.getpid()
        self._lock, self._process = Lock(), self.server
        self._folder: Path | None = None
        self._name, self._held = f"{PREFIX}{uuid4().hex}", ProcessLock(Path())
        self._numbers: dict[str, float] = {}
        self._places: dict[str, int] = {}
        self._end = 0

    @contextmanager
    def shared(self, folder: Path) -> Iterator[None]:
        """Count in files of a folder while the block runs."""
        self.server, self._folder = os.getpid(), folder
        self._begin()
        try:
            yield
        finally:
            self._held.release()

    def add(self, name: str, more: float = 1) -> None:
        """Add to a number, which begins at 0."""
        with self._lock:
            if self._process != os.getpid():
                self._begin()
            self._numbers[name] = self._numbers.get(name, 0) + more
            self._write(name)

    def _write(self, name: str) -> None:
        file, number = self._held.file, f"{self._numbers[name]!r:>{WIDTH}}"
        with suppress(OSError):
            if name in self._places:
                os.pwrite(file, number.encode(), self._places[name])
                return
            line = f"{number} {name}\n".encode()
            if os.pwrite(file, line, self._end) == len(line):
                self._places[name] = self._end
                self._end += len(line)

    def _begin(self) -> None:
        """Count from 0, in a file of this process where the numbers are shared."""
        self._process, self._end, self._places = os.getpid(), 0, {}
        self._numbers = dict.fromkeys(self._numbers, 0)
        if self._folder is not None:
            self._held = ProcessLock(self._folder / f"{self._name}-{uuid4().hex}")
            with suppress(OSError):
                while not self._held.take():
                    time.sleep(0)  # somebody reads it
                os.pwrite(self._held.file, bytes(ROOM), 0)
        for name in self._numbers:
            self._write(name)

    def totals(self) -> Mapping[str, float]:
        """Sum the numbers of this process, or of all of this server that share theirs."""
        if self._folder is None:
            return self._numbers
        total: Counter[str] = Counter()
        for file in counted(self._folder, self._name):
            total.update(file.numbers)
        return total


class CountedFile(NamedTuple):
    """A file of `Counts`, and whether its process runs."""

    path: Path
    is_running: bool
    numbers: Mapping[str, float]


def counted(folder: Path, name: str = PREFIX) -> Iterator[CountedFile]:
    """Read what processes count in a folder, without what those that have ended had open."""
    for path in folder.glob(f"{name}*"):
        numbers: dict[str, float] = {}
        with suppress(OSError):
            lock = ProcessLock(path, shared=True)
            is_running = not lock.take()
            lock.release()
            for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
                with suppress(ValueError):  # the rest of the room, or a line that had none
                    numbers[line[WIDTH + 1 :]] = float(line[:WIDTH])
            if not is_running:
                numbers = {name: n for name, n in numbers.items() if not name.startswith(OPEN)}
            yield CountedFile(path, is_running, numbers)


class SharedLines:
    """Lines that a process and its forks write and hear, in memory where the system can.

    Each is appended as a whole; a long file is emptied.
    """

    LONG = 1 << 20

    def __init__(self) -> None:
        if hasattr(os, "memfd_create"):
            self._file = os.memfd_create("scorer-lines")
        else:
            self._file, name = tempfile.mkstemp()
            Path(name).unlink()
        fcntl.fcntl(self._file, fcntl.F_SETFL, os.O_APPEND | os.O_RDWR)

    @property
    def end(self) -> int:
        return os.fstat(self._file).st_size

    def write(self, lines: Sequence[str]) -> None:
        if self.end > self.LONG:
            os.ftruncate(self._file, 0)
        os.write(self._file, "".join(f"{line}\n" for line in lines).encode())

    def read(self, place: int) -> tuple[list[str] | None, int]:
        """Return the lines from a place on, None if they are lost, and the place after them."""
        end = self.end
        if end < place:
            return None, end
        whole = os.pread(self._file, end - place, place).rpartition(b"\n")[0]
        return whole.decode().splitlines(), place + len(whole) + bool(whole)
