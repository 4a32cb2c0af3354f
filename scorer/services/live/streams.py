"""Streams of server-sent events, and the one thread of a process that feeds them.

A waiting stream makes no queries. The thread lives as long as there are streams; `storage.changes`
tells it which circles have changed, and it reads the changes once for all streams.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from itertools import chain
from math import inf
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

from flask import Flask, Response, current_app, request
from sqlalchemy.exc import SQLAlchemyError

from scorer.errors import BusyError
from scorer.services.base.clock import now
from scorer.services.base.throttle import neighbourhood
from scorer.services.live.events import GONE, Event, events_between, latest, session_mark
from scorer.services.live.presence import PresenceList, PresenceTable, presence_list
from scorer.storage import changes, db, queries
from scorer.storage.queries.base import Mark

#: Seconds between two heartbeats of a stream.
HEARTBEAT = 15.0
#: The same, of a page that tells a person within three seconds when it hears none.
BEAT = 1.0
#: Events that wait for a phone which reads none; older ones are dropped.
WAITING = 100
#: Seconds between two messages of who is here.
PRESENCE_INTERVAL = 1.0
#: Retry-After in seconds, where there are too many streams.
LATER = 30
COMMENT = ":\n\n"
#: A heartbeat that a script hears.
HEARD_BEAT = "event: beat\ndata: 0\n\n"
#: The line of a process that has just begun; the others answer with heartbeats.
WHO_IS_HERE = "who is here"
#: What an answer that is a stream carries: no proxy may keep it back.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
MIMETYPE = "text/event-stream"
#: Where the server finds the stream of an answer, to end it with the connection.
STREAM = "scorer.stream"
_EXTENSION = "scorer.streams"

log = logging.getLogger(__name__)


class StreamRequest(NamedTuple):
    """A request for a stream of events.

    ``session_id`` None means all sessions of the circle, ``by`` is the key of a phone or a link,
    ``until`` when that expires, ``after`` the version that it has seen. ``writes`` is the deal that
    a phone is writing, 0 if it only looks, None if the stream does not count as presence; ``meets``
    says whether it wants presence, ``beats`` whether it listens to heartbeats. ``address`` is the
    sender's. ``sign`` says who wrote, by the names of the player and the phone.
    """

    circle_id: UUID
    by: UUID
    session_id: UUID | None = None
    after: int | None = None
    until: datetime | None = None
    writes: int | None = None
    meets: bool = False
    beats: bool = False
    address: str = ""
    sign: Callable[[str | None, str | None], object] | None = None

    @property
    def network(self) -> str:
        return neighbourhood(self.address)


class Stream:
    """The events that one phone waits for; iterating gives them as text until it ends."""

    def __init__(self, hub: Hub, request: StreamRequest) -> None:
        self.request = request
        self.seen: dict[UUID, Mark] = {}
        self.met = ""
        self._hub = hub
        self._slot = ""
        self._waiting: deque[str] = deque(maxlen=WAITING)
        self._ready, self._ended = Flag(), False

    def enter(self, table: PresenceTable) -> None:
        request, session_id = self.request, self.request.session_id
        if session_id and request.writes is not None:
            self._slot = table.enter((request.circle_id, session_id, request.by), request.writes)

    def leave(self, table: PresenceTable) -> None:
        if self._slot:
            table.leave(self._slot)

    def tell(self, event: Event) -> None:
        request = self.request
        by = request.sign(event.player, event.phone) if request.sign else None
        self._send(event.text(of_circle=request.session_id is None, by=by))

    def meet(self, present: str) -> None:
        """Queue who is here, if that has changed since it was sent last."""
        if present != self.met:
            self.met = present
            self._send(present)

    def _send(self, text: str) -> None:
        if not self._ended:
            self._waiting.append(text)
            self._ready.set()

    def end(self) -> None:
        """Send the waiting events, then end."""
        self._ended = True
        self._ready.set()

    def send_away(self) -> None:
        """Send the event ``gone`` of a removed phone or link, and end."""
        version = max((mark.version for mark in self.seen.values()), default=0)
        self.tell(Event(self.request.session_id, version, GONE))
        self.end()

    def close(self) -> None:
        """Take the stream out of the hub, as WSGI servers do at the end of an answer."""
        self._hub.close(self)

    def __iter__(self) -> Iterator[str]:
        """Wait for events; send heartbeats, so that a lost connection is noticed."""
        pause, beat = (BEAT, HEARD_BEAT) if self.request.beats else (HEARTBEAT, COMMENT)
        yield COMMENT
        while True:
            is_ready = self._ready.wait(min(pause, max(0.0, self._left())))
            self._ready.clear()
            if self._left() <= 0:
                self.send_away()
            if not is_ready and not self._waiting:
                yield beat
            while self._waiting:
                yield self._waiting.popleft()
            if self._ended:
                return

    def _left(self) -> float:
        until = self.request.until
        return (until - now()).total_seconds() if until else inf


class Hub:
    """The streams of one process."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._streams: dict[UUID, list[Stream]] = {}
        self._lock = Lock()
        self._serving = self._watching = False
        self._thread = Thread()
        self._unread: set[UUID] = set()
        self.presence = PresenceTable(self._tell)
        self._heartbeat = self._meeting = 0.0

    def open(self, request: StreamRequest) -> Stream:
        """Begin a stream; raise NotFoundError, BusyError."""
        db.session.close()  # whoever waits for the lock holds no connection
        stream, circle_id = Stream(self, request), request.circle_id
        with self._lock:
            self._make_room(request)
            marks = (
                queries.live.marks([circle_id])[circle_id]
                if request.session_id is None
                else [session_mark(circle_id, request.session_id)]
            )
            stream.seen = {mark.session_id: mark for mark in marks}
            for event in _missed(stream):
                stream.tell(event)
            db.session.close()
            stream.enter(self.presence)
            self._streams.setdefault(circle_id, []).append(stream)
            self._watch_on()
        return stream

    def serve(self) -> None:
        """Listen to other processes as long as this one lives, even without streams."""
        with self._lock:
            self._serving = True
            self._watch_on()

    def _watch_on(self) -> None:
        if not self._watching:
            self._watching = True
            self._thread = Thread(target=self._watch, name="changes", daemon=True)
            self._thread.start()

    def _make_room(self, request: StreamRequest) -> None:
        """End the phone's oldest stream where it has too many: its connection may be lost.

        A full worker ends a stream of another address, or refuses this one.
        """
        config, here = self._app.config, self._streams.get(request.circle_id, [])
        own = [stream for stream in here if stream.request.by == request.by]
        if len(own) >= config["STREAMS_A_PHONE"]:
            self._end(own[0])
        most = config.get("STREAMS_A_CIRCLE")
        if most is not None and len(here) >= most:
            raise BusyError(LATER)
        if sum(map(len, self._streams.values())) >= config["STREAMS_A_WORKER"]:
            self._end(self._one_too_many(request.network))

    def _one_too_many(self, network: str) -> Stream:
        """Find a stream of the address with the most, which a full worker ends for a new one.

        Raise BusyError if the address of the new one would then have more.
        """
        streams = list(chain.from_iterable(self._streams.values()))
        held = Counter(stream.request.network for stream in streams)
        (there, most), *_ = held.most_common(1) or [("", 0)]
        if most <= held[network] + 1:
            raise BusyError(LATER)
        return next(stream for stream in reversed(streams) if stream.request.network == there)

    def close(self, stream: Stream) -> None:
        """Remove a stream, unless it is already removed."""
        with self._lock:
            self._forget(stream)

    def _end(self, stream: Stream) -> None:
        stream.end()
        self._forget(stream)

    def _forget(self, stream: Stream) -> None:
        circle_id = stream.request.circle_id
        streams = self._streams.get(circle_id, [])
        if stream in streams:
            streams.remove(stream)
            stream.leave(self.presence)
        if not streams:
            self._streams.pop(circle_id, None)

    def end_all(self) -> None:
        """End every stream: the process is about to stop."""
        for stream in chain.from_iterable(list(self._streams.values())):
            stream.end()

    def _tell(self, lines: list[str]) -> None:
        """Send the other processes who is here; the next heartbeat repeats a lost message."""
        try:
            with self._app.app_context():
                changes.tell(db.engine, lines)
        except SQLAlchemyError as error:
            log.warning("Who is here cannot be told for now: %s", error)

    def _watch(self) -> None:
        with self._app.app_context(), closing(changes.watch(db.engine)) as heard:
            self._hear(next(heard))
            self._tell([WHO_IS_HERE])
            for lines in heard:
                with self._lock:
                    self._watching = self._serving or bool(self._streams)
                    if not self._watching:
                        return
                self._hear(lines)
                self._meet()

    def _hear(self, lines: Sequence[str]) -> None:
        """Read who is where, and send changes to the streams of the circles that have changed."""
        written, self._unread = self._unread, set()
        for line in lines:
            circle, _, text = line.partition(" ")
            if line == WHO_IS_HERE:
                self._heartbeat = 0.0
            elif line == changes.ANYWHERE:
                written.update(self._streams)
            elif text:
                self.presence.hear(UUID(circle), text)
            else:
                written.add(UUID(circle))
        if written:
            self._read(written)

    def _read(self, written: set[UUID]) -> None:
        try:
            with self._lock:
                circles = {key: self._streams[key] for key in written if key in self._streams}
                marks = _marks(circles)
                for circle_id in circles:
                    self._tell_of(circle_id, marks.get(circle_id, []))
        except SQLAlchemyError as error:
            log.warning("A change cannot be read for now: %s", error)
            self._unread |= written
        finally:
            db.session.close()

    def _tell_of(self, circle_id: UUID, marks: Sequence[Mark]) -> None:
        """Send the streams of a circle the events that they have not seen."""
        read: dict[tuple[Mark, Mark], list[Event]] = {}
        streams, journal = list(self._streams[circle_id]), {mark.journal for mark in marks}
        inside = {stream.request.by for stream in streams}
        if not marks or any(
            {mark.journal for mark in stream.seen.values()} != journal for stream in streams
        ):
            self.presence.changed.add(circle_id)
            inside = set(queries.live.still_inside(circle_id, inside))
        for stream in streams:
            for event in _new_to(stream, marks, read):
                stream.tell(event)
            if stream.request.by not in inside:
                stream.send_away()

    def _meet(self) -> None:
        """Send heartbeats and, at most once a second, who is here if that has changed."""
        now = monotonic()
        if now >= self._heartbeat:
            self._heartbeat = now + HEARTBEAT
            self.presence.keep()
        if now < self._meeting:
            return
        self._meeting = now + PRESENCE_INTERVAL
        self.presence.expire()
        changed = self.presence.changed & self._streams.keys()
        self.presence.changed.clear()
        try:
            for circle_id in changed:
                self._tell_presence(circle_id)
        except SQLAlchemyError as error:
            log.warning("Who is here cannot be told for now: %s", error)
            self.presence.changed |= changed
        finally:
            db.session.close()

    def _tell_presence(self, circle_id: UUID) -> None:
        lists: dict[UUID, PresenceList] = {}
        for stream in list(self._streams.get(circle_id, ())):
            if stream.request.meets:
                (session_id,) = stream.seen
                if session_id not in lists:
                    lists[session_id] = presence_list(self.presence, circle_id, session_id)
                stream.meet(lists[session_id].text(stream.request.by))


