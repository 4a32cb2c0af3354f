from datetime import timedelta
from pathlib import Path

import pytest

from scorer.evening.session_acts import End
from scorer.services.base.clock import now
from scorer.services.journal import status
from scorer.services.journal.status import (
    NEVER,
    NOT_RUNNING,
    STREAMS,
    days_without_backup,
    errors_of_today,
    forget_old_counts,
    server_status,
    server_totals,
)
from scorer.services.session.writing import do
from scorer.storage import backups, migrate
from scorer.storage.processes import Counts
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import start


@BOTH_ENGINES
def test_status_counts_the_data_and_says_why_something_is_unknown(tmp_path: Path) -> None:
    evening = start()
    evening.record()
    do(evening.circle_id, evening.session_id, End())
    start().record()

    before = server_status(tmp_path, "1.0").document()
    backups.note_backup(tmp_path, now())
    counts = Counts()
    with counts.shared(tmp_path):
        counts.add(errors_of_today())
        running = server_status(tmp_path, "1.0").document()

    names = ("circles", "sessions", "open_sessions", "deals_today", "photos_bytes", "revision")
    assert [before[name] for name in names] == [2, 2, 1, 2, 0, migrate.newest()]
    assert before["database_bytes"] > 0
    unknown = ("streams", "errors_today", "last_backup")
    assert [before[name] for name in unknown] == [None] * 3
    assert [before["reasons"][name] for name in unknown] == [NOT_RUNNING, NOT_RUNNING, NEVER]
    assert (running["streams"], running["errors_today"], running["reasons"]) == (0, 1, {})
    assert running["last_backup"].endswith("Z")


@pytest.mark.parametrize(("age", "days"), [(None, 0), (2.9, 0), (3.5, 3)])
def test_three_days_without_a_backup_are_many_where_there_was_one(
    age: float | None, days: int, tmp_path: Path
) -> None:
    if age:
        backups.note_backup(tmp_path, now() - timedelta(days=age))

    assert days_without_backup(tmp_path) == days


def test_errors_of_earlier_servers_count_until_the_day_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = Counts(), Counts(), Counts()
    with first.shared(tmp_path):
        first.add(STREAMS)
        first.add(errors_of_today())
    forget_old_counts(tmp_path)
    with second.shared(tmp_path):
        restarted, files = server_totals(tmp_path), len([*tmp_path.iterdir()])
    stopped = server_totals(tmp_path)
    monkeypatch.setattr(status, "errors_of_today", lambda: "errors of tomorrow")
    forget_old_counts(tmp_path)
    with third.shared(tmp_path):
        later = server_totals(tmp_path)
        third.add("errors of tomorrow")
        later_error = server_totals(tmp_path)

    assert (restarted, files, stopped) == ((0, 1), 2, None)
    assert (later, later_error, len([*tmp_path.iterdir()])) == ((0, 0), (0, 1), 1)
