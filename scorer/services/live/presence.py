"""Presence: which phones look at a session now, which of them have the pen, which are writing.

It is only in the memory of the processes, which send it to each other; nothing is stored. Whose the
phones are is read from the database.
"""

from __future__ import annotations

import json
import os
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, RefusedError
from scorer.roles import PHONE, Holder, Role
from scorer.services.base import journal
from scorer.services.base.journal import Kind
from scorer.services.circle.circles import locked_circle, member
from scorer.services.session.state import lock_state
from scorer.storage import queries, transaction
from scorer.storage.models import Phone
from scorer.texts import say

#: Seconds for which a slot lasts without a heartbeat, and after its stream has ended.
LASTS, GRACE = 35.0, 4.0
#: Seconds for which a phone is said to be writing, unless it says so again.
WRITES = 45.0
#: What stands for the key of a stream in the line that says who has saved which deal.
SAVED = "saved"
#: How many people pages list.
SHOWN = 24


@dataclass(slots=True)
class PresenceSlot:
    """The phone of a stream: until when it is here, which deal it writes, and until when."""

    circle_id: UUID
    session_id: UUID
    phone_id: UUID
    until: float
    writes: int
    writes_until: float

    def text(self) -> str:
        """Write the slot, with the seconds that are left instead of the time."""
        now = monotonic()
        times = f"{self.until - now:.2f} {self.writes} {self.writes_until - now:.2f}"
        return f"{self.session_id} {self.phone_id} {times}"

    @classmethod
    def read(cls, circle_id: UUID, text: str) -> PresenceSlot:
        session_id, phone_id, until, writes, writes_until = text.split()
        keys, now = (circle_id, UUID(session_id), UUID(phone_id)), monotonic()
        return cls(*keys, now + float(until), int(writes), now + float(writes_until))


