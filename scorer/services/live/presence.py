"""Presence: whose phones look at a session now, who of them has the pen, and who is writing.

It lives only in memory that the workers of a server share; nothing of it is stored. Who the phones
are is read from the database once for each state of the circle's journal.
"""

from __future__ import annotations

import json
import os
import secrets
import struct
from collections.abc import Collection, Iterator, Mapping
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
from scorer.services.live.events import session_mark
from scorer.storage import in_transaction, queries
from scorer.storage.queries.live import Mark
from scorer.texts import say

#: Seconds for which a slot is held by a heartbeat, and after a stream has ended.
LASTS, GRACE = 35.0, 4.0
#: Seconds for which a phone is said to be writing, unless it says so again.
WRITES = 45.0
#: How many slots there are, and how many people pages list.
PLACES, SHOWN = 2048, 24
_HEAD = 8
#: Circle, session, phone; until when it is here; until when it writes which deal; whose it is.
_PLACE = struct.Struct("<16s16s16sddII")
_SIZE = _PLACE.size
_UNTIL = struct.Struct("<d")
_UNTIL_AT = 48
_WRITES = struct.Struct("<I")
_WRITES_AT = 64


class Place:
    """The slot of one stream of events in shared memory, held while its heartbeats come."""

    def __init__(self, room: Room, at: tuple[UUID, UUID, UUID], writes: int) -> None:
        """Take a slot at a session, by the keys of circle, session and phone."""
        self._room, self._at, self._writes = room, b"".join(key.bytes for key in at), writes
        self._writes_until = monotonic() + WRITES if writes else 0.0
        self._mark = secrets.randbits(32)
        self._offset = room.find(self._written(LASTS), self._mark)

    def keep(self) -> None:
        """Send a heartbeat; take another slot where another process has taken this one."""
        holds = self._offset and self._room.holds(self._offset, self._mark)
        if holds and not self._room.writes(self._offset):
            self._writes = 0
        now = self._written(LASTS)
        if holds:
            self._room.write(self._offset, now)
        else:
            self._offset = self._room.find(now, self._mark)

    def leave(self) -> None:
        """Let the slot expire after ``GRACE`` seconds: the phone may be opening another page."""
        self._writes = 0
        if self._offset and self._room.holds(self._offset, self._mark):
            self._room.write(self._offset, self._written(GRACE))
            self._room.tell()

    def _written(self, lasts: float) -> bytes:
        keys = self._at[:16], self._at[16:32], self._at[32:]
        until = monotonic() + lasts
        return _PLACE.pack(*keys, until, self._writes_until, self._writes, self._mark)


class Seen(NamedTuple):
    """A phone at a session: when it expires without a heartbeat, and the deal that it writes."""

    phone_id: UUID
    until: float
    writes: int


class Room:
    """The slots of a server, in anonymous memory that workers forked after it was made share.

    Two processes that take one slot at the same instant find out at the next heartbeat.
    """

    def __init__(self) -> None:
        """Allocate the memory, with every slot free."""
        self._memory = mmap(-1, _HEAD + PLACES * _SIZE)
        self._lock = Lock()

    @property
    def state(self) -> bytes:
        """A token that changes whenever somebody comes or goes."""
        return self._memory[:_HEAD]

    def tell(self) -> None:
        """Change the token, so that all processes know that somebody came or went."""
        self._memory[:_HEAD] = os.urandom(_HEAD)

    def find(self, place: bytes, mark: int) -> int:
        """Take a free slot and return its offset; 0 where all are taken."""
        with self._lock:
            now = monotonic()
            for number in range(PLACES):
                offset = _HEAD + (mark + number) % PLACES * _SIZE
                if _UNTIL.unpack_from(self._memory, offset + _UNTIL_AT)[0] < now:
                    self.write(offset, place)
                    self.tell()
                    return offset
        return 0

    def write(self, offset: int, place: bytes) -> None:
        """Write a slot."""
        self._memory[offset : offset + _SIZE] = place

    def holds(self, offset: int, mark: int) -> bool:
        """Whether a slot is still that of its holder."""
        found: int = _PLACE.unpack_from(self._memory, offset)[-1]
        return found == mark

    def writes(self, offset: int) -> int:
        """Return the deal that the phone of a slot writes; 0 where it only looks."""
        found: int = _WRITES.unpack_from(self._memory, offset + _WRITES_AT)[0]
        return found

    def end_writing(self, at: tuple[UUID, UUID, UUID], number: int) -> None:
        """Let a phone, by the keys of circle, session and phone, have written a deal."""
        found, offset = False, _HEAD
        key = b"".join(each.bytes for each in at)
        while (offset := self._memory.find(key, offset)) >= 0:
            if (offset - _HEAD) % _SIZE == 0 and 0 < self.writes(offset) <= number:
                _WRITES.pack_into(self._memory, offset + _WRITES_AT, 0)
                found = True
            offset += 1
        if found:
            self.tell()

    def seen(self, circle_id: UUID, session_id: UUID) -> Iterator[Seen]:
        """List the phones at a session, once for each of their streams."""
        key, now, offset = circle_id.bytes + session_id.bytes, monotonic(), _HEAD
        while (offset := self._memory.find(key, offset)) >= 0:
            if (offset - _HEAD) % _SIZE == 0:
                _, _, phone, until, writes_until, writes, _ = _PLACE.unpack_from(
                    self._memory, offset
                )
                if until > now:
                    is_writing = writes and writes_until > now
                    over = min(until, writes_until) if is_writing else until
                    yield Seen(UUID(bytes=phone), over, writes if is_writing else 0)
            offset += 1


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody who is here: a phone by its own name and its player's, and the deal it writes."""

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


