"""Who was called what, and who held which phone, at any point of a circle's journal."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from scorer.storage import queries
from scorer.storage.queries import About, Written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

#: Above the serial of every entry.
END = 2**31 - 1


class Names:
    """The names of a circle's players and the holders of its phones, by the serials of entries.

    Players are named by their keys as text, the way entries have them.
    """

    def __init__(self, circle_id: UUID) -> None:
        """Read every entry about a player or a phone: their number doesn't grow with the deals."""
        self._called: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        self._became: dict[str, tuple[int, str]] = {}
        self._gone: set[str] = set()
        self._held: defaultdict[str, list[tuple[int, str | None]]] = defaultdict(list)
        for entry in queries.entries_about(circle_id, "player"):
            after = entry.after or {}
            if entry.after is None and entry.before is not None:
                self._gone.add(entry.key)
            if "name" in after:
                self._called[entry.key].append((entry.serial, after["name"]))
            if "became" in after:
                self._became[entry.key] = (entry.serial, after["became"])
        for entry in queries.entries_about(circle_id, "phone"):
            if "player_id" in (entry.after or {}):
                holder = (entry.after or {})["player_id"]
                self._held[entry.key].append((entry.serial, holder))

    def name(self, player: str, serial: int) -> str:
        """Say what a player was called right after an entry."""
        merged, became = self._became.get(player, (END, ""))
        if merged <= serial:
            return self.name(became, serial)
        called = self._called[player]
        since = bisect_right(called, serial, key=lambda one: one[0])
        return called[max(since - 1, 0)][1]

    def holder(self, phone: str, serial: int) -> str | None:
        """Say who held a phone right after an entry, if anybody was known to."""
        held = [player for at, player in self._held[phone] if at <= serial]
        return held[-1] if held else None

    def now(self, player: str) -> str:
        """Say which player somebody is by now."""
        while player in self._became:
            player = self._became[player][1]
        return player

    def is_gone(self, player: str) -> bool:
        """Say whether a player went again with the notebook that they came in."""
        return player in self._gone

    def ways(self, player: str) -> list[Written | About]:
        """List every way in which entries have to do with a player, and whoever was merged."""
        people = {one for one in self._called if self.now(one) == player}
        return list(chain.from_iterable(self._ways(one) for one in sorted(people)))

    def _ways(self, player: str) -> Iterator[Written | About]:
        yield About("player", player, 1, END)
        until = self._became.get(player, (END, ""))
        for (first, name), (last, _) in pairwise([*self._called[player], until]):
            yield Written(name, first, last)
        for phone, held in self._held.items():
            for (first, holder), (last, _) in pairwise([*held, (END, None)]):
                if holder == player:
                    yield About("phone", phone, first, last)
