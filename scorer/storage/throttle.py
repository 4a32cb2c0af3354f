"""The counts of requests, exact with any number of workers: one statement counts and answers."""

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
    """Count a request; give the number of requests in that minute, including this one."""
    asked = {"address_hash": address_hash, "minute": minute}
    return int(db.session.execute(_COUNT, asked).scalar_one())


def forget_requests(first: int, last: int) -> None:
    """Delete the counts of all minutes but these, also of minutes in the future."""
    other = or_(Throttle.minute < first, Throttle.minute > last)
    db.session.execute(delete(Throttle).where(other))
