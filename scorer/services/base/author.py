"""Who writes, as rows and facts have it: a phone of a circle, or the command line."""

from datetime import datetime
from typing import Any
from uuid import UUID

from scorer.evening.deal import Author as Written
from scorer.roles import Holder, Role
from scorer.services.base.clock import now

#: Who does something: a phone, or None at the command line.
Author = Holder | None


def authored(by: Author, at: datetime | None = None) -> dict[str, Any]:
    """Return the columns of an `AuthoredRow`."""
    phone_id, player = (by.phone_id, by.player) if by else (None, None)
    return {"phone_id": phone_id, "written_by": player, "at": at or now()}


def as_author(by: Author, at: datetime | None = None) -> Written:
    """Return who writes, as the facts of a session have it."""
    return Written(**authored(by, at), phone=by.name if by else None)


def may_void(by: Author, phone_id: UUID | None) -> bool:
    """Whether somebody may void what was written on a phone."""
    return by is None or by.role.reaches(Role.SCOREKEEPER) or by.phone_id == phone_id
