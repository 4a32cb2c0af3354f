"""The progress of long work, reported to a command that shows it on a terminal."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from operator import length_hint
from typing import TypeVar

#: Takes what is counted, how many are done, and the total, or 0 where it is unknown.
Watch = Callable[[str, int, int], None]

Item = TypeVar("Item")
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Report the progress of the work in the block to a function."""
    before = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(before)


def tell(what: str, done: int, total: int = 0) -> None:
    """Report how much is done."""
    if watch := _watch.get():
        watch(what, done, total)


def over(
    what: str, items: Iterable[Item], count: Callable[[], int] | None = None
) -> Iterator[Item]:
    """Yield the items and report how many are done; a single item reports its own progress.

    ``count`` gives the number of items that have no length.
    """
    watch = _watch.get()
    if watch is None or (total := count() if count else length_hint(items)) == 1:
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