class PresenceTable:
    """The slots of all streams of all processes, as far as this one has heard of them.

    ``tell`` sends lines to the other processes: circle, sending process, stream and slot; or, for
    whoever has the stream, circle, sending process, ``SAVED``, session, phone and deal.
    ``changed`` are the circles where somebody came, went or stopped writing since the caller last
    emptied it.
    """

    def __init__(self, tell: Callable[[list[str]], None]) -> None:
        self._tell, self._server = tell, secrets.token_hex(4)
        self._circles: defaultdict[UUID, dict[str, PresenceSlot]] = defaultdict(dict)
        self._own: dict[str, PresenceSlot] = {}
        self._saved: dict[tuple[UUID, UUID, UUID], tuple[int, float]] = {}
        self.changed: set[UUID] = set()

    def enter(self, at: tuple[UUID, UUID, UUID], writes: int) -> str:
        """Take a slot for a stream by the keys of circle, session and phone; return its key."""
        key, now = f"{self._process}.{secrets.token_hex(4)}", monotonic()
        slot = self._unless_saved(PresenceSlot(*at, now + LASTS, writes, now + WRITES))
        self._own[key] = self._circles[slot.circle_id][key] = slot
        self._change({key: slot})
        return key

    def leave(self, key: str) -> None:
        """Expire a slot after ``GRACE`` seconds: the phone may be opening another page."""
        slot = self._own.pop(key)
        slot.until, slot.writes = monotonic() + GRACE, 0
        self._change({key: slot})

    def end_writing(self, at: tuple[UUID, UUID, UUID], number: int) -> None:
        """Record that a phone, by the keys of circle, session and phone, has written a deal.

        The process with its stream may be one that this one has not heard of yet.
        """
        self._end_writing(at, number)
        circle_id, *who = at
        self._tell([" ".join(map(str, (circle_id, self._process, SAVED, *who, number)))])

    def _end_writing(self, at: tuple[UUID, UUID, UUID], number: int) -> dict[str, PresenceSlot]:
        """End the writing of a phone; return its slots that said so.

        A line about a slot may come later than the deal is saved.
        """
        self._saved[at] = number, monotonic() + LASTS
        writing = {
            key: slot
            for key, slot in self._circles.get(at[0], {}).items()
            if (slot.circle_id, slot.session_id, slot.phone_id) == at and 0 < slot.writes <= number
        }
        for slot in writing.values():
            slot.writes = 0
            self.changed.add(slot.circle_id)
        return writing

    def keep(self) -> None:
        """Send the heartbeats of all streams of this process."""
        for key, slot in self._own.items():
            slot.until = monotonic() + LASTS
            self._circles[slot.circle_id][key] = slot
        self._say(self._own)

    def hear(self, circle_id: UUID, line: str) -> None:
        """Read the rest of a process's line, after the circle, unless this process sent it."""
        process, key, text = line.split(" ", 2)
        if process == self._process:
            return
        if key == SAVED:
            session_id, phone_id, number = text.split()
            ended = self._end_writing((circle_id, UUID(session_id), UUID(phone_id)), int(number))
            self._say({key: slot for key, slot in ended.items() if key in self._own})
            return
        slot = self._unless_saved(PresenceSlot.read(circle_id, text))
        slots = self._circles[circle_id]
        if key not in slots or slots[key].writes != slot.writes:
            self.changed.add(circle_id)
        if key in slots and not key.startswith(f"{process}."):  # whoever holds it says until when
            slots[key].writes = slot.writes
        else:
            slots[key] = slot

    def _unless_saved(self, slot: PresenceSlot) -> PresenceSlot:
        """Return a slot that does not write what its phone has saved."""
        saved, _ = self._saved.get((slot.circle_id, slot.session_id, slot.phone_id), (0, 0))
        slot.writes = slot.writes if slot.writes > saved else 0
        return slot

    def expire(self) -> None:
        """End expired slots and expired writing."""
        now = monotonic()
        self._saved = {at: saved for at, saved in self._saved.items() if saved[1] > now}
        for circle_id, slots in list(self._circles.items()):
            for key, slot in list(slots.items()):
                if slot.writes and slot.writes_until <= now:
                    slot.writes = 0
                    self.changed.add(circle_id)
                if slot.until <= now:
                    del slots[key]
                    self.changed.add(circle_id)
            if not slots:
                del self._circles[circle_id]

    def phones(self, circle_id: UUID, session_id: UUID) -> dict[UUID, int]:
        """Return the phones at a session, each with the deal that it writes, or 0."""
        here: dict[UUID, int] = {}
        now = monotonic()
        for slot in list(self._circles.get(circle_id, {}).values()):
            if slot.session_id == session_id and slot.until > now:
                writes = slot.writes if slot.writes_until > now else 0
                here[slot.phone_id] = max(writes, here.get(slot.phone_id, 0))
        return here

    @property
    def _process(self) -> str:
        """Name this process, which may have been forked after the table was made."""
        return f"{self._server}-{os.getpid()}"

    def _change(self, slots: Mapping[str, PresenceSlot]) -> None:
        self.changed.update(slot.circle_id for slot in slots.values())
        self._say(slots)

    def _say(self, slots: Mapping[str, PresenceSlot]) -> None:
        process = self._process
        lines = [f"{slot.circle_id} {process} {key} {slot.text()}" for key, slot in slots.items()]
        if lines:
            self._tell(lines)


class PresentPhone(NamedTuple):
    """A phone that is here, and the deal it writes, or 0."""

    holder: Holder
    writes: int

    @property
    def has_pen(self) -> bool:
        return self.holder.role.reaches(Role.SCOREKEEPER)

    @property
    def can_take_pen(self) -> bool:
        """Whether somebody with the pen may pass it to this phone."""
        return self.holder.role is Role.PLAYER


class PresenceList(NamedTuple):
    """Who is here, in the order in which the phones joined; ``known`` are all of the circle."""

    present: tuple[PresentPhone, ...]
    known: Mapping[UUID, Holder]

    @property
    def shown(self) -> tuple[PresentPhone, ...]:
        return self.present[:SHOWN]

    @property
    def more(self) -> int:
        return len(self.present) - len(self.shown)

    def text(self, phone_id: UUID) -> str:
        """Write who is here as an event for a phone (contract.md)."""
        data = {
            "role": self.known[phone_id].role if phone_id in self.known else None,
            "here": [
                {
                    "id": str(phone.phone_id),
                    "phone": phone.name.removeprefix(PHONE),
                    "player": phone.player,
                    "role": phone.role,
                    "writes": writes or None,
                }
                for phone, writes in self.shown
            ],
            "more": self.more,
        }
        return f"event: presence\ndata: {json.dumps(data)}\n\n"


