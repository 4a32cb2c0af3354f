"""Files are read in a child process: what it may take, and what comes back of it."""

import resource
import time
from collections.abc import Callable
from typing import Any

import pytest

from scorer.errors import BusyError, InvalidError
from scorer.services.base import sandbox
from tests.refusals import refused
from tests.services.base import readers

pytestmark = pytest.mark.usefixtures("in_children")


@pytest.mark.parametrize("content", [b"", b"a\0b\n" * 500_000])
def test_what_a_reader_returns_comes_back(content: bytes) -> None:
    assert sandbox.run(readers.same, content, "file") == content


def test_problems_come_back_with_their_sentences() -> None:
    with pytest.raises(InvalidError) as error:
        sandbox.run(readers.refuse, b"", "file")

    assert error.value.problems == (readers.UNKNOWN,)


@pytest.mark.parametrize("reader", [readers.fill, readers.fail, readers.end])
def test_child_that_ends_without_an_answer_is_a_refusal(reader: Callable[[bytes], bytes]) -> None:
    with refused("too-large photo"):
        sandbox.run(reader, b"", "photo")


def test_child_writes_no_file(tmp_path: Any) -> None:
    with pytest.raises(InvalidError):
        sandbox.run(readers.write, str(tmp_path / "file").encode(), "file")

    assert not (tmp_path / "file").read_bytes()


def test_child_stops_at_its_limits_and_all_its_seconds_are_counted() -> None:
    limits = sandbox.run(readers.limits, b"", "file")
    before, children = sandbox.spent.get(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

    with pytest.raises(InvalidError):
        sandbox.run(readers.spin_to_its_last_second, b"", "file")

    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - children
    assert limits == f"{[(sandbox.SECONDS,) * 2, (sandbox.MEMORY,) * 2]}".encode()
    assert took < sandbox.SECONDS
    assert sandbox.spent.get() - before == pytest.approx(sandbox.SECONDS, abs=0.2)


def test_child_that_waits_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "LONGEST", 0.01)
    began = time.monotonic()

    with pytest.raises(InvalidError):
        sandbox.run(readers.spin, b"", "file")

    assert time.monotonic() - began < sandbox.SECONDS


def test_more_children_than_may_run_wait_for_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "PATIENCE", 0.01)
    for _ in range(sandbox.AT_ONCE):
        assert sandbox._turns.acquire(timeout=1)  # as other requests do
    try:
        with pytest.raises(BusyError):
            sandbox.run(readers.same, b"", "file")
    finally:
        for _ in range(sandbox.AT_ONCE):
            sandbox._turns.release()

    assert sandbox.run(readers.same, b"Ada", "file") == b"Ada"
