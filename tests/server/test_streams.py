"""Streams of events from a real server: what is heard, how soon, and when they end."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.request import Request, urlopen
from uuid import UUID, uuid4

import pytest

from bench.browsers import PATIENCE, Listener
from bench.phones import Phone, in_one_session
from scorer.roles import Role
from scorer.services.circle import circles, programs
from scorer.settings import SETTINGS
from tests.server.conftest import POSTGRES
from tests.storage.conftest import opened

#: Seconds, on a machine that is busy with other tests: who hears of nothing is told so after 15.
SOON = 12.0
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
            name, role = f"Bot {key_id}", Role.PLAYER
            programs.make_key(circle_id, key_id, secret, name=name, role=role)
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


@pytest.mark.parametrize("database_url", [POSTGRES], indirect=True)
def test_phones_on_two_servers_of_one_database_see_each_other(site: str, other_site: str) -> None:
    phones = in_one_session(site, 8)
    for phone in phones[5:]:
        phone.browser.site = other_site
    with ExitStack() as opened:
        *listeners, _ = [
            opened.enter_context(Listener(phone.browser, writes="1" if phone is phones[7] else ""))
            for phone in phones
        ]

        for listener in listeners:
            while (met := listener.next("presence")) and len(met["here"]) < len(phones):
                pass
            assert met is not None
            assert [person["writes"] for person in met["here"]] == [None] * 7 + [1]
