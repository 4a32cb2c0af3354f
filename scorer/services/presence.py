"""Presence: whose phones look at a session now, who of them has the pen, and who is writing.

It lives in memory that the workers of a server share and nowhere else: no database is asked who is
here, and nothing of it is kept. Who the phones are is read once for each state of the circle's
journal.
"""

from __future__ import annotations

import json
import os
import secrets
import struct
from dataclasses import dataclass, replace
from mmap import mmap
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, NotFoundError, Problem, RefusedError
from scorer.services import journal
from scorer.services.circles import PHONE, locked_circle, member
from scorer.services.journal import Kind
from scorer.services.keeping import Kept
from scorer.services.roles import Role
from scorer.storage import in_transaction, queries
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from scorer.services.roles import Holder
    from scorer.storage.queries import Mark

#: Seconds for which a place is kept by a sign of life, and by a phone that goes to another page.
LASTS, GRACE = 35.0, 4.0
#: Seconds for which a phone is said to be writing, unless it says so again.
WRITES = 45.0
#: Phones that there is a place for, and those that pages tell of.
PLACES, SHOWN = 2048, 24
_HEAD = 8
#: Circle, session, phone; until when it is here; until when it writes which deal; whose it is.
_PLACE = struct.Struct("<16s16s16sddII")
_SIZE = _PLACE.size
_UNTIL = struct.Struct("<d")
_UNTIL_AT = 48


class Place:
    """The place of one stream of events, held for as long as its phone gives signs of life."""

    def __init__(self, room: Room, at: tuple[UUID, UUID, UUID], writes: int) -> None:
        """Take a place at a session, by the keys of circle, session and phone."""
        self._room, self._at, self._writes = room, b"".join(key.bytes for key in at), writes
        self._writes_until = monotonic() + WRITES if writes else 0.0
        self._mark = secrets.randbits(32)
        self._offset = room.find(self._written(LASTS), self._mark)

    def keep(self) -> None:
        """Give a sign of life; where another process took the same place, take another one."""
        now = self._written(LASTS)
        if self._offset and self._room.holds(self._offset, self._mark):
            self._room.write(self._offset, now)
        else:
            self._offset = self._room.find(now, self._mark)

    def leave(self) -> None:
        """Be here for a moment more, in which the phone may come back by another page."""
        self._writes = 0
        if self._offset and self._room.holds(self._offset, self._mark):
            self._room.write(self._offset, self._written(GRACE))
            self._room.tell()

    def _written(self, lasts: float) -> bytes:
        keys = self._at[:16], self._at[16:32], self._at[32:]
        until = monotonic() + lasts
        return _PLACE.pack(*keys, until, self._writes_until, self._writes, self._mark)


class Seen(NamedTuple):
    """A phone at a session: until when, unless it gives another sign, and the deal it writes."""

    phone_id: UUID
    until: float
    writes: int


class Room:
    """The places of a server, in anonymous memory that workers forked after it was made share.

    Two processes that take one place at one instant find out at the next sign of life.
    """

    def __init__(self) -> None:
        """Begin with nobody here."""
        self._memory = mmap(-1, _HEAD + PLACES * _SIZE)
        self._lock = Lock()

    @property
    def state(self) -> bytes:
        """Something that is another one whenever somebody came or went."""
        return self._memory[:_HEAD]

    def tell(self) -> None:
        """Let all processes know that somebody came or went."""
        self._memory[:_HEAD] = os.urandom(_HEAD)

    def find(self, place: bytes, mark: int) -> int:
        """Take a free place and give where it is; 0 where all are taken."""
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
        """Write down a place."""
        self._memory[offset : offset + _SIZE] = place

    def holds(self, offset: int, mark: int) -> bool:
        """Whether a place is still that of its holder."""
        found: int = _PLACE.unpack_from(self._memory, offset)[-1]
        return found == mark

    def seen(self, circle_id: UUID, session_id: UUID) -> Iterator[Seen]:
        """List the phones at a session, each as often as it has streams."""
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
    """Who is here, in the order in which the phones joined, and until when that is sure.

    ``phones`` are those of them all, and ``known`` are all of the circle.
    """

    present: tuple[Present, ...]
    until: float
    phones: Collection[UUID]
    known: Mapping[UUID, Present]

    @property
    def shown(self) -> tuple[Present, ...]:
        """Those that pages tell of."""
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


_phones: Kept[dict[UUID, Present]] = Kept(64)
_companies: Kept[Company] = Kept(64)


def company(room: Room, circle_id: UUID, mark: Mark, also: UUID | None = None) -> Company:
    """Say who is at the session of a mark; ``also`` is a phone that looks at it just now.

    A player with several phones is here once, by the phone that may do most. While nobody comes or
    goes, the answer is kept for the second.
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
        rows = [row for row in queries.phones(circle_id) if row.revoked_at is None]
        return {
            row.phone_id: Present(row.phone_id, row.name, row.player, Role(row.role))
            for row in rows
        }

    return _phones.get((circle_id, mark.journaled, mark.journal), read)


def _once_each(found: list[Present]) -> list[Present]:
    """Make one of the phones of one player."""
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
    """Hand the pen to a player's phone that is at the session; who is no owner has it no more.

    Raise RefusedError for who has it no more, and InvalidError where the phone can't take it.
    """
    marks = queries.marks(by.circle_id, [session_id])
    if not marks:
        raise NotFoundError(session_id)
    here = {one.phone_id for one in room.seen(by.circle_id, session_id)}
    passed_to = _known(by.circle_id, marks[0]).get(phone_id)
    if passed_to is None:
        raise NotFoundError(phone_id)

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
