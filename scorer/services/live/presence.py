"""Presence: whose phones look at a session now, who of them has the pen, and who is writing.

It lives only in memory that the workers of a server share; nothing of it is stored. Who the phones
are is read from the database once for each state of the circle's journal.
"""

from __future__ import annotations

import json
import os
import secrets
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from mmap import mmap
from threading import Lock
from time import monotonic
from typing import NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, Problem, RefusedError, existing
from scorer.services.base import journal
from scorer.services.base.caching import LRUCache
from scorer.services.base.journal import Kind
from scorer.services.base.roles import Holder, Role
from scorer.services.circle.circles import PHONE, locked_circle, member
from scorer.services.live.session_cache import session_mark
from scorer.storage import in_transaction, queries
from scorer.storage.queries.live import Mark
from scorer.texts import say

#: Seconds for which a slot is held by a heartbeat, and after a stream has ended.
LASTS, GRACE = 35.0, 4.0
#: Seconds for which a phone is said to be writing, unless it says so again.
WRITES = 45.0
#: How many slots there are, and how many people pages list.
SLOTS, SHOWN = 2048, 24
_HEAD = 8
#: Circle, session, phone; until when it is here; until when it writes which deal; whose it is.
_SLOT = struct.Struct("<16s16s16sddII")
_SIZE = _SLOT.size
_UNTIL = struct.Struct("<d")
_UNTIL_AT = 48
_WRITES = struct.Struct("<I")
_WRITES_AT = 64


class PresenceSlot:
    """The slot of one stream of events in shared memory, held while its heartbeats come."""

    def __init__(self, table: PresenceTable, at: tuple[UUID, UUID, UUID], writes: int) -> None:
        """Take a slot at a session, by the keys of circle, session and phone."""
        self._table, self._at, self._writes = table, b"".join(key.bytes for key in at), writes
        self._writes_until = monotonic() + WRITES if writes else 0.0
        self._mark = secrets.randbits(32)
        self._offset = table.take(self._written(LASTS), self._mark)

    def keep(self) -> None:
        """Send a heartbeat; take another slot where another process has taken this one."""
        holds = self._offset and self._table.holds(self._offset, self._mark)
        if holds and not self._table.writes(self._offset):
            self._writes = 0
        now = self._written(LASTS)
        if holds:
            self._table.write(self._offset, now)
        else:
            self._offset = self._table.take(now, self._mark)

    def leave(self) -> None:
        """Expire the slot after ``GRACE`` seconds: the phone may be opening another page."""
        self._writes = 0
        if self._offset and self._table.holds(self._offset, self._mark):
            self._table.write(self._offset, self._written(GRACE))
            self._table.announce()

    def _written(self, lasts: float) -> bytes:
        keys = self._at[:16], self._at[16:32], self._at[32:]
        until = monotonic() + lasts
        return _SLOT.pack(*keys, until, self._writes_until, self._writes, self._mark)


class PhoneSlot(NamedTuple):
    """A phone at a session: when it expires without a heartbeat, and the deal that it writes."""

    phone_id: UUID
    until: float
    writes: int


class PresenceTable:
    """The slots of a server, in anonymous memory that workers forked after it was made share.

    Two processes that take one slot at the same instant find out at the next heartbeat.
    """

    def __init__(self) -> None:
        """Allocate the memory, with every slot free."""
        self._memory = mmap(-1, _HEAD + SLOTS * _SIZE)
        self._lock = Lock()

    @property
    def state(self) -> bytes:
        """Return a token that changes whenever somebody comes or goes."""
        return self._memory[:_HEAD]

    def announce(self) -> None:
        """Change the token, so that all processes know that somebody came or went."""
        self._memory[:_HEAD] = os.urandom(_HEAD)

    def take(self, slot: bytes, mark: int) -> int:
        """Take a free slot and return its offset; 0 where all are taken."""
        with self._lock:
            now = monotonic()
            for number in range(SLOTS):
                offset = _HEAD + (mark + number) % SLOTS * _SIZE
                if _UNTIL.unpack_from(self._memory, offset + _UNTIL_AT)[0] < now:
                    self.write(offset, slot)
                    self.announce()
                    return offset
        return 0

    def write(self, offset: int, slot: bytes) -> None:
        """Write a slot."""
        self._memory[offset : offset + _SIZE] = slot

    def holds(self, offset: int, mark: int) -> bool:
        """Whether a slot is still that of its holder."""
        return bool(_SLOT.unpack_from(self._memory, offset)[-1] == mark)

    def writes(self, offset: int) -> int:
        """Return the deal that the phone of a slot writes; 0 where it only looks."""
        return int(_WRITES.unpack_from(self._memory, offset + _WRITES_AT)[0])

    def end_writing(self, at: tuple[UUID, UUID, UUID], number: int) -> None:
        """Record that a phone, by the keys of circle, session and phone, has written a deal."""
        writing = [at for at in self._offsets(*at) if 0 < self.writes(at) <= number]
        for offset in writing:
            _WRITES.pack_into(self._memory, offset + _WRITES_AT, 0)
        if writing:
            self.announce()

    def phones(self, circle_id: UUID, session_id: UUID) -> Iterator[PhoneSlot]:
        """Yield the phones at a session, once for each of their streams."""
        now = monotonic()
        for offset in self._offsets(circle_id, session_id):
            slot = _SLOT.unpack_from(self._memory, offset)
            _, _, phone, until, writes_until, writes, _ = slot
            if until > now:
                is_writing = writes and writes_until > now
                over = min(until, writes_until) if is_writing else until
                yield PhoneSlot(UUID(bytes=phone), over, writes if is_writing else 0)

    def _offsets(self, *keys: UUID) -> Iterator[int]:
        """Yield the offsets of the slots that begin with some keys."""
        start, offset = b"".join(key.bytes for key in keys), _HEAD
        while (offset := self._memory.find(start, offset)) >= 0:
            if (offset - _HEAD) % _SIZE == 0:
                yield offset
            offset += 1


