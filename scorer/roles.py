"""The roles of phones in a circle."""

from enum import StrEnum

from scorer.texts import Text, say


class Role(StrEnum):
    """The role of a phone; each includes those after it."""

    OWNER = "owner"
    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"

    @property
    def words(self) -> Text:
        return ROLES[self]

    def reaches(self, least: "Role") -> bool:
        roles = list(Role)
        return roles.index(self) <= roles.index(least)


ROLES = {
    Role.OWNER: say("Owner"),
    Role.SCOREKEEPER: say("Scorekeeper"),
    Role.PLAYER: say("Player"),
    Role.SPECTATOR: say("Spectator"),
}
