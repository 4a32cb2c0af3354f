"""Two processes write to the same sessions, one is killed: memory and database agree."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from uuid import UUID

import pytest
from sqlalchemy import select

from scorer.services.journal.verify import verify
from scorer.storage import db, models
from tests.services.evenings import start
from tests.storage.conftest import opened

#: More are asked for by hand.
ACTS = int(os.environ.get("SCORER_TEST_ACTS", "60"))
SESSIONS = 10


@pytest.fixture(params=["sqlite_url", "postgres_url"])
def url(request: pytest.FixtureRequest) -> str:
    """Give the URL of a database with ten sessions of one circle."""
    url: str = request.getfixturevalue(request.param)
    with opened(url):
        first = start()
        for _ in range(SESSIONS - 1):
            first.again()
    return url


def writer(url: str, seed: str, acts: int = ACTS) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.server.writer", url, seed, str(acts)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def lines_of(process: subprocess.Popen[str]) -> Iterator[list[str]]:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            yield line.split()


@pytest.mark.slow
def test_two_writers_and_a_killed_one_agree_with_the_database(url: str) -> None:
    steady, killed = writer(url, "steady"), writer(url, "killed", 100 * ACTS)
    acknowledged: list[list[str]] = []
    for line in lines_of(killed):
        acknowledged.append(line)
        if len(acknowledged) == ACTS // 4:
            os.kill(killed.pid, signal.SIGKILL)
    again = writer(url, "again", ACTS // 2)
    for process in (steady, again):
        told = list(lines_of(process))
        assert process.wait() == 0, told[-1]
        acknowledged += told[:-1]
    assert killed.wait() == -signal.SIGKILL

    with opened(url):
        rows = db.session.execute(select(models.DealVersion.deal_id, models.DealVersion.version))
        stored = {(deal_id, version) for deal_id, version in rows}
        findings: list[str] = []
        verify(findings.append)
    assert {(UUID(key), int(version)) for _, key, version in acknowledged} <= stored
    assert findings == []
