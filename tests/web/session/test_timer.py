"""The timer of a turn on the pages: until when it runs, and which deal is the last."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

import pytest

from scorer.services.base import clock
from tests.web.phones import Phone
from tests.web.session.test_end import BURRACO, FOUR

NINE = datetime(2026, 11, 20, 21, tzinfo=UTC)


def at(minutes: int) -> AbstractContextManager[None]:
    return clock.at(NINE + timedelta(minutes=minutes))


@pytest.fixture
def table(phone: Phone) -> Iterator[Phone]:
    """Give a table of burraco at the beginning of an official turn of 25 minutes."""
    with at(0):
        yield phone.start(FOUR, game="burraco", rules="two-deals", first_dealer="0")


def test_turn_by_the_clock_is_started_by_one_tap_and_says_until_when(table: Phone) -> None:
    form = table.page().form("/start-timer")
    assert form["minutes"] == "25"

    assert table.post(form.action, form.sends()).location == table.url

    watcher = table.let_in(Phone(table.app), "spectator")
    pages = [table.page(), table.page("tv"), watcher.page(table.url)]
    for page in pages:
        assert "until 21:25" in page.words
        assert 'data-up="2026-11-20T21:25:00+00:00"' in page.source
    acts = [{form.action.rpartition("/")[2] for form in page.forms} for page in pages]
    assert ["pause-timer" in sent for sent in acts] == [True, False, False]
    assert "start-timer" not in acts[0]


def test_time_that_is_up_names_the_last_deal_and_ends_nothing(table: Phone) -> None:
    table.post("start-timer", {"minutes": "25"})
    with at(24):
        table.enter(1, **BURRACO)
        before = [table.page(path).words for path in ("", "tv", "record")]
    with at(25):
        up = [table.page(path) for path in ("", "tv", "record")]
    with at(31):
        table.outcome(2, "misdeal")
        after = table.page()
        table.post("remove-timer")
        without = table.page()

    for words, page in zip(before, up, strict=True):
        assert "until 21:25" in words
        assert "Time is up: deal 2 is the last." in page.words
        assert "<p data-over >" in page.source
    assert "Time is up. Deal 2 was the last." in after.words
    assert "Record deal 3" in after.words
    assert "Time is up" not in without.words
    assert without.form("/start-timer")["minutes"] == "25"


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
