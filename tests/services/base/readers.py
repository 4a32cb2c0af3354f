"""What reads files in tests; a module of its own, as the child loads all that it imports."""

import os
import resource
import signal

from scorer.errors import InvalidError, Problem
from scorer.texts import say

GIGABYTE = 1_000_000_000
UNKNOWN = Problem("unknown", "file", say("%(name)s is unknown.", name="<Ada>"))


def same(content: bytes) -> bytes:
    return content


def refuse(_: bytes) -> bytes:
    raise InvalidError([UNKNOWN])


def spin(_: bytes) -> bytes:
    while True:
        pass


def limits(_: bytes) -> bytes:
    """Tell what a child may take of time and memory."""
    return str(
        [resource.getrlimit(one) for one in (resource.RLIMIT_CPU, resource.RLIMIT_AS)]
    ).encode()


def spin_to_its_last_second(content: bytes) -> bytes:
    """Spin as in the last second of a child's time."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    return spin(content)


def fill(_: bytes) -> bytes:
    return b"x" * GIGABYTE


def fail(content: bytes) -> bytes:
    raise ZeroDivisionError(content)


def end(_: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def write(content: bytes) -> bytes:
    with open(content, "wb") as file:  # noqa: PTH123  # as a reader that was taken over
        file.write(content)
    return content
