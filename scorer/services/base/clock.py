"""The current time; tests and imports override it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from time import monotonic
from zoneinfo import ZoneInfo, available_timezones

_pretended: ContextVar[datetime | None] = ContextVar("moment", default=None)
_started, _started_ticking = datetime.now(UTC), monotonic()


def now() -> datetime:
    """Return the moment, aware and in UTC."""
    return _pretended.get() or datetime.now(UTC)


def steady() -> datetime:
    """Return the moment by the monotonic clock: the program's start, plus the time since then.

    The processes of one server share it, because it is read before they are forked.
    """
    return _pretended.get() or _started + timedelta(seconds=monotonic() - _started_ticking)


@cache  # the names of all zones take 12 ms
def zones() -> dict[str, str]:
    """Return the names of all time zones, by how they are typed: without capitals, or as a city."""
    names = sorted(available_timezones(), key=lambda name: not name.startswith("Europe/"))
    cities = {name.rpartition("/")[2].casefold(): name for name in reversed(names) if "/" in name}
    return cities | {name.casefold(): name for name in names}


def zone_called(name: str) -> tzinfo:
    """Return a time zone by its name; UTC for none, and for one that isn't known here."""
    try:
        return ZoneInfo(name) if name else UTC
    except (KeyError, OSError, ValueError):
        return UTC


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Override the current time in the block, for events recorded after they happened."""
    before = _pretended.set(moment)
    try:
        yield
    finally:
        _pretended.reset(before)


def noon_of(day: date, zone: tzinfo) -> datetime:
    """Return noon of a day in a zone, in UTC."""
    return datetime.combine(day, time(12), zone).astimezone(UTC)


def moment(at: datetime) -> str:
    """Write a moment for programs, in UTC."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
