"""Streams of events from a real server: what is heard, how soon, and when they end."""

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from bench.browsers import Listener
from bench.phones import Phone, in_one_session
from scorer.settings import SETTINGS
from tests.server.conftest import POSTGRES

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
