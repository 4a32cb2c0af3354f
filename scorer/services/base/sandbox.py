"""Untrusted files are read in a child process, with limits on its CPU time and memory.

The child gets a file on its standard input, and answers a line of JSON followed by what it read;
the answer is read as data only. The limits bound what a file costs, but they isolate nothing: one
that took over the reader could read and delete what the user of the server may, see the environment
and open connections. It could write nothing into a file.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from importlib import import_module
from threading import BoundedSemaphore

import msgspec

from scorer.errors import BusyError, InvalidError, Problem, refuse
from scorer.texts import say

#: Seconds of CPU and bytes of memory that a child may take; it yields to the workers.
SECONDS, MEMORY, NICENESS = 5, 640 * 1024 * 1024, 10
#: Children of a worker at once; seconds that a request waits for its turn and for its child, and
#: its Retry-After when that is not enough.
AT_ONCE, PATIENCE, LATER = 2, 10.0, 5
LONGEST = 30.0
_turns = BoundedSemaphore(AT_ONCE)
#: Seconds of CPU that the current request has spent in children. What the worker did for others
#: meanwhile is taken off, as `scorer.limits` counts the time of the worker.
spent: ContextVar[float] = ContextVar("spent", default=0.0)


#: What a child answers before what it read: its seconds of CPU, and the faults of the file.
Head = tuple[float, tuple[Problem, ...]]


def run(reader: Callable[[bytes], bytes], content: bytes, field: str) -> bytes:
    """Return the result of a reader for a file; raise InvalidError, BusyError.

    The reader is a function of a module. The caller should hold no connection while it waits.
    """
    if not _turns.acquire(timeout=PATIENCE):
        raise BusyError(LATER)
    began = time.thread_time()
    try:
        output = _answer([reader.__module__, reader.__qualname__], content)
    finally:
        _turns.release()
    head, _, read = output.partition(b"\n")
    try:
        seconds, problems = msgspec.json.decode(head, type=Head)
    except msgspec.DecodeError:
        message = say("To read this file takes too much time or memory.")
        seconds, problems = SECONDS, (Problem("too-large", field, message),)
    spent.set(spent.get() + seconds - (time.thread_time() - began))
    refuse(problems)
    return read


def _answer(names: list[str], content: bytes) -> bytes:
    """Start a child; return all that it wrote, or nothing if its time was up."""
    command = [sys.executable, "-m", __name__, *names]
    with subprocess.Popen(  # noqa: S603  # the names are those of our own function
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        try:
            return child.communicate(content, timeout=LONGEST)[0]
        except subprocess.TimeoutExpired:
            child.kill()
            return b""


def _child(module: str, name: str) -> None:
    """Call a reader, within the limits."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError):  # macOS limits no address space
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.stdout.buffer.write(_read([module, name], sys.stdin.buffer.read()))


def _read(names: list[str], content: bytes, began: float = 0.0) -> bytes:
    """Call a reader; return its answer, the time that this process took since it began before."""
    read, problems = b"", tuple[Problem, ...]()
    try:
        read = getattr(import_module(names[0]), names[1])(content)
    except InvalidError as error:
        problems = error.problems
    head = msgspec.json.encode((time.process_time() - began, problems))
    return head + b"\n" + read


if __name__ == "__main__":
    _child(*sys.argv[1:])
