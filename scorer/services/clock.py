"""The time, read in one place."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_pretended: ContextVar[datetime | None] = ContextVar("moment", default=None)


def now() -> datetime:
    """Give the moment, aware and in UTC."""
    return _pretended.get() or datetime.now(UTC)


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let it be another moment in the block: for what is written down after it happened."""
    before = _pretended.set(moment)
    try:
        yield
    finally:
        _pretended.reset(before)
