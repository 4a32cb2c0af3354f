"""The timer of a turn on the pages: until when it runs, and which deal is the last."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest

from scorer.services.base import clock
from tests.web.phones import Phone
from tests.web.session.test_end import BURRACO, FOUR

NINE = datetime(2026, 11, 20, 21, tzinfo=UTC)


class Table:
    """A table of burraco in an official turn of 25 minutes, at some minute of it."""

    def __init__(self, phone: Phone, minutes: ExitStack) -> None:
        self.phone, self._minutes = phone, minutes
        self.at(0)
        phone.start(FOUR, game="burraco", rules="two-deals", title="Friday", first_dealer="0")

    def at(self, minutes: float) -> None:
        self._minutes.enter_context(clock.at(NINE + timedelta(minutes=minutes)))

    def start(self, minutes: str = "25") -> None:
        assert self.phone.post("start-timer", {"minutes": minutes}).status_code == 303

    def record(self, number: int) -> None:
        assert self.phone.enter(number, **BURRACO).status_code == 303


@pytest.fixture
def table(phone: Phone) -> Iterator[Table]:
    with ExitStack() as minutes:
        yield Table(phone, minutes)


def test_turn_by_the_clock_is_started_by_one_tap_and_says_until_when(table: Table) -> None:
    form = table.phone.page().form("/start-timer")
    assert form["minutes"] == "25"

    assert table.phone.post(form.action, form.sends()).location == table.phone.url

    watcher = table.phone.let_in(Phone(table.phone.app), "spectator")
    pages = [table.phone.page(), table.phone.page("tv"), watcher.page(table.phone.url)]
    for page in pages:
        assert "until 21:25" in page.words
        assert 'data-up="2026-11-20T21:25:00+00:00"' in page.source
    acts = [{form.action.rpartition("/")[2] for form in page.forms} for page in pages]
    assert ["pause-timer" in sent for sent in acts] == [True, False, False]
    assert "start-timer" not in acts[0]


def test_time_that_is_up_names_the_last_deal_and_ends_nothing(table: Table) -> None:
    table.start()
    table.at(24)
    table.record(1)
    before = [table.phone.page(path).words for path in ("", "tv", "record")]
    table.at(25)
    up = [table.phone.page(path) for path in ("", "tv", "record")]
    table.at(31)
    table.phone.outcome(2, "misdeal")
    after = table.phone.page()

    for words, page in zip(before, up, strict=True):
        assert "until 21:25" in words
        assert "Time is up: deal 2 is the last." in page.words
        assert "<p data-over >" in page.source
    assert "Time is up. Deal 2 was the last." in after.words
    assert "Record deal 3" in after.words
    assert table.phone.post("remove-timer").status_code == 303
    assert "Time is up" not in table.phone.page().words
    assert table.phone.page().form("/start-timer")["minutes"] == "25"


def test_any_session_can_have_a_timer_and_one_that_ended_shows_none(phone: Phone) -> None:
    phone.start(rules="classic")
    assert "Start the timer: " not in phone.page().words
    assert phone.page().form("/start-timer")["minutes"] == ""
    phone.start(rules="scighera")
    assert phone.page().form("/start-timer")["minutes"] == "60"

    phone.post("start-timer", {"minutes": "7"})
    phone.post("end")

    assert 'id="timer"' not in phone.page().source
    phone.post("reopen")
    assert 'id="timer"' in phone.page().source
