"""Roles: what a phone may do in its circle."""

from __future__ import annotations

from enum import StrEnum

from scorer.storage.models import ROLES


class Role(StrEnum):
    """What a phone may do; each role may do everything that those after it may."""

    OWNER = "owner"
    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"

    def reaches(self, least: Role) -> bool:
        """Whether this role may do what needs at least that one."""
        return ROLES.index(self) <= ROLES.index(least)
