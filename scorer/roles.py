"""The phones of a circle, and their roles."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

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

#: What the names of phones begin with: of people's, and of those that programs write as, by a
#: link's secret or by a key.
PHONE, PROGRAM, KEY = "#", "program #", "program key "


@dataclass(frozen=True, slots=True)
class Holder:
    """A phone of a circle: its role, who holds it, which link let it in, and its circle.

    ``unused`` says that the phone has lost access, as nobody used it for long. ``table`` is the
    session at which a slip lets it write now, even where it is not in the circle.
    """

    circle_id: UUID
    phone_id: UUID
    name: str
    role: Role
    player_id: UUID | None = None
    player: str | None = None
    link_id: UUID | None = field(default=None, compare=False)
    link: str | None = field(default=None, compare=False)
    joined_at: datetime | None = field(default=None, compare=False)
    revoked_at: datetime | None = field(default=None, compare=False)
    last_seen_at: datetime | None = field(default=None, compare=False)
    browser: str = field(default="", compare=False)
    circle: str = field(default="", compare=False)
    zone: str = field(default="", compare=False)
    currency: str = field(default="", compare=False)
    unused: bool = field(default=False, compare=False)
    table: UUID | None = field(default=None, compare=False)

    @property
    def is_key(self) -> bool:
        """Whether this is the key of a program, and no phone."""
        return self.name.startswith(KEY)

    @property
    def is_first(self) -> bool:
        """Whether no phone was in the circle before this one."""
        return self.name == "#1"
