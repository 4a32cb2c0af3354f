"""The throttle lets exactly so many requests of one address through, whoever counts them."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from multiprocessing import get_context
from time import monotonic
from typing import Self

import pytest
from sqlalchemy import select

from scorer.errors import BusyError, TooOftenError
from scorer.services.base import clock, throttle
from scorer.services.base.throttle import Meter, Turns, admit, neighbourhood
from scorer.storage import db
from scorer.storage.models import Throttle
from tests.data.rows import rows
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import at_once

NOON = datetime(2026, 11, 21, 12, 0, 15, tzinfo=UTC)
ADDRESS = "192.0.2.7"
MOST = 10


def test_one_more_than_the_most_is_refused_for_an_address_a_route_and_a_minute() -> None:
    with clock.at(NOON):
        for _ in range(MOST):
            admit(ADDRESS, "join", MOST)
        with pytest.raises(TooOftenError) as refused:
            admit(ADDRESS, "join", MOST)
        admit("192.0.2.8", "join", MOST)
        admit(ADDRESS, "other", MOST)
    with clock.at(NOON + timedelta(minutes=1)):
        admit(ADDRESS, "join", MOST)

    assert refused.value.seconds == 45
    assert sorted(db.session.scalars(select(Throttle.requests))) == [1, 1, 1, MOST + 1]


@BOTH_ENGINES
def test_requests_at_one_moment_are_counted_each() -> None:
    def ask(_: int) -> int:
        admitted = 0
        for _ in range(6):
            with clock.at(NOON), suppress(TooOftenError):
                admit(ADDRESS, "join", MOST)
                admitted += 1
        return admitted

    assert sum(at_once(ask)) == MOST


def test_old_minutes_are_swept_and_no_address_is_stored() -> None:
    for minutes in range(5):
        with clock.at(NOON + timedelta(minutes=minutes)):
            admit(ADDRESS, "join", MOST)

    stored = db.session.execute(select(Throttle.address_hash, Throttle.minute)).all()

    assert len(stored) == 2
    assert all(len(found) == 64 and ADDRESS not in found for found, _ in stored)


class SetBack(datetime):
    """A clock that somebody has set back by a year."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) - timedelta(days=365)


def test_clock_that_is_set_back_begins_no_minute_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_started", NOON)
    monkeypatch.setattr(clock, "_started_ticking", monotonic())
    meter = Meter()
    meter.charge(ADDRESS, "api", 60)
    for _ in range(MOST):
        admit(ADDRESS, "join", MOST)

    monkeypatch.setattr(clock, "datetime", SetBack)

    assert clock.now() < NOON < clock.steady()
    with pytest.raises(TooOftenError):
        admit(ADDRESS, "join", MOST)
    with pytest.raises(TooOftenError):
        meter.admit(ADDRESS, "api", 60)


def test_minutes_that_a_clock_was_ahead_by_lock_nobody_out() -> None:
    with clock.at(NOON + timedelta(hours=1)):
        for _ in range(MOST):
            admit(ADDRESS, "join", MOST)

    for minutes in range(62):  # the server was started again, by the right clock
        with clock.at(NOON + timedelta(minutes=minutes)):
            admit(ADDRESS, "join", 1)

    assert len(db.session.scalars(select(Throttle.requests)).all()) == 2


def test_seconds_that_were_spent_are_refused_until_the_minute_is_over() -> None:
    meter = Meter()

    with clock.at(NOON):
        meter.admit(ADDRESS, "api", 2)
        meter.charge(ADDRESS, "api", 1.9)
        meter.admit(ADDRESS, "api", 2)
        meter.charge(ADDRESS, "api", 0.2)
        with pytest.raises(TooOftenError) as refused:
            meter.admit(ADDRESS, "api", 2)
        meter.admit("192.0.2.8", "api", 2)
        meter.admit(ADDRESS, "preview", 2)
        for _ in range(10):  # what costs next to nothing is charged too
            meter.charge(ADDRESS, "free", 0)
        with pytest.raises(TooOftenError):
            meter.admit(ADDRESS, "free", 0.01)
    with clock.at(NOON + timedelta(minutes=1)):
        meter.admit(ADDRESS, "api", 2)

    assert refused.value.seconds == 45


def test_processes_that_were_forked_share_a_meter() -> None:
    meter, workers = Meter(), get_context("fork")

    with clock.at(NOON):
        for _ in range(4):
            worker = workers.Process(target=meter.charge, args=(ADDRESS, "api", 10))
            worker.start()
            worker.join()

        with pytest.raises(TooOftenError):
            meter.admit(ADDRESS, "api", 40)


@rows(__file__, "addresses")
def test_address_stands_for_what_one_customer_has(address: str, other: str, *, alike: bool) -> None:
    assert (neighbourhood(address) == neighbourhood(other)) is alike


def test_what_is_given_back_may_be_spent_again_within_its_minute() -> None:
    meter = Meter()
    with clock.at(NOON):
        minute = meter.charge(ADDRESS, "file", 5)
        with pytest.raises(TooOftenError):
            meter.admit(ADDRESS, "file", 5)
        meter.give_back(ADDRESS, "file", 4.5, minute)
        meter.admit(ADDRESS, "file", 5)
    with clock.at(NOON + timedelta(minutes=1)):
        meter.charge(ADDRESS, "file", 5)
        meter.give_back(ADDRESS, "file", 5, minute)
        with pytest.raises(TooOftenError):
            meter.admit(ADDRESS, "file", 5)


def test_turns_come_one_after_the_other_and_few_are_in_line_for_one_asker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns, ada, bea = Turns(), {"Ada": 2, "circle": 3}, {"Bea": 2, "circle": 3}
    first, second = turns.line_up(ada), turns.line_up(ada)
    with pytest.raises(TooOftenError):
        turns.line_up(ada)
    third = turns.line_up(bea)
    with pytest.raises(TooOftenError):
        turns.line_up(bea)
    first.wait()

    monkeypatch.setattr(throttle, "IN_LINE", 0.01)
    db.session.scalar(select(1))
    with pytest.raises(BusyError):
        second.wait()
    assert not db.session().in_transaction()  # who waits holds no connection
    first.end()
    third.wait()
    second.end()
    third.end()

    again = turns.line_up(ada)
    again.wait()
    again.end()
