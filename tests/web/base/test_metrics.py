"""Metrics and the access log, each behind its setting."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from scorer import logs, storage
from scorer.storage.engine import sqlite_driver
from tests.data.rows import rows
from tests.web.conftest import app_with
from tests.web.phones import Phone

TOKEN = "a-token-of-a-machine"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the file of the access log."""
    return tmp_path_factory.mktemp("log") / "access.log"


@pytest.fixture(scope="module")
def watched(shared_url: str, log: Path) -> Iterator[Flask]:
    """Give an app with metrics and an access log behind a proxy."""
    told = {"METRICS": True, "METRICS_TOKEN": TOKEN, "ACCESS_LOG": str(log), "PROXY_HOPS": 1}
    with app_with(shared_url, **told) as app:
        yield app
        logs._open(logs.ACCESS, "ACCESS_LOG", None)


def figure(app: Flask, name: str) -> float:
    """Read a figure from the page of metrics."""
    page = app.test_client().get("/metrics").text
    found = re.search(rf"^{re.escape(name)} (\S+)$", page, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_requests_locks_errors_and_deals_are_counted_and_no_deal_that_failed(
    watched: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = (
        'scorer_requests_total{endpoint="circles.home",method="GET",status="200"}',
        "scorer_deals_recorded_total",
        "scorer_server_errors_total",
    )
    before = [figure(watched, name) for name in counted]
    waits = figure(watched, "scorer_lock_wait_seconds_count")
    with watched.app_context():
        dialect = storage.db.engine.dialect
    commit = dialect.do_commit

    def fail(_: object) -> None:
        monkeypatch.setattr(dialect, "do_commit", commit)
        raise sqlite_driver().OperationalError("the disk is gone")

    phone = Phone(watched).start()
    phone.get("/")
    monkeypatch.setattr(dialect, "do_commit", fail)
    failed, uncounted = phone.record().status_code, figure(watched, counted[1])
    recorded = phone.record().status_code

    assert (failed, uncounted, recorded) == (503, before[1], 303)
    assert [figure(watched, name) for name in counted] == [was + 1 for was in before]
    assert figure(watched, "scorer_lock_wait_seconds_count") > waits
    assert figure(watched, 'scorer_request_seconds_count{endpoint="deals.record_sent"}') == 2
    assert figure(watched, "scorer_event_streams") == 0
    assert figure(watched, "scorer_circles") >= 1
    assert figure(watched, "scorer_sessions_open") >= 1
    assert figure(watched, "scorer_process_memory_bytes") > figure(watched, "scorer_photos_bytes")
    assert figure(watched, "scorer_pool_wait_seconds_count") > 1


@rows(__file__, "readers")
def test_metrics_and_status_are_for_the_machine_and_who_has_the_token(
    watched: Flask, headers: dict[str, str], address: str, status: int
) -> None:
    answers = [
        watched.test_client().get(path, headers=headers, environ_base={"REMOTE_ADDR": address})
        for path in ("/metrics", "/status")
    ]

    assert [answer.status_code for answer in answers] == [status] * 2


def test_without_the_setting_there_are_no_metrics_and_no_request_id(app: Flask) -> None:
    answer = app.test_client().get("/metrics")

    assert answer.status_code == 404
    assert logs.HEADER not in answer.headers


@rows(__file__, "requests")
def test_each_request_is_a_line_with_the_name_that_its_answer_has(
    watched: Flask, log: Path, path: str, given: str, *, kept: bool
) -> None:
    answer = watched.test_client().get(path, headers={logs.HEADER: given})

    line = json.loads(log.read_text(encoding="ascii").splitlines()[-1])
    assert line["request"] == answer.headers[logs.HEADER]
    assert (line["request"] == given) is kept
    assert line["status"] == answer.status_code
    assert line["ms"] >= 0
    assert "AB12CD" not in json.dumps(line)


def test_line_names_the_session_by_its_key_and_is_written_for_another_host_too(
    watched: Flask, log: Path
) -> None:
    phone = Phone(watched).start()
    phone.get(phone.url)
    refused = phone.get("/", base_url="http://evil.example")

    line, other = map(json.loads, log.read_text(encoding="ascii").splitlines()[-2:])
    assert f"/circles/{line['circle_id']}/sessions/{line['session_id']}/" == phone.url
    assert (other["status"], other["request"]) == (400, refused.headers[logs.HEADER])


def test_transaction_of_a_connection_that_was_lost_is_rolled_back(watched: Flask) -> None:
    with watched.app_context(), storage.db.engine.connect() as connection:
        connection.begin()
        connection.invalidate()

        connection.rollback()

        assert connection.scalar(text("SELECT 1")) == 1
