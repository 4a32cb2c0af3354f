"""The time, read in one place."""

from datetime import UTC
from datetime import datetime


def now() -> datetime:
    """Give the moment, aware and in UTC."""
    return datetime.now(UTC)