def _marks(circles: Mapping[UUID, Sequence[Stream]]) -> dict[UUID, list[Mark]]:
    """Read the marks of the sessions that streams of circles wait for, by one or two statements."""
    asked = {key: {stream.request.session_id for stream in circles[key]} for key in circles}
    whole = [key for key, session_ids in asked.items() if None in session_ids]
    others = asked.keys() - whole
    marks = queries.live.marks(whole) if whole else {}
    if others:
        session_ids = {each for key in others for each in asked[key] if each}
        marks |= queries.live.marks_of(others, session_ids)
    return marks


def _new_to(
    stream: Stream, marks: Sequence[Mark], read: dict[tuple[Mark, Mark], list[Event]]
) -> Iterator[Event]:
    """Yield the events new to a stream and note them as seen; ``read`` is shared by all."""
    for mark in marks:
        session_id = mark.session_id
        if stream.request.session_id not in {None, session_id}:
            continue
        before = stream.seen.get(session_id) or Mark(session_id)
        if mark.version > before.version:
            if (before, mark) not in read:
                read[before, mark] = events_between(stream.request.circle_id, before, mark)
            yield from read[before, mark]
        stream.seen[session_id] = mark


def _missed(stream: Stream) -> Iterator[Event]:
    """Yield the newest event of each session that is ahead of what the phone has seen.

    The version of a circle doesn't say which session changed: all open ones count.
    """
    after, circle_id = stream.request.after, stream.request.circle_id
    if after is None:
        return
    for mark in stream.seen.values():
        behind = mark.version > after if stream.request.session_id else mark.ended_at is None
        if behind:
            yield latest(circle_id, mark)


def register(app: Flask) -> None:
    app.extensions[_EXTENSION] = Hub(app)


def stream_answer(
    circle_id: UUID, by: UUID, session_id: UUID | None = None, **more: Any
) -> Response:
    """Answer a request of a page or a program with a stream of events.

    ``more`` are other values of a `StreamRequest`. Raise NotFoundError, BusyError.
    """
    if request.method == "HEAD":
        return Response(mimetype=MIMETYPE, headers=HEADERS)
    after = request.args.get("after", type=int)
    after = request.headers.get("Last-Event-ID", after, type=int)
    wanted = StreamRequest(
        circle_id, by, session_id, after, address=request.remote_addr or "", **more
    )
    stream = request.environ[STREAM] = hub_of(current_app).open(wanted)
    if by not in queries.live.still_inside(circle_id, {by}):  # sent away since it was let in
        stream.send_away()
    db.session.close()
    return Response(stream, mimetype=MIMETYPE, headers=HEADERS)


def hub_of(app: Flask) -> Hub:
    hub: Hub = app.extensions[_EXTENSION]
    return hub
