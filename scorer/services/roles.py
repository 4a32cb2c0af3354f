"""Roles: what a phone may do in its circle."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from scorer.storage.models import ROLES
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.texts import Text


class Role(StrEnum):
    """What a phone may do; each role may do everything that those after it may."""

    OWNER = "owner"
    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"

    @property
    def words(self) -> Text:
        """What the role is called."""
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
