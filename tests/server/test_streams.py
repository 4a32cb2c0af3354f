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


def test_other_phone_hears_of_a_deal_at_once_also_what_it_missed(
    phones: list[Phone], heard: Listener
) -> None:
    began = time.monotonic()
    phones[0].record(70)

    assert heard.next() == RECORDED
    assert time.monotonic() - began < SOON
    with Listener(phones[1].browser, **{"Last-Event-ID": "1"}) as listener:
        assert listener.next() == RECORDED


def test_streams_of_programs_end_at_once_with_their_right(
    site: str, phones: list[Phone], database_url: str
) -> None:
    _, _, circle, _, session, _ = phones[0].browser.url.split("/")
    circle_id, key_id, key = UUID(circle), uuid4(), circles.new_secret()
    with opened(database_url):
        programs.make_key(circle_id, key_id, key, name="Bot", role=Role.PLAYER)
        link = circles.make_link(circle_id, "Bot of a link", Role.PLAYER)
    where = f"{site}/api/v1/circles/{circle}"
    there = f"{where}/sessions/{session}"
    asked = Request(f"{where}/events", headers=bearer(key))
    asked_there = Request(f"{there}/events", headers=bearer(link))
    with (
        urlopen(asked, timeout=PATIENCE) as of_circle,
        urlopen(asked_there, timeout=PATIENCE) as of_session,
    ):
        streams = of_circle, of_session
        assert [stream.readline() for stream in streams] == [b":\n"] * 2
        # The phone of the link joins after the stream was opened.
        note = json.dumps({"key": str(uuid4()), "text": "Hello"}).encode()
        urlopen(Request(f"{there}/notes", note, bearer(link))).close()
        with opened(database_url):
            programs.revoke_key(circle_id, key_id, by=None)
            program = programs.find_program(link)
            assert program
            circles.send_away(circle_id, program.by.phone_id)
        began = time.monotonic()
        rest = [stream.read() for stream in streams]

    assert time.monotonic() - began < SOON
    assert [b'"kind": "gone"' in said.splitlines()[-2] for said in rest] == [True, True]


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


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
