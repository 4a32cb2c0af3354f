"""How far long work is, told to whoever watches it: to a command on a terminal."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    #: Takes what is counted, how many of it are done, and of how many; 0 where nobody knows.
    Watch = Callable[[str, int, int], None]

Item = TypeVar("Item")
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Tell a function how far the work of the block is."""
    before = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(before)


def tell(what: str, done: int, total: int = 0) -> None:
    """Say how far the work is."""
    if watch := _watch.get():
        watch(what, done, total)


def over(what: str, items: Iterable[Item], count: Callable[[], int]) -> Iterator[Item]:
    """Give the items and say how many are done; a single one says itself how far it is."""
    watch = _watch.get()
    total = count() if watch else 0
    if watch is None or total == 1:
        yield from items
        return
    _watch.set(None)
    try:
        for number, item in enumerate(items):
            watch(what, number, total)
            yield item
    finally:
        _watch.set(watch)
        watch(what, total, total)
