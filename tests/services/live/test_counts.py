from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorer.services.live import counts
from scorer.services.live.counts import server_totals, shared_counts


def test_streams_and_errors_of_all_running_servers_add_up(tmp_path: Path) -> None:
    with shared_counts(tmp_path) as first, shared_counts(tmp_path) as second:
        slots = [first.take_slot(), first.take_slot()]
        for server in (first, second):
            server.begin_stream()
            server.begin_stream()
            server.count_error()
        second.end_stream()
        both = server_totals(tmp_path)
        first.free_slot(slots[1])
        killed = server_totals(tmp_path)
        again = first.take_slot()

    assert (both, killed) == ((3, 2), (1, 2))
    assert again == slots[1]


def test_errors_of_earlier_servers_count_until_the_day_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shared_counts(tmp_path) as server:
        server.begin_stream()
        server.count_error()
    with shared_counts(tmp_path):
        restarted, files = server_totals(tmp_path), len([*tmp_path.iterdir()])
    stopped = server_totals(tmp_path)
    tomorrow = datetime.now(UTC).toordinal() + 1
    monkeypatch.setattr(counts, "_today", lambda: tomorrow)
    with shared_counts(tmp_path) as server:
        later = server_totals(tmp_path)
        server.count_error()
        later_error = server_totals(tmp_path)

    assert (restarted, files, stopped) == ((0, 1), 2, None)
    assert (later, later_error, len([*tmp_path.iterdir()])) == ((0, 0), (0, 1), 1)
