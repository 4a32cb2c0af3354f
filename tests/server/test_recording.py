"""Phones record into one session of a real server: nothing is lost or doubled."""

import pytest

from bench.kills import killed_while
from bench.phones import faults, in_one_session, record_at_once
from tests.server.conftest import WORKERS
from tests.serving import Server

PHONES = 4

pytestmark = pytest.mark.slow


def test_what_was_acknowledged_is_there_once_after_all_workers_were_killed(
    server: Server, database_url: str
) -> None:
    phones = in_one_session(server.url, PHONES)
    with killed_while(server, phones, times=1, every=2 * PHONES) as killed:
        record_at_once(phones, 5)

    assert faults(phones, database_url) == []
    assert [len(phone.acknowledged) for phone in phones] == [5] * PHONES
    assert killed == [WORKERS]
