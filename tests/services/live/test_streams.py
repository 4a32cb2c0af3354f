"""Streams of events: what is told of what was written, to whom, how many, and until when."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic, sleep
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask, current_app
from sqlalchemy.exc import OperationalError

from scorer.errors import BusyError, NotFoundError
from scorer.evening.acts import Dispute
from scorer.evening.session_acts import Cancel, End, PlayOn
from scorer.roles import Role
from scorer.services.album import notes
from scorer.services.album.notes import NewNote
from scorer.services.base.clock import now
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.live import events, presence, streams
from scorer.services.live.streams import COMMENT, Hub, Stream, StreamRequest, hub_of, stream_answer
from scorer.services.session import sessions
from scorer.services.session.writing import do
from scorer.storage import changes, db, in_transaction, models, queries
from tests.samples import RECORD
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, new_session, sheet, start

PATIENCE = 10.0


@pytest.fixture(autouse=True)
def hub(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """Give the app its streams; none is left open."""
    monkeypatch.setattr(changes, "PATIENCE", 0.05)
    app.config |= {"STREAMS_A_PHONE": 2, "STREAMS_A_WORKER": 3}
    streams.register(app)
    hub = hub_of(app)
    yield hub
    for stream in [one for some in list(hub._streams.values()) for one in some]:
        stream.close()
    if hub._thread.ident:
        hub._thread.join(PATIENCE)


def listen(evening: Evening, by: UUID | None = None, **other: Any) -> Listener:
    asked: dict[str, Any] = {"session_id": evening.session_id, **other}
    wanted = StreamRequest(evening.circle_id, by or evening.by.phone_id, **asked)
    return Listener(hub_of(current_app).open(wanted))


class Listener:
    """A phone that reads its stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream, self._texts = stream, iter(stream)

    def wait(self, beginning: str) -> str:
        """Wait for a text that begins so; fail where only heartbeats come."""
        until = monotonic() + 3 * PATIENCE
        for text in self._texts:
            if text.startswith(beginning):
                return text
            assert monotonic() < until, "nothing was told"
        raise AssertionError("the stream has ended")

    def next(self) -> dict[str, Any]:
        """Wait for the next event, and give its data; its id is the version."""
        text = self.wait("id: ")
        head, kind, data, *_ = text.split("\n")
        found: dict[str, Any] = json.loads(data.removeprefix("data: "))
        assert (head, kind) == (f"id: {found['version']}", "event: change")
        return found

    def met(self) -> dict[str, Any]:
        """Wait until who is here is told, and give that."""
        text = self.wait("event: presence\n")
        found: dict[str, Any] = json.loads(text.split("\n")[1].removeprefix("data: "))
        return found

    def said(self) -> tuple[str, int | None]:
        """Wait for the next event, and give its kind and the deal's number."""
        found = self.next()
        return found["kind"], found["number"]

    def rest(self) -> list[str]:
        """Give what comes until the stream ends."""
        return list(self._texts)


def called(points: int) -> Any:
    return sheet("Bea", "Ciro", points=points, called_card="KC")


def begin(evening: Evening) -> None:
    evening.start_deal({"caller": "Bea", "bid": 61, "called_card": "KC"})


def forget(evening: Evening) -> None:
    begun = queries.find(models.StartedDeal, *evening.keys)
    assert begun is not None
    do(*evening.keys, Cancel(key=begun.deal_id), by=evening.by)


def lay(evening: Evening, number: int) -> None:
    entry = TricksEntry(number, 0, {"tricks": RECORD["tricks"][:1]})
    write_tricks(evening.session_id, entry, evening.by)


def test_each_act_is_told_with_its_version_and_its_deal(evening: Evening) -> None:
    keys, by = evening.keys, evening.by
    note, deal_note = NewNote(uuid4(), None, "Late"), NewNote(uuid4(), 1, "He laughed")
    acts: list[tuple[Callable[[], object], str, int | None]] = [
        (lambda: evening.record(called(70)), "deal", 1),
        (lambda: evening.amend(1, called(72)), "amend", 1),
        (lambda: evening.void(1), "void", 1),
        (lambda: evening.restore(1), "restore", 1),
        (lambda: evening.do(1, Dispute, reason="70"), "review", 1),
        (lambda: begin(evening), "start", 2),
        (lambda: lay(evening, 2), "start", None),
        (lambda: forget(evening), "start", 2),
        (lambda: lay(evening, 1), "amend", 1),
        (lambda: evening.change(order=[1, 0, 2, 3, 4]), "seats", 2),
        (lambda: evening.change(1, rules="bastarda"), "rules", 1),
        (lambda: sessions.rename_session(*keys, "Saturday", by=by), "rules", None),
        (lambda: sessions.rename_session(*keys, "Saturday", by=by), "rules", None),
        (lambda: notes.add_note(*keys, deal_note, by=by), "note", 1),
        (lambda: notes.add_note(*keys, note, by=by), "note", None),
        (lambda: notes.take_back(*keys, deal_note.key, by=by), "note", 1),
        (lambda: do(*keys, End(), by=by), "end", None),
        (lambda: do(*keys, PlayOn(), by=by), "start", None),
    ]
    phone = listen(evening)

    for act, kind, number in acts:
        act()
        version = events.session_mark(*keys).version
        assert phone.next() == {"version": version, "kind": kind, "number": number}


