"""The writer: a phone of a circle, its role, and the player who holds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from scorer.storage.models import ROLES
from scorer.storage.queries.circle import PhoneRow
from scorer.texts import Text, say

#: The name of the first phone of a circle; the others have the numbers after it.
FIRST_PHONE = "#1"


class Role(StrEnum):
    """The role of a phone; each includes those after it."""

    OWNER = "owner"
    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"

    @property
    def words(self) -> Text:
        """Return the role's name."""
        return NAMES[self]

    def reaches(self, least: Role) -> bool:
        """Whether this role may do what needs at least that one."""
        return ROLES.index(self) <= ROLES.index(least)


NAMES = {
    Role.OWNER: say("Owner"),
    Role.SCOREKEEPER: say("Scorekeeper"),
    Role.PLAYER: say("Player"),
    Role.SPECTATOR: say("Spectator"),
}


@dataclass(frozen=True, slots=True)
class Holder(PhoneRow):
    """A phone of a circle as it writes and reads.

    ``unused`` is one that nobody used for so long that it is out.
    """

    role: Role
    unused: bool = field(default=False, compare=False)

    @property
    def is_first(self) -> bool:
        """Whether no phone was in the circle before this one."""
        return self.name == FIRST_PHONE


def may_void(by: Holder | None, phone_id: UUID | None) -> bool:
    """Whether somebody may void what was written on a phone."""
    return by is None or by.role.reaches(Role.SCOREKEEPER) or by.phone_id == phone_id
