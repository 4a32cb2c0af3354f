"""Somebody who kills all workers of a server, over and over, while phones record deals."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread

from load.phones import Phone
from tests.serving import Server

LOOK_EVERY = 0.005


@contextmanager
def killed_while(
    server: Server, phones: Sequence[Phone], *, times: int, every: int
) -> Iterator[list[int]]:
    """Kill all workers whenever so many more deals are acknowledged; give how many each time."""
    ended, killed = Event(), list[int]()

    def work() -> None:
        while len(killed) < times and not ended.wait(LOOK_EVERY):
            if sum(len(phone.acknowledged) for phone in phones) >= every * (len(killed) + 1):
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
