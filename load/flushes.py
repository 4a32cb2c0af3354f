"""How often the disk is told to keep what was written, as `strace` sees it from outside."""

import re
import shutil
import signal
import subprocess
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.databases import postmaster

CALLS = ("-f", "-ttt", "-e", "trace=fsync,fdatasync", "-e", "signal=none")
FLUSHED = re.compile(r"^\d+ +(\d+\.\d+) f(?:data)?sync\(", re.MULTILINE)
PATIENCE = 10.0


def strace() -> str:
    """Give the program that watches calls of the system."""
    found = shutil.which("strace")
    if found is None:
        raise FileNotFoundError("strace is missing: apt-get install strace")
    return found


def watched(program: Sequence[str], log: Path) -> list[str]:
    """Give the command that starts a program and writes down every flush."""
    return [strace(), "-D", *CALLS, "-o", str(log), *program]


@contextmanager
def watched_postgres(database_url: str, log: Path) -> Iterator[None]:
    """Write down every flush of a PostgreSQL server, of connections that are still to be made."""
    command = [strace(), *CALLS, "-o", str(log), "-p", str(postmaster(database_url))]
    watching = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        assert watching.stderr is not None
        assert b"attached" in watching.stderr.readline()
        yield
    finally:
        watching.send_signal(signal.SIGINT)
        watching.wait(PATIENCE)


def moments(log: Path) -> list[float]:
    """Give when the disk was told to keep what was written."""
    return sorted(map(float, FLUSHED.findall(log.read_text(encoding="utf-8", errors="replace"))))


def within(flushes: Sequence[float], spans: Sequence[tuple[float, float]]) -> list[int]:
    """Count the flushes of each span of time."""
    return [bisect_left(flushes, until) - bisect_left(flushes, since) for since, until in spans]


def timed(work: Callable[[], None], times: int) -> list[tuple[float, float]]:
    """Do something several times; give from when to when each was done."""
    spans = []
    for _ in range(times):
        since = time.time()
        work()
        spans.append((since, time.time()))
    return spans