@dataclass(frozen=True, slots=True)
class PresentPhone:
    """A phone that is here: its own name and its player's, and the deal it writes."""

    phone_id: UUID
    phone: str
    player: str | None
    role: Role
    writes: int = 0

    @property
    def has_pen(self) -> bool:
        """Whether the phone may write deals down."""
        return self.role.reaches(Role.SCOREKEEPER)

    @property
    def can_take_pen(self) -> bool:
        """Whether somebody with the pen may pass it to this phone."""
        return self.role is Role.PLAYER


class PresenceList(NamedTuple):
    """Who is here, in the order in which the phones joined, and when the first of them expires.

    ``phones`` are the phones that are here, and ``known`` are all of the circle.
    """

    present: tuple[PresentPhone, ...]
    until: float
    phones: Collection[UUID]
    known: Mapping[UUID, PresentPhone]

    @property
    def shown(self) -> tuple[PresentPhone, ...]:
        """Return the phones that pages list."""
        return self.present[:SHOWN]

    @property
    def more(self) -> int:
        """Count the phones that pages don't list."""
        return len(self.present) - len(self.shown)

    def text(self, phone_id: UUID) -> str:
        """Write who is here as a stream of events tells it to a phone (contract.md)."""
        data = {
            "role": self.known[phone_id].role if phone_id in self.known else None,
            "here": [
                {
                    "id": str(phone.phone_id),
                    "phone": phone.phone.removeprefix(PHONE),
                    "player": phone.player,
                    "role": phone.role,
                    "writes": phone.writes or None,
                }
                for phone in self.shown
            ],
            "more": self.more,
        }
        return f"event: presence\ndata: {json.dumps(data)}\n\n"


_phones: LRUCache[dict[UUID, PresentPhone]] = LRUCache(64)
_lists: LRUCache[PresenceList] = LRUCache(64)


def presence_list(
    table: PresenceTable, circle_id: UUID, mark: Mark, also: UUID | None = None
) -> PresenceList:
    """List who is at the session of a mark; ``also`` is a phone that asks for its page now.

    A player with several phones is listed once, by the phone that may do most. The answer is cached
    for a second, while nobody comes or goes.
    """
    key = table, table.state, circle_id, mark, int(monotonic())
    cached = _lists.get(key, lambda: _read_list(table, circle_id, mark, None))
    is_here = also is None or also in cached.phones
    return cached if is_here else _read_list(table, circle_id, mark, also)


def _read_list(
    table: PresenceTable, circle_id: UUID, mark: Mark, also: UUID | None
) -> PresenceList:
    slots = list(table.phones(circle_id, mark.session_id))
    here = dict.fromkeys([also] if also else [], 0)
    for slot in slots:
        here[slot.phone_id] = max(slot.writes, here.get(slot.phone_id, 0))
    known = _known(circle_id, mark) if here else {}
    phones = (replace(known[key], writes=here[key]) for key in known if key in here)
    until = min((slot.until for slot in slots), default=float("inf"))
    return PresenceList(_once_each(phones), until, here.keys(), known)


def _known(circle_id: UUID, mark: Mark) -> dict[UUID, PresentPhone]:
    """Return the phones of the circle, in the order they joined."""

    def read() -> dict[UUID, PresentPhone]:
        rows = [row for row in queries.circle.phones(circle_id) if row.revoked_at is None]
        return {
            row.phone_id: PresentPhone(row.phone_id, row.name, row.player, row.role) for row in rows
        }

    return _phones.get((circle_id, mark.journaled, mark.journal), read)


def _once_each(phones: Iterable[PresentPhone]) -> tuple[PresentPhone, ...]:
    """Merge the phones of one player."""
    people: dict[str, PresentPhone] = {}
    for phone in phones:
        name = phone.player or phone.phone
        other = people.setdefault(name, phone)
        most = other if other.role.reaches(phone.role) else phone
        people[name] = replace(most, writes=max(phone.writes, other.writes))
    return tuple(people.values())


NOT_HERE = say("That phone is not here any more. The pen is passed to who has this page open.")
NO_PLAYER = say("That phone has the pen already, or only watches.")
NO_PEN = say("Only a phone with the pen may do that. An owner of the circle can hand it over.")


def pass_pen(table: PresenceTable, session_id: UUID, phone_id: UUID, by: Holder) -> PresentPhone:
    """Hand the pen to a player's phone that is at the session; a scorekeeper gives it up by that.

    Raise RefusedError where ``by`` has no pen, and InvalidError where the phone can't take it.
    """
    mark = session_mark(by.circle_id, session_id)
    here = {slot.phone_id for slot in table.phones(by.circle_id, session_id)}
    passed_to = existing(_known(by.circle_id, mark).get(phone_id), phone_id)

    def hand_over() -> None:
        locked_circle(by.circle_id)
        giver, taker = member(by.circle_id, by.phone_id), member(by.circle_id, phone_id)
        if not giver.role.reaches(Role.SCOREKEEPER):
            raise RefusedError(NO_PEN)
        if taker.role is not Role.PLAYER:
            raise InvalidError([Problem("no-player", "phone", NO_PLAYER)])
        if phone_id not in here:
            raise InvalidError([Problem("not-here", "phone", NOT_HERE)])
        journal.change(Kind.ROLE_GIVEN, taker, by, role=Role.SCOREKEEPER)
        if giver.role is Role.SCOREKEEPER:
            journal.change(Kind.ROLE_GIVEN, giver, by, role=Role.PLAYER)

    in_transaction(hand_over)
    return passed_to
