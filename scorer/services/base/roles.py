"""The writer: a phone of a circle, its role, and the player who holds it."""

from uuid import UUID

from scorer.storage.models import ROLES, Role
from scorer.storage.queries.circle import Holder

#: For the pages and the API, which import no queries.
__all__ = ["ROLES", "Holder", "Role", "may_void"]


def may_void(by: Holder | None, phone_id: UUID | None) -> bool:
    """Whether somebody may void what was written on a phone."""
    return by is None or by.role.reaches(Role.SCOREKEEPER) or by.phone_id == phone_id
