"""How much one address may ask for in a minute: requests exactly, seconds of CPU nearly.

The minutes are those of a steady clock, so setting the clock back starts no new minute.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from ipaddress import IPv6Address, IPv6Network, ip_address
from mmap import mmap
from threading import Lock

from scorer.errors import BusyError, TooOftenError
from scorer.services.base.clock import steady
from scorer.storage import db, in_transaction
from scorer.storage.transactions import count_request, forget_requests, uncount_request

PERIOD = 60
PREFIX = 64
#: How many pairs of address and kind a meter tells apart.
CELLS = 1 << 16
#: Seconds that somebody waits for a turn, and for how many more to come again.
IN_LINE, LATER = 30.0, 10
#: Seconds that each turn waits at least, in which whoever else has come is answered.
ASIDE = 0.01


def admit(address: str, kind: str, most: float) -> tuple[str, int]:
    """Count a request; raise TooOftenError when there were more than ``most`` in this minute.

    The count has a transaction of its own, so that refused requests count too. Return its key.
    """
    moment = int(steady().timestamp())
    minute = moment // PERIOD
    key = hashlib.sha256(f"{neighbourhood(address)} {kind}".encode()).hexdigest()

    def count() -> int:
        requests = count_request(key, minute)
        if requests == 1:
            forget_requests(minute - 1, minute + 1)
        return requests

    if in_transaction(count) > most:
        raise TooOftenError(PERIOD - moment % PERIOD)
    return key, minute


@contextmanager
def guess(address: str, kind: str, most: float) -> Iterator[None]:
    """Count a try at a secret as `admit` does, until the block has found it to be right."""
    counted = admit(address, kind, most)
    yield
    in_transaction(partial(uncount_request, *counted))


class Meter:
    """Seconds of CPU by address and kind in this minute, for what needs no database.

    They are kept in anonymous shared memory, so that workers forked after a meter was made use the
    same one. It never grows: each cell holds a minute and its milliseconds, and is chosen by a
    keyed hash. Two processes that charge one cell at one instant may lose a charge.
    """

    def __init__(self) -> None:
        self._cells = memoryview(mmap(-1, CELLS * 8)).cast("I")
        self._key = secrets.token_bytes(16)

    def admit(self, address: str, kind: str, most: float) -> None:
        """Raise TooOftenError when ``most`` seconds were spent in this minute."""
        moment = int(steady().timestamp())
        if self._spent(self._cell(address, kind), moment // PERIOD) >= most * 1000:
            raise TooOftenError(PERIOD - moment % PERIOD)

    def charge(self, address: str, kind: str, seconds: float) -> int:
        """Add the time spent, at least a millisecond; return the minute."""
        cell, minute = self._cell(address, kind), int(steady().timestamp()) // PERIOD
        spent = self._spent(cell, minute) + max(1, round(seconds * 1000))
        self._cells[cell], self._cells[cell + 1] = minute, spent
        return minute

    def give_back(self, address: str, kind: str, seconds: float, minute: int) -> None:
        """Give back a charge of a minute, unless that is over."""
        cell = self._cell(address, kind)
        if self._cells[cell] == minute:
            self._cells[cell + 1] = max(0, self._cells[cell + 1] - round(seconds * 1000))

    def _cell(self, address: str, kind: str) -> int:
        text = f"{neighbourhood(address)} {kind}".encode()
        digest = hashlib.blake2b(text, digest_size=8, key=self._key).digest()
        return int.from_bytes(digest) % CELLS * 2

    def _spent(self, cell: int, minute: int) -> int:
        return self._cells[cell + 1] if self._cells[cell] == minute else 0


class Turns:
    """The turns of long work in a process: one at a time, few in line for each address."""

    def __init__(self) -> None:
        self.turn = Lock()
        self._lock, self._in_line = Lock(), Counter[str]()

    def line_up(self, askers: Mapping[str, int]) -> QueuePlace:
        """Return a place in line, which the caller ends.

        ``askers`` has the most places of each; raise TooOftenError if one of them has as many.
        """
        with self._lock:
            if any(self._in_line[asker] >= most for asker, most in askers.items()):
                raise TooOftenError(LATER)
            self._in_line.update(askers.keys())
        return QueuePlace(self, askers)

    def leave(self, askers: Mapping[str, int]) -> None:
        with self._lock:
            self._in_line = +(self._in_line - Counter(askers.keys()))


class QueuePlace:
    """A place in line."""

    def __init__(self, turns: Turns, askers: Mapping[str, int]) -> None:
        self._turns, self._askers, self._has_come = turns, askers, False

    def wait(self) -> None:
        """Wait for it, without a connection to the database; raise BusyError if it takes long."""
        db.session.close()
        time.sleep(ASIDE)
        self._has_come = self._turns.turn.acquire(timeout=IN_LINE)
        if not self._has_come:
            raise BusyError(LATER)

    def end(self) -> None:
        """End this turn; the next in line follows."""
        if self._has_come:
            self._turns.turn.release()
        self._turns.leave(self._askers)


def neighbourhood(address: str) -> str:
    """Return the part of an address that a customer has: IPv4 as a whole, of IPv6 the first half.

    An IPv4-mapped IPv6 address counts as its IPv4 address.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(IPv6Network((int(ip), PREFIX), strict=False))
