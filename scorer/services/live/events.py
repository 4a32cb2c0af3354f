"""The events of a session, made from its rows (contract.md)."""

import json
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from scorer.errors import existing
from scorer.evening.acts import DEAL_ACTS, Amend
from scorer.evening.session_acts import SESSION_ACTS, Change, Start
from scorer.services.base.journal import Kind
from scorer.storage import queries
from scorer.storage.models import JournalEntry
from scorer.storage.queries.base import Mark
from scorer.storage.queries.live import Chained

#: Events that one look gives at most of a session; what is older is in the page anyway.
MOST = 100
#: What the chain has beside the acts on deals, which each say of what kind their event is.
CARDS = "cards"
CHAINED = {act.name: act.event for act in DEAL_ACTS.values()}
NOTE, GONE = "note", "gone"
#: The title is what a session is agreed on under, as its rules are.
JOURNALED = {Kind(act.noted): act.event for act in SESSION_ACTS.values() if act.noted} | {
    Kind.SESSION_STARTED: Start.event,
    Kind.BROUGHT_IN: Start.event,
    Kind.RENAMED: Change.event,
    Kind.PEN_PASSED: "pen",
    Kind.PEN_TAKEN_BACK: "reclaim",
    Kind.NOTE_ADDED: NOTE,
    Kind.NOTE_TAKEN_BACK: NOTE,
    Kind.PHOTO_ADDED: NOTE,
    Kind.PHOTO_TAKEN_BACK: NOTE,
}


class Event(NamedTuple):
    """A change of a session, the version after it, and who wrote it if known.

    ``number`` is that of a deal, if any, ``phone`` the name of the phone.
    """

    session_id: UUID | None
    version: int
    kind: str
    number: int | None = None
    player: str | None = None
    phone: str | None = None

    def data(self) -> dict[str, object]:
        """Return the event's data as contract.md has it."""
        return {"version": self.version, "kind": self.kind, "number": self.number}

    def text(self, *, of_circle: bool, by: object = None) -> str:
        data = self.data()
        if of_circle:
            data["session"] = self.session_id and str(self.session_id)
        if by is not None:
            data["by"] = by
        return f"id: {self.version}\nevent: change\ndata: {json.dumps(data)}\n\n"


class _Act(NamedTuple):
    """An act, as the event of a version to come; acts on cards may be part of recording a deal."""

    at: datetime
    event: Event
    minor: bool


def circle_version(circle_id: UUID) -> int:
    """Count what was written in a circle, its journal and its sessions."""
    return queries.live.circle_version(circle_id)


def session_mark(circle_id: UUID, session_id: UUID) -> Mark:
    """Read how far a session and its circle's journal are; raise NotFoundError."""
    marks = queries.live.marks_of([circle_id], [session_id])[circle_id]
    return existing(next(iter(marks), None))


def events_between(circle_id: UUID, before: Mark, now: Mark) -> list[Event]:
    """Read what was written in a session between two marks, oldest first.

    There are at most as many events as versions, and the last one has the version of ``now``.
    """
    chained = queries.live.chained_since(circle_id, now.session_id, before.written)
    entries = queries.live.session_entries(circle_id, now.session_id, before.journaled, limit=MOST)
    versions = min(now.version - before.version, MOST)
    return _numbered(_acts(circle_id, now, chained, entries), now, versions)


def latest(circle_id: UUID, now: Mark) -> Event:
    """Return the newest event of a session."""
    chained = queries.live.chained_since(circle_id, now.session_id, now.written - 1)
    entries = queries.live.session_entries(circle_id, now.session_id, limit=1)
    return _numbered(_acts(circle_id, now, chained, entries), now, 1)[-1]


def _acts(
    circle_id: UUID, now: Mark, chained: list[Chained], entries: list[JournalEntry]
) -> list[_Act]:
    """List the acts up to the mark, in order, without rows that other acts caused."""
    acts, phones = list[_Act](), queries.circle.phone_names(circle_id)

    def add(row: Chained | JournalEntry, kind: str, number: int | None, *, minor: bool) -> None:
        phone = phones.get(row.phone_id) if row.phone_id else None
        event = Event(now.session_id, 0, kind, number, row.written_by, phone)
        acts.append(_Act(row.at, event, minor))

    for row in chained:
        if row.serial <= now.written and row.because is None:
            kind = CHAINED.get(row.what, row.what)
            if row.what == CARDS:  # they amend a recorded deal, or belong to one under way
                kind = Start.event if row.number is None else Amend.event
            add(row, kind, row.number, minor=row.what == CARDS)
    for entry in entries:
        journaled = JOURNALED.get(Kind(entry.kind))
        if journaled and entry.serial <= now.journaled:
            add(entry, journaled, (entry.after or entry.before or {}).get("number"), minor=False)
    return sorted(acts, key=lambda act: act.at)


def _numbered(acts: list[_Act], now: Mark, versions: int) -> list[Event]:
    """Pair the last acts with the last versions; cards that came with a deal have none."""
    if len(acts) > versions:
        acts = [act for act in acts if not act.minor] or acts
    if not acts:  # set to what it was
        return [Event(now.session_id, now.version, Change.event)]
    last = acts[-versions:]
    numbered = enumerate(last, now.version - len(last) + 1)
    return [act.event._replace(version=version) for version, act in numbered]
