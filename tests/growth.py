"""Hostile text takes time like its length: what takes long is judged by how it grows.

A text that is four times as long takes four times as long to a reader that goes through it once,
on a slow machine, too, and sixteen times as long to one that looks again at all that follows.
"""

from collections.abc import Callable
from contextlib import suppress
from time import process_time
from typing import Any

from scorer.errors import InvalidError

#: What takes less is not measured any further: of such a length a bad reader makes seconds.
SOON = 0.2
MOST_GROWTH = 8


def is_linear(read: Callable[[Any], object], sent: Callable[[int], Any], length: int) -> bool:
    """Whether a text of some length is read at once, or else takes no more than its share.

    No length comes twice, so that nothing is read out of a cache.
    """
    took = _seconds(read, sent(length))
    if took < SOON:
        return True
    lengths = [length - 99 * place for place in (1, 2)]
    whole = min(took, *(_seconds(read, sent(long)) for long in lengths))
    return whole < MOST_GROWTH * min(_seconds(read, sent(long // 4)) for long in lengths)


def _seconds(read: Callable[[Any], object], sent: Any) -> float:
    began = process_time()
    with suppress(InvalidError, ValueError):
        read(sent)
    return process_time() - began
