"""Streams of events from a real server: what is heard, how soon, and when they end."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen
from uuid import UUID, uuid4

import pytest

from bench.browsers import PATIENCE, Browser, Listener, believe_phones
from bench.phones import Phone, in_one_session
from scorer.roles import Role
from scorer.services.circle import circles, programs
from scorer.services.live.presence import GRACE
from scorer.settings import SETTINGS
from tests.databases import postgres_database
from tests.server.conftest import WORKERS
from tests.services.evenings import FIVE
from tests.serving import running
from tests.storage.conftest import opened
from tests.web.pages import Page

#: Seconds, on a machine that is busy with other tests: who hears of nothing is told so after 15.
SOON = 5.0
EACH = int(str(SETTINGS["STREAMS_A_PHONE"].default))
BY = {"player": None, "phone": "Phone 1", "program": None}
RECORDED = {"version": 2, "kind": "deal", "number": 1, "by": BY}


@pytest.fixture
def phones(site: str) -> list[Phone]:
    return in_one_session(site, 2)


@pytest.fixture
def heard(phones: list[Phone]) -> Iterator[Listener]:
    """Listen on the second phone."""
    with Listener(phones[1].browser) as listener:
        assert listener.answer.status == 200
        assert listener.answer.headers["Content-Type"].startswith("text/event-stream")
        assert listener.answer.headers["X-Accel-Buffering"] == "no"
        yield listener


def test_other_phone_hears_of_a_deal_at_once(phones: list[Phone], heard: Listener) -> None:
    began = time.monotonic()
    phones[0].record(70)

    assert heard.next() == RECORDED
    assert time.monotonic() - began < SOON


def test_who_comes_back_hears_at_once_what_was_missed(phones: list[Phone]) -> None:
    phones[0].record(70)

    with Listener(phones[1].browser, **{"Last-Event-ID": "1"}) as listener:
        assert listener.next() == RECORDED


def test_phone_that_is_sent_away_hears_it_and_its_stream_ends(
    phones: list[Phone], heard: Listener
) -> None:
    owner = phones[0].browser
    phones_page = f"{owner.url.partition('sessions')[0]}phones"
    forms = [form for form in Page(owner.go(phones_page)).forms if form.action.endswith("/away")]
    owner.go(forms[-1].action, forms[-1].sends())
    began = time.monotonic()

    event = heard.next()
    assert event is not None
    assert event["kind"] == "gone"
    assert heard.next() is None
    assert time.monotonic() - began < SOON
    with Listener(phones[1].browser) as again:
        assert again.answer.status == 404


@pytest.mark.parametrize(
    ("by_key", "of_circle"),
    [pytest.param(True, True, id="key of a circle"), pytest.param(False, False, id="link")],
)
def test_stream_of_a_program_ends_at_once_with_its_right(
    site: str, phones: list[Phone], database_url: str, *, by_key: bool, of_circle: bool
) -> None:
    _, _, circle, _, session, _ = phones[0].browser.url.split("/")
    circle_id, key_id = UUID(circle), uuid4()
    with opened(database_url):
        secret = circles.new_secret()
        if by_key:
            new = programs.NewKey(key_id, f"Bot {key_id}", Role.PLAYER, None)
            programs.make_key(circle_id, new, secret, by=None)
        else:
            secret = circles.make_link(circle_id, f"Bot {key_id}", Role.PLAYER)
    where = f"{site}/api/v1/circles/{circle}"
    bearer = {"Authorization": f"Bearer {secret}"}
    events = f"{where}/events" if of_circle else f"{where}/sessions/{session}/events"
    with urlopen(Request(events, headers=bearer), timeout=PATIENCE) as stream:
        assert stream.readline() == b":\n"
        if not by_key:  # its phone joins after the stream was opened
            note = {"key": str(uuid4()), "text": "Hello"}
            notes, body = f"{where}/sessions/{session}/notes", json.dumps(note).encode()
            urlopen(Request(notes, body, bearer)).close()
        with opened(database_url):
            if by_key:
                programs.revoke_key(circle_id, key_id, by=None)
            else:
                program = programs.find_program(secret)
                assert program
                circles.send_away(circle_id, program.by.phone_id)
        began = time.monotonic()
        rest = stream.read()

    assert time.monotonic() - began < SOON
    assert b'"kind": "gone"' in rest.splitlines()[-2]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_program_hears_who_wrote_by_which_phone_or_key(
    site: str, phones: list[Phone], database_url: str, role: Role
) -> None:
    _, _, circle, _, session, _ = phones[0].browser.url.split("/")
    with opened(database_url):
        listening, writing = circles.new_secret(), circles.new_secret()
        for name, secret, can in (("ear", listening, role), ("pen", writing, Role.SCOREKEEPER)):
            new = programs.NewKey(uuid4(), name, can, None)
            programs.make_key(UUID(circle), new, secret, by=None)
    where = f"{site}/api/v1/circles/{circle}/sessions/{session}"
    events = Request(f"{where}/events", headers={"Authorization": f"Bearer {listening}"})
    heard: list[dict[str, Any]] = []
    with urlopen(events, timeout=PATIENCE) as stream:
        assert stream.readline() == b":\n"
        phones[0].record(70)
        retitled = Request(f"{where}/title", b'{"title": "Bots"}', method="PUT")
        retitled.add_header("Authorization", f"Bearer {writing}")
        while len(heard) < 2:
            line = stream.readline()
            if line.startswith(b"data: "):
                heard.append(json.loads(line.removeprefix(b"data: ")))
                if len(heard) == 1:
                    urlopen(retitled).close()

    phone = "Phone 1" if role is Role.PLAYER else None
    assert [event["kind"] for event in heard] == ["deal", "rules"]
    assert [event["by"] for event in heard] == [
        {"player": None, "phone": phone, "program": None},
        {"player": None, "phone": None, "program": "pen"},
    ]


def test_phone_that_opens_too_many_streams_loses_the_oldest(phones: list[Phone]) -> None:
    with ExitStack() as opened:
        most = WORKERS * EACH
        listeners = [opened.enter_context(Listener(phones[1].browser)) for _ in range(most + 1)]

        assert {listener.answer.status for listener in listeners} == {200}
        phones[0].record(70)
        ended = [listener.next() for listener in listeners].count(None)
        assert 0 < ended <= most + 1 - EACH


def test_who_is_here_is_told_by_every_worker(phones: list[Phone]) -> None:
    with ExitStack() as opened:
        looking = [opened.enter_context(Listener(phones[0].browser)) for _ in range(EACH)]
        opened.enter_context(Listener(phones[1].browser))
        for listener in looking:
            met = listener.next("presence")
            while met and len(met["here"]) < 2:
                met = listener.next("presence")
            assert met is not None
            assert [person["phone"] for person in met["here"]] == ["1", "2"]


@pytest.mark.slow
def test_phones_on_two_servers_of_one_postgresql_see_each_other(
    tmp_path: Path, postgres_server: str
) -> None:
    believe_phones(tmp_path)
    with ExitStack() as opened:
        url = opened.enter_context(postgres_database(postgres_server))
        first = opened.enter_context(running(tmp_path, database_url=url))
        second = opened.enter_context(running(tmp_path, database_url=url))
        phones = in_one_session(first.url, 8)
        for phone in phones[5:]:
            phone.browser.site = second.url
        *listeners, _ = [
            opened.enter_context(Listener(phone.browser, writes="1" if phone is phones[7] else ""))
            for phone in phones
        ]

        for listener in listeners:
            while (met := listener.next("presence")) and len(met["here"]) < len(phones):
                pass
            assert met is not None
            assert [person["writes"] for person in met["here"]] == [None] * 7 + [1]


def test_phone_whose_page_is_closed_is_gone_soon(phones: list[Phone]) -> None:
    with Listener(phones[0].browser) as looking:
        with Listener(phones[1].browser):
            while (met := looking.next("presence")) and len(met["here"]) < 2:
                pass
        began = time.monotonic()
        while (met := looking.next("presence")) and len(met["here"]) > 1:
            pass

    assert met is not None
    assert time.monotonic() - began < GRACE + 1.0 + SOON  # told once a second at most


def test_stranger_with_many_circles_leaves_streams_to_others(tmp_path: Path) -> None:
    believe_phones(tmp_path)
    config = tmp_path / "config.py"
    config.write_text(f"{config.read_text()}STREAMS_A_WORKER = {2 * EACH}\n", encoding="ascii")
    with running(tmp_path, workers=1) as server, ExitStack() as opened:
        owner, *phones = in_one_session(server.url, 3)
        stranger = [Browser(server.url).start(FIVE) for _ in range(4)]
        for number, browser in enumerate(stranger):
            browser.address = f"2001:db8:2::{number}"
        listeners = [
            opened.enter_context(Listener(browser)) for browser in stranger for _ in range(EACH)
        ]
        heard = [opened.enter_context(Listener(phone.browser)) for phone in (owner, *phones)]
        again = opened.enter_context(Listener(stranger[-1]))

        statuses = [listener.answer.status for listener in listeners]
        assert (statuses.count(200), statuses.count(503)) == (2 * EACH, 2 * EACH)
        assert ([listener.answer.status for listener in heard], again.answer.status) == (
            [200] * 3,
            503,
        )
        owner.record(70)
        assert [listener.next() for listener in heard] == [RECORDED] * 3
