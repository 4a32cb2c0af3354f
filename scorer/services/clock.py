"""The current time; tests and imports override it."""

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
    """Override the current time in the block, for events recorded after they happened."""
    before = _pretended.set(moment)
    try:
        yield
    finally:
        _pretended.reset(before)
