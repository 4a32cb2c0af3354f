"""Who was called what, and who held which phone, at any point of a circle's journal."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple
from uuid import UUID

from scorer.services.base.clock import now
from scorer.storage import queries
from scorer.storage.queries.record import About, Written

#: Above the serial of every entry.
END = 2**31 - 1
#: Nobody takes a name that another person of the circle had so recently.
NAME_KEPT = timedelta(days=365)


class FormerName(NamedTuple):
    """What a player was called, or another one who was merged into them, and until when."""

    player_id: UUID
    name: str
    until: datetime


class Since(NamedTuple):
    """What a player is from an entry on: of this name, or the player of this key."""

    serial: int
    what: str
    at: datetime


class Names:
    """The names of a circle's players and the holders of its phones, by the serials of entries.

    Players are named by their keys as text, the way entries have them.
    """

    def __init__(self, circle_id: UUID) -> None:
        """Read every entry about a player: their number doesn't grow with the deals."""
        self._circle_id = circle_id
        self._called: defaultdict[str, list[Since]] = defaultdict(list)
        self._became: dict[str, Since] = {}
        self._gone: set[str] = set()
        for entry in queries.record.entries_about(circle_id, "player"):
            after = entry.after or {}
            if entry.after is None and entry.before is not None:
                self._gone.add(entry.key)
            if "name" in after:
                self._called[entry.key].append(Since(entry.serial, after["name"], entry.at))
            if "became" in after:
                self._became[entry.key] = Since(entry.serial, after["became"], entry.at)

    @cached_property
    def _held(self) -> dict[str, list[tuple[int, str | None]]]:
        held: defaultdict[str, list[tuple[int, str | None]]] = defaultdict(list)
        for entry in queries.record.entries_about(self._circle_id, "phone"):
            if "player_id" in (entry.after or {}):
                held[entry.key].append((entry.serial, (entry.after or {})["player_id"]))
        return held

    def name(self, player: str, serial: int) -> str:
        """Say what a player was called right after an entry."""
        merged = self._became.get(player)
        if merged and merged.serial <= serial:
            return self.name(merged.what, serial)
        called = self._called[player]
        since = bisect_right(called, serial, key=lambda one: one.serial)
        return called[max(since - 1, 0)].what

    def holder(self, phone: str, serial: int) -> str | None:
        """Say who held a phone right after an entry, if anybody was known to."""
        held = [player for at, player in self._held[phone] if at <= serial]
        return held[-1] if held else None

    def now(self, player: str) -> str:
        """Say which player somebody is by now."""
        while player in self._became:
            player = self._became[player].what
        return player

    def is_gone(self, player: str) -> bool:
        """Say whether a player went again with the notebook that they came in."""
        return player in self._gone

    def former(self) -> list[FormerName]:
        """List the names that were given up, oldest first, by who the players are by now."""
        given_up = (
            (until.serial, FormerName(UUID(self.now(player)), since.what, until.at))
            for player in self._called
            for since, until in self._names(player)
            if until
        )
        return [former for _, former in sorted(given_up)]

    def ways(self, player: str) -> list[Written | About]:
        """List every way in which entries have to do with a player, and whoever was merged."""
        people = {one for one in self._called if self.now(one) == player}
        return list(chain.from_iterable(self._ways(one) for one in sorted(people)))

    def _names(self, player: str) -> Iterator[tuple[Since, Since | None]]:
        """Give the names of a player, oldest first, each with what ended it."""
        called = self._called[player]
        return zip(called, [*called[1:], self._became.get(player)], strict=False)

    def _ways(self, player: str) -> Iterator[Written | About]:
        yield About("player", player, 1, END)
        for since, until in self._names(player):
            yield Written(since.what, since.serial, until.serial if until else END)
        for phone, held in self._held.items():
            for (first, holder), (last, _) in pairwise([*held, (END, None)]):
                if holder == player:
                    yield About("phone", phone, first, last)


def former_names_of(circle_id: UUID, player_id: UUID) -> list[FormerName]:
    """List what a player, and whoever was merged into them, was called, the last name first."""
    return [one for one in Names(circle_id).former() if one.player_id == player_id][::-1]


def had_recently(circle_id: UUID, name: str, but: UUID) -> FormerName | None:
    """Find who else of a circle was called so within the last year, the latest of them."""
    since = now() - NAME_KEPT
    had = [
        one
        for one in Names(circle_id).former()
        if one.player_id != but and one.name.casefold() == name.casefold() and one.until > since
    ]
    return had[-1] if had else None
