import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scorer.storage.processes import Counts, ProcessLock, SharedLines, counted


def in_a_fork(work: Callable[[], object]) -> int:
    """Do something in a fork, which stays until the descriptor that is returned is closed."""
    (is_ready, ready), (is_over, over) = os.pipe(), os.pipe()
    if not os.fork():
        os.close(over)
        work()
        os.write(ready, b"!")
        os.read(is_over, 1)
        os._exit(0)
    os.read(is_ready, 1)
    return over


def test_numbers_of_a_server_and_its_forks_add_up_and_what_was_open_ends_with_them(
    tmp_path: Path,
) -> None:
    server, other = Counts(), Counts()
    server.add("errors", 0)

    def work() -> None:
        for name in ("errors", "open streams", "open streams"):
            server.add(name)

    with server.shared(tmp_path), other.shared(tmp_path):
        other.add("errors", 0.5)
        over = [in_a_fork(work), in_a_fork(work)]
        server.add("open streams")
        together = dict(server.totals())
        os.write(over[0], b"!")
        os.wait()
        after = dict(server.totals())
        os.write(over[1], b"!")
        os.wait()
        running = [file.is_running for file in counted(tmp_path)]

    assert together == {"errors": 2, "open streams": 5}
    assert after == {"errors": 2, "open streams": 3}
    assert other.totals() == {"errors": 0.5}
    assert sorted(running) == [False, False, True, True]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_numbers_that_no_file_takes_are_lost_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, nowhere, alone = Counts(), Counts(), Counts()
    with full.shared(tmp_path):
        full.add("known")
        with monkeypatch.context() as patch:
            patch.setattr(os, "pwrite", lambda *_: 7)
            full.add("half a line")
        full.add("known")
        full.add("new")
        totals = dict(full.totals())
    with nowhere.shared(tmp_path / "nowhere"):
        nowhere.add("lost")
        lost = dict(nowhere.totals())
    alone.add("of one process")

    assert totals == {"known": 2, "new": 1}
    assert lost == {}
    assert alone.totals() == {"of one process": 1}


def test_lock_is_held_by_one_or_shared_and_can_be_taken_again(tmp_path: Path) -> None:
    first, second = (ProcessLock(tmp_path / "lock") for _ in range(2))
    reader, other = (ProcessLock(tmp_path / "lock", shared=True) for _ in range(2))

    assert [first.take(), first.take(), second.take(), reader.take()] == [True, True, False, False]
    first.release()
    assert [reader.take(), other.take(), first.take()] == [True, True, False]
    reader.release()
    other.release()
    assert first.take()
    first.release()


def test_lines_are_heard_whole_from_a_place_on_until_they_are_emptied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = SharedLines()
    lines.write(["one", "two"])
    heard, place = lines.read(0)
    os.write(lines._file, b"half")
    half = lines.read(place)
    os.write(lines._file, b" and half\n")
    whole, place = lines.read(place)
    monkeypatch.setattr(SharedLines, "LONG", 1)
    lines.write(["new"])

    assert (heard, half[0], whole) == (["one", "two"], [], ["half and half"])
    assert lines.read(place) == (None, len("new\n"))
