"""Two processes write to the same sessions, one is killed: memory and database agree."""

import os
import signal
import subprocess
import sys
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


@pytest.mark.slow
def test_two_writers_and_a_killed_one_agree_with_the_database(url: str) -> None:
    command = [sys.executable, "-m", "tests.server.writer", url, str(ACTS)]
    acknowledged: list[tuple[str, UUID, int]] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            name, writer, key, version = line.split()
            acknowledged.append((name, UUID(key), int(version)))
            if name == "killed" and [one for one, *_ in acknowledged].count(name) == ACTS // 4:
                os.kill(int(writer), signal.SIGKILL)
    assert process.returncode == 0

    with opened(url):
        rows = db.session.execute(select(models.DealVersion.deal_id, models.DealVersion.version))
        stored = {(deal_id, version) for deal_id, version in rows}
        findings: list[str] = []
        verify(findings.append)
    assert {name for name, *_ in acknowledged} == {"steady", "killed", "again"}
    assert {(key, version) for _, key, version in acknowledged} <= stored
    assert findings == []
