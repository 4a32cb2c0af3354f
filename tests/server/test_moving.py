"""A circle that moves from SQLite to PostgreSQL and back: no acknowledged deal is lost."""

import re
from pathlib import Path

import pytest

from bench.browsers import believe_phones
from bench.phones import faults, in_one_session, record_at_once
from tests.commands import Done, run
from tests.databases import postgres_database
from tests.serving import running

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
MOMENT = re.compile(rb"made at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC; what was written later is not")


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    believe_phones(tmp_path)
    return tmp_path


def refused(done: Done, *words: str) -> None:
    assert done.returncode == 2
    for word in words:
        assert word in done.stderr.decode()


def test_no_acknowledged_deal_is_lost_between_the_engines(
    instance: Path, postgres_server: str
) -> None:
    first, second, third, fourth = (str(instance / name) for name in ("1", "2", "3", "4"))
    old = instance / "scorer.sqlite"
    with postgres_database(postgres_server) as url, postgres_database(postgres_server) as other:
        into = ["--database", url]
        with running(instance) as server:
            phones = in_one_session(server.url, 1)
            record_at_once(phones, 1)
            assert run("backup", first).returncode == 0
            record_at_once(phones, 2)
            refused(run("restore", first, *into), "in use", "scorer.sqlite")
            refused(run("restore", first), "in use", "scorer.sqlite")
        refused(run("restore", first, *into), "scorer.sqlite has entries", "back it up again")
        assert run("backup", second).returncode == 0
        moved = run("restore", second, *into)
        assert moved.returncode == 0
        assert MOMENT.search(moved.stdout)
        assert faults(phones, url) == []

        port = int(server.url.rpartition(":")[2])
        with running(instance, database_url=url, port=port):
            record_at_once(phones, 1)
            assert run("backup", third, *into).returncode == 0
            refused(run("restore", third, *into), "in use", "stop")
        assert run("backup", fourth, *into).returncode == 0
        refused(run("restore", fourth), "restore into an empty one", f"move {old} away")
        old.replace(instance / "old")
        back = run("restore", fourth)
        assert back.returncode == 0
        assert MOMENT.search(back.stdout)
        refused(run("restore", first, "--database", other), "scorer.sqlite has entries")
    assert [len(phone.acknowledged) for phone in phones] == [4]
    assert faults(phones, f"sqlite:///{old}") == []