def presence_list(
    table: PresenceTable,
    circle_id: UUID,
    session_id: UUID,
    also: UUID | None = None,
    next_number: int = 0,
) -> PresenceList:
    """List who is at a session, with ``also``, a phone that requests its page now.

    Nobody writes a deal before ``next_number``: it is saved, also where this process has not heard
    of it yet. A player with several phones is listed once, by the phone that may do most.
    """
    here = table.phones(circle_id, session_id)
    if also:
        here.setdefault(also, 0)
    phones = queries.circle.phones(circle_id) if here else ()
    known = {phone.phone_id: phone for phone in phones if phone.revoked_at is None}
    people: dict[str, PresentPhone] = {}
    for phone in (phone for key, phone in known.items() if key in here):
        writes, name = here[phone.phone_id], phone.player or phone.name
        other = people.get(name, PresentPhone(phone, 0))
        most = other.holder if other.holder.role.reaches(phone.role) else phone
        saved = writes < next_number
        people[name] = PresentPhone(most, max(0 if saved else writes, other.writes))
    return PresenceList(tuple(people.values()), known)


NOT_HERE = say("That phone is not here any more. The pen is passed to who has this page open.")
NO_PLAYER = say("That phone has the pen already, or only watches.")
NO_PEN = say("Only a phone with the pen may do that. An owner of the circle can hand it over.")
NOT_YOURS = say("Somebody else has given the pen since: an owner of the circle can hand it over.")


@transaction
def pass_pen(table: PresenceTable, session_id: UUID, phone_id: UUID, by: Holder) -> None:
    """Hand the pen to a player's phone that is at the session; a scorekeeper gives it up by that.

    Raise RefusedError if ``by`` has no pen, and InvalidError if the phone can't take it.
    """
    here = table.phones(by.circle_id, session_id)
    with lock_state(by.circle_id, session_id) as state:
        locked_circle(by.circle_id)
        giver, taker = member(by.circle_id, by.phone_id), member(by.circle_id, phone_id)
        if not giver.role.reaches(Role.SCOREKEEPER):
            raise RefusedError(NO_PEN)
        if taker.role is not Role.PLAYER:
            raise InvalidError.of("no-player", "phone", NO_PLAYER)
        if phone_id not in here:
            raise InvalidError.of("not-here", "phone", NOT_HERE)
        journal.change(Kind.ROLE_GIVEN, taker, by, role=Role.SCOREKEEPER)
        if giver.role is Role.SCOREKEEPER:
            journal.change(Kind.ROLE_GIVEN, giver, by, role=Role.PLAYER)
        journal.note(Kind.PEN_PASSED, state.row, by)
        state.row.version += 1


@transaction
def take_pen_back(session_id: UUID, phone_id: UUID, by: Holder) -> None:
    """Take the pen back from the phone that ``by`` passed it to.

    Raise RefusedError if that phone has no pen, or somebody else has given either a role since.
    """
    with lock_state(by.circle_id, session_id) as state:
        locked_circle(by.circle_id)
        giver, taker = member(by.circle_id, by.phone_id), member(by.circle_id, phone_id)
        owns, passed = giver.role is Role.OWNER, _role_given(taker, by)
        given_up = owns or _role_given(giver, by) == passed + 1
        if taker.role is not Role.SCOREKEEPER or not passed or not given_up:
            raise RefusedError(NOT_YOURS)
        journal.change(Kind.ROLE_GIVEN, taker, by, role=Role.PLAYER)
        if not owns:
            journal.change(Kind.ROLE_GIVEN, giver, by, role=Role.SCOREKEEPER)
        journal.note(Kind.PEN_TAKEN_BACK, state.row, by)
        state.row.version += 1


def _role_given(phone: Phone, by: Holder) -> int:
    """Return the serial of the entry by which a phone got its role, 0 if not from ``by``."""
    entries = queries.journal.entries_about(phone.circle_id, "phone", str(phone.phone_id))
    changes = [entry for entry in entries if "role" in (entry.after or {})]
    return changes[-1].serial if changes and changes[-1].phone_id == by.phone_id else 0
