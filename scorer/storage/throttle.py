"""Counting requests, exactly with any number of workers: one statement counts and answers."""

from __future__ import annotations

from sqlalchemy import delete, or_, text

from scorer.storage.database import db
from scorer.storage.models import Throttle

_COUNT = text(
    "INSERT INTO throttle (address_hash, minute, requests) VALUES (:address_hash, :minute, 1) "
    "ON CONFLICT (address_hash, minute) DO UPDATE SET requests = throttle.requests + 1 "
    "RETURNING requests"
)


def count_request(address_hash: str, minute: int) -> int:
    """Count one more request and give how many there were in that minute, this one included."""
    asked = {"address_hash": address_hash, "minute": minute}
    return int(db.session.execute(_COUNT, asked).scalar_one())


def forget_requests(first: int, last: int) -> None:
    """Delete what was counted in other minutes, also in those that a clock is yet to come to."""
    other = or_(Throttle.minute < first, Throttle.minute > last)
    db.session.execute(delete(Throttle).where(other))