def test_session_is_told_of_itself_and_a_circle_of_all_its_sessions(evening: Evening) -> None:
    phone, of_all, other = listen(evening), listen(evening, session_id=None), start()

    other.record()
    new = new_session(circle_id=evening.circle_id)
    beside = str(sessions.start_session(new, evening.by).session_id)
    assert of_all.next() == {"version": 1, "kind": "start", "number": None, "session": beside}
    evening.record()

    deal = {"version": 2, "kind": "deal", "number": 1}
    assert of_all.next() == deal | {"session": str(evening.session_id)}
    assert phone.next() == deal


def test_several_versions_are_told_each_in_order_and_what_is_written_meanwhile_is_not(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = events.session_mark(*evening.keys)
    evening.record()
    begin(evening)
    evening.record()
    do(*evening.keys, End(), by=evening.by)
    mark, chained = events.session_mark(*evening.keys), queries.live.chained_since
    late = [lambda: evening.amend(2, called(72))]

    def read(*asked: Any) -> Any:
        while late:
            late.pop()()
        return chained(*asked)

    monkeypatch.setattr(queries.live, "chained_since", read)
    told = events.events_between(evening.circle_id, before, mark)

    assert [(one.version, one.kind, one.number) for one in told] == [
        *((2, "deal", 1), (3, "start", 2), (4, "deal", 2), (5, "end", None)),
    ]


def test_phone_that_is_sent_away_is_told_and_hears_no_more(evening: Evening) -> None:
    bea = evening.let_in()
    stay, away = listen(evening), listen(evening, by=bea.phone_id)

    circles.send_away(evening.circle_id, bea.phone_id, by=evening.by)
    assert away.said() == ("gone", None)
    evening.record()

    assert away.rest() == []
    assert stay.said() == ("deal", 1)


def test_phone_that_was_sent_away_while_its_stream_was_opened_hears_no_more(
    evening: Evening,
) -> None:
    bea = evening.let_in()
    circles.send_away(evening.circle_id, bea.phone_id, by=evening.by)

    with current_app.test_request_context():
        answer = stream_answer(evening.circle_id, bea.phone_id, evening.session_id)
    _, gone = [*answer.iter_encoded()]

    assert b'"kind": "gone"' in gone


def test_stream_ends_with_its_circle_and_when_its_link_runs_out(evening: Evening) -> None:
    of_circle = listen(evening, session_id=None)
    phone = listen(evening, until=now() + timedelta(seconds=0.1))
    assert (phone.said(), phone.rest()) == (("gone", None), [])

    in_transaction(lambda: queries.circle.drop_circle(evening.circle_id))

    gone = {"version": 1, "kind": "gone", "number": None, "session": None}
    assert (of_circle.next(), of_circle.rest()) == (gone, [])


def test_phone_and_process_hold_so_many_streams(evening: Evening, hub: Hub) -> None:
    with pytest.raises(NotFoundError):
        listen(evening, session_id=uuid4())
    assert hub._streams == {}
    first, second, _ = (listen(evening) for _ in range(3))
    listen(evening, by=uuid4())
    with pytest.raises(BusyError):
        listen(evening, by=uuid4())
    assert first.rest() == [COMMENT]

    second.stream.close()
    second.stream.close()
    listen(evening, by=uuid4())
    with pytest.raises(BusyError):
        listen(evening, by=uuid4())


#: The addresses of streams that ask one after the other, at most three in a worker; then the places
#: of those that were refused, or ended for another.
SHARES = [
    pytest.param("aaab", [], [2], id="stranger at one address"),
    pytest.param("aaaba", [4], [2], id="who yielded comes back"),
    pytest.param("aaabb", [4], [2], id="share is taken"),
    pytest.param("aaabc", [], [1, 2], id="another address"),
    pytest.param("aaaa", [3], [], id="one address"),
    pytest.param("abcd", [3], [], id="many addresses"),
    pytest.param(
        ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::", "2001:db8:1::"], [], [2],
        id="half of an IPv6 address",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "refused", "ended"), SHARES)
def test_full_worker_shares_its_streams_among_addresses(
    evening: Evening, asked: Sequence[str], refused: list[int], ended: list[int]
) -> None:
    opened: dict[int, Listener] = {}
    busy = []
    for place, address in enumerate(asked):
        try:
            opened[place] = listen(evening, evening.let_in().phone_id, address=address)
        except BusyError:
            busy.append(place)

    over = [place for place, phone in opened.items() if phone.stream._ended]
    assert (busy, over) == (refused, ended)
    assert all(opened[place].rest() == [COMMENT] for place in over)


@pytest.mark.parametrize(
    ("beats", "every", "beat"), [(False, "HEARTBEAT", COMMENT), (True, "BEAT", streams.HEARD_BEAT)]
)
def test_stream_that_waits_says_that_it_is_there_to_a_page_as_heartbeats(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, *, beats: bool, every: str, beat: str
) -> None:
    monkeypatch.setattr(streams, every, 0.01)
    texts = iter(listen(evening, beats=beats).stream)

    assert [next(texts) for _ in range(3)] == [COMMENT, beat, beat]


def test_thread_ends_with_the_last_stream_and_streams_with_the_process(
    evening: Evening, hub: Hub
) -> None:
    listen(evening).stream.close()
    hub._thread.join(PATIENCE)
    assert not hub._thread.is_alive()

    phone = listen(evening)
    evening.record()
    assert phone.said() == ("deal", 1)

    hub.end_all()
    assert {*phone.rest()} <= {COMMENT}


@BOTH_ENGINES
def test_change_is_heard_of_after_the_connection_was_lost(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "AGAIN", 0.01)
    connections, connected = [], changes._connected

    @contextmanager
    def kept(engine: Any) -> Any:
        with connected(engine) as connection:
            connections.append(connection)
            yield connection

    monkeypatch.setattr(changes, "_connected", kept)
    phone = listen(evening)
    evening.record()
    assert phone.said() == ("deal", 1)

    connections[0].close()
    evening.void(1)

    assert phone.said() == ("void", 1)


def fail_once(monkeypatch: pytest.MonkeyPatch, room: Any, name: str) -> list[OperationalError]:
    """Let a question fail the next time; give the failures to come."""
    failures, question = [OperationalError("", {}, Exception("away"))], getattr(room, name)

    def failing(*asked: Any) -> Any:
        if failures:
            raise failures.pop()
        return question(*asked)

    monkeypatch.setattr(room, name, failing)
    return failures


@BOTH_ENGINES  # on SQLite a second sign of the write comes
def test_change_that_cannot_be_read_is_read_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = listen(evening)
    evening.record()
    assert phone.said() == ("deal", 1)
    second = evening.entry(sheet())
    failures = fail_once(monkeypatch, queries.live, "marks_of")
    deals.record_deal(evening.session_id, second, evening.by)

    assert phone.said() == ("deal", 2)
    assert failures == []


def test_phone_that_reads_nothing_has_the_newest_hundred_events_waiting(evening: Evening) -> None:
    stream = listen(evening).stream
    for version in range(150):
        stream.tell(events.Event(evening.session_id, version, "deal", version))
    stream.end()

    texts = [text for text in stream if text != COMMENT]

    assert len(texts) == 100
    assert "id: 149\n" in texts[-1]


def test_waiting_asks_the_database_nothing_and_holds_no_connection(evening: Evening) -> None:
    phone = listen(evening)
    db.session.close()

    until = monotonic() + PATIENCE
    while db.engine.pool.checkedout() and monotonic() < until:  # type: ignore[attr-defined]  # has
        sleep(0.01)
    evening.record()
    assert phone.said() == ("deal", 1)


def test_what_is_rolled_back_is_told_to_nobody(evening: Evening) -> None:
    def nothing() -> None:
        changes.touch(evening.circle_id)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_transaction(nothing)

    assert "scorer.touched" not in db.session.info


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PRESENCE_INTERVAL", 0.05)
    monkeypatch.setattr(presence, "GRACE", 0.2)


def writing(met: dict[str, Any]) -> list[tuple[str, str, int | None]]:
    return [(one["phone"], one["role"], one["writes"]) for one in met["here"]]


@pytest.mark.usefixtures("_soon")
def test_who_comes_writes_and_goes_is_told_to_who_wants_to_hear(evening: Evening) -> None:
    bea = evening.let_in()
    ada = listen(evening, writes=0, meets=True)
    me = {"id": str(evening.by.phone_id), "phone": "1", "player": None, "role": "owner"}
    assert ada.met() == {"role": "owner", "here": [me | {"writes": None}], "more": 0}

    second = listen(evening, by=bea.phone_id, writes=3)
    assert writing(ada.met()) == [("1", "owner", None), ("2", "player", 3)]
    circles.give_role(evening.circle_id, bea.phone_id, Role.SCOREKEEPER)
    assert writing(ada.met())[1] == ("2", "scorekeeper", 3)
    second.stream.close()
    assert writing(ada.met())[1] == ("2", "scorekeeper", None)
    assert writing(ada.met()) == [("1", "owner", None)]

    evening.record()
    second.stream.end()
    assert [text[:5] for text in second.rest()] == [COMMENT[:5]]


@pytest.mark.usefixtures("_soon")
def test_presence_that_cannot_be_read_is_told_later(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = fail_once(monkeypatch, queries.circle, "phones")
    phone = listen(evening, writes=0, meets=True)

    assert len(phone.met()["here"]) == 1
    assert failures == []


@pytest.mark.usefixtures("_soon")
def test_writing_that_ran_out_is_told(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "WRITES", 0.3)
    phone = listen(evening, writes=8, meets=True)

    assert [phone.met()["here"][0]["writes"] for _ in range(2)] == [8, None]
