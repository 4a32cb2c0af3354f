"""Names: players' and phones' holders at any point of a circle's journal, titles of sessions."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Protocol
from uuid import UUID

from scorer.services.base.clock import now
from scorer.storage import queries
from scorer.storage.queries.journal import Way, about, by_author
from scorer.texts import Day, Text
from scorer.typed_text import looks

#: Above the serial of every entry.
END = 2**31 - 1
#: For this long after a player gives up a name, nobody else of the circle may take it.
NAME_KEPT = timedelta(days=365)
#: What is stored of the second match of an evening that nobody gave a title.
UNTITLED = re.compile(r"· \d{1,3}")


class FormerName(NamedTuple):
    """A former name of a player, or of one merged into them, and when it ended."""

    player_id: UUID
    name: str
    until: datetime


class NameStart(NamedTuple):
    """The journal entry from which on a player has a name, or is merged into another player."""

    serial: int
    what: str
    at: datetime


class Names:
    """Players' names, by keys as text, and holders of phones, by the serials of entries."""

    def __init__(self, circle_id: UUID) -> None:
        """Read all entries about players: their number doesn't grow with the deals."""
        self._circle_id = circle_id
        self._called: defaultdict[str, list[NameStart]] = defaultdict(list)
        self._became: dict[str, NameStart] = {}
        #: Those who were removed with the imported notebook that added them.
        self.gone: set[str] = set()
        for entry in queries.journal.entries_of_table(circle_id, "player"):
            after = entry.after or {}
            if entry.after is None and entry.before is not None:
                self.gone.add(entry.key)
            if "name" in after:
                self._called[entry.key].append(NameStart(entry.serial, after["name"], entry.at))
            if "became" in after:
                self._became[entry.key] = NameStart(entry.serial, after["became"], entry.at)

    @cached_property
    def _held(self) -> dict[str, list[tuple[int, str | None]]]:
        held: defaultdict[str, list[tuple[int, str | None]]] = defaultdict(list)
        for entry in queries.journal.entries_of_table(self._circle_id, "phone"):
            if "player_id" in (entry.after or {}):
                held[entry.key].append((entry.serial, (entry.after or {})["player_id"]))
        return held

    def name(self, player: str, serial: int) -> str:
        """Return a player's name right after an entry."""
        merged = self._became.get(player)
        if merged and merged.serial <= serial:
            return self.name(merged.what, serial)
        called = self._called[player]
        at = bisect_right(called, serial, key=lambda since: since.serial)
        return called[max(at - 1, 0)].what

    def holder(self, phone: str, serial: int) -> str | None:
        """Return the player who held a phone right after an entry, if known."""
        held = [player for at, player in self._held[phone] if at <= serial]
        return held[-1] if held else None

    def now(self, player: str) -> str:
        """Return the player that a key means today, after all merges."""
        while player in self._became:
            player = self._became[player].what
        return player

    def former(self) -> list[FormerName]:
        """List the former names of each player of today, oldest first."""
        given_up = (
            (until.serial, FormerName(UUID(self.now(player)), since.what, until.at))
            for player in self._called
            for since, until in self._names(player)
            if until
        )
        return [former for _, former in sorted(given_up)]

    def ways(self, player: str) -> list[Way]:
        """List the filters that find all entries about a player and those merged into them."""
        ways: list[Way] = []
        for other in sorted(other for other in self._called if self.now(other) == player):
            ways.append(about("player", other, 1, END))
            for since, until in self._names(other):
                ways.append(by_author(since.what, since.serial, until.serial if until else END))
            for phone, held in self._held.items():
                for (first, holder), (last, _) in pairwise([*held, (END, None)]):
                    if holder == other:
                        ways.append(about("phone", phone, first, last))
        return ways

    def _names(self, player: str) -> Iterator[tuple[NameStart, NameStart | None]]:
        """Return a player's names, oldest first, each with the entry that ended it."""
        called = self._called[player]
        return zip(called, [*called[1:], self._became.get(player)], strict=False)


def former_names_of(circle_id: UUID, player_id: UUID) -> list[FormerName]:
    """List the former names of a player and of those merged into them, newest first."""
    return [name for name in Names(circle_id).former() if name.player_id == player_id][::-1]


def had_recently(circle_id: UUID, name: str, but: UUID) -> FormerName | None:
    """Return the latest other player of the circle who had this name within the last year."""
    since, taken = now() - NAME_KEPT, looks(name)
    for former in reversed(Names(circle_id).former()):
        if former.player_id != but and looks(former.name) == taken and former.until > since:
            return former
    return None


class Titled(Protocol):
    """A session with what its title needs."""

    @property
    def title(self) -> str:
        """Return the title that somebody gave it, or ""."""

    @property
    def started_at(self) -> datetime | None:
        """Return when it began; None means now."""


def title_of(session: Titled, zone: tzinfo = UTC) -> Text | str:
    """Return the title of a session, or its day; a second session of a day is stored as ``· 2``."""
    if title := given_title(session.title):
        return title
    day = Day((session.started_at or now()).astimezone(zone).date())
    return Text(f"%(day)s {session.title}".rstrip(), {"day": day})


def given_title(title: str) -> str:
    """Return the title that somebody gave a session; "" for the stored number of an untitled one.

    >>> given_title("Friday · 2"), given_title("· 2")
    ('Friday · 2', '')
    """
    return "" if UNTITLED.fullmatch(title) else title