class Company(NamedTuple):
    """Who is here, in the order in which the phones joined, and when the first of them expires.

    ``phones`` are the phones that are here, and ``known`` are all of the circle.
    """

    present: tuple[Present, ...]
    until: float
    phones: Collection[UUID]
    known: Mapping[UUID, Present]

    @property
    def shown(self) -> tuple[Present, ...]:
        """Those whom pages list."""
        return self.present[:SHOWN]

    @property
    def more(self) -> int:
        """How many others are here."""
        return len(self.present) - len(self.shown)

    def text(self, phone_id: UUID) -> str:
        """Write who is here as a stream of events tells it to a phone (contract.md)."""
        data = {
            "role": self.known[phone_id].role if phone_id in self.known else None,
            "here": [
                {
                    "id": str(one.phone_id),
                    "phone": one.phone.removeprefix(PHONE),
                    "player": one.player,
                    "role": one.role,
                    "writes": one.writes or None,
                }
                for one in self.shown
            ],
            "more": self.more,
        }
        return f"event: presence\ndata: {json.dumps(data)}\n\n"


_phones: LRUCache[dict[UUID, Present]] = LRUCache(64)
_companies: LRUCache[Company] = LRUCache(64)


def company(room: Room, circle_id: UUID, mark: Mark, also: UUID | None = None) -> Company:
    """List who is at the session of a mark; ``also`` is a phone that asks for its page now.

    A player with several phones is listed once, by the phone that may do most. The answer is cached
    for a second, while nobody comes or goes.
    """
    key = room, room.state, circle_id, mark, int(monotonic())
    kept = _companies.get(key, lambda: _company(room, circle_id, mark, None))
    is_here = also is None or also in kept.phones
    return kept if is_here else _company(room, circle_id, mark, also)


def _company(room: Room, circle_id: UUID, mark: Mark, also: UUID | None) -> Company:
    seen = list(room.seen(circle_id, mark.session_id))
    here = dict.fromkeys([also] if also else [], 0)
    for one in seen:
        here[one.phone_id] = max(one.writes, here.get(one.phone_id, 0))
    known = _known(circle_id, mark) if here else {}
    found = [one for key, one in known.items() if key in here]
    found = [replace(one, writes=n) if (n := here[one.phone_id]) else one for one in found]
    until = min((one.until for one in seen), default=float("inf"))
    return Company(tuple(_once_each(found)), until, here.keys(), known)


def _known(circle_id: UUID, mark: Mark) -> dict[UUID, Present]:
    """Give the phones that are of the circle, in the order they joined."""

    def read() -> dict[UUID, Present]:
        rows = [row for row in queries.circle.phones(circle_id) if row.revoked_at is None]
        return {
            row.phone_id: Present(row.phone_id, row.name, row.player, Role(row.role))
            for row in rows
        }

    return _phones.get((circle_id, mark.journaled, mark.journal), read)


def _once_each(found: list[Present]) -> list[Present]:
    """Merge the phones of one player."""
    people: dict[str, Present] = {}
    for one in found:
        name = one.player or one.phone
        other = people.setdefault(name, one)
        if other is not one:
            most = other if other.role.reaches(one.role) else one
            people[name] = replace(most, writes=max(one.writes, other.writes))
    return list(people.values())


NOT_HERE = say("That phone is not here any more. The pen is passed to who has this page open.")
NO_PLAYER = say("That phone has the pen already, or only watches.")
NO_PEN = say("Only a phone with the pen may do that. An owner of the circle can hand it over.")


def pass_pen(room: Room, session_id: UUID, phone_id: UUID, by: Holder) -> Present:
    """Hand the pen to a player's phone that is at the session; a scorekeeper gives it up by that.

    Raise RefusedError where ``by`` has no pen, and InvalidError where the phone can't take it.
    """
    mark = session_mark(by.circle_id, session_id)
    here = {one.phone_id for one in room.seen(by.circle_id, session_id)}
    passed_to = existing(_known(by.circle_id, mark).get(phone_id), phone_id)

    def work() -> None:
        locked_circle(by.circle_id)
        giver, taker = member(by.circle_id, by.phone_id), member(by.circle_id, phone_id)
        if not Role(giver.role).reaches(Role.SCOREKEEPER):
            raise RefusedError(NO_PEN)
        if taker.role != Role.PLAYER:
            raise InvalidError([Problem("no-player", "phone", NO_PLAYER)])
        if phone_id not in here:
            raise InvalidError([Problem("not-here", "phone", NOT_HERE)])
        journal.change(Kind.ROLE_GIVEN, taker, by, role=Role.SCOREKEEPER.value)
        if giver.role == Role.SCOREKEEPER:
            journal.change(Kind.ROLE_GIVEN, giver, by, role=Role.PLAYER.value)

    in_transaction(work)
    return passed_to
