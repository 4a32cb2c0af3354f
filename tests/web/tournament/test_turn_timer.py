"""The timer of a turn, at all its tables at once: who starts it, what it says, who is overdue."""

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

from flask import Flask

from scorer.services.base import clock
from tests.web.phones import Phone
from tests.web.tournament.test_tournaments import by_hand, club, filled, publish, tap

__all__ = ["club"]

NINE = datetime(2026, 11, 20, 21, tzinfo=UTC)


def test_timer_of_a_turn_is_that_of_its_tables_and_says_who_is_overdue(
    app: Flask, owner: Phone, club: str
) -> None:
    watcher = owner.let_in(Phone(app), "spectator")
    tap(owner, club, "draw")
    assert not any(form.action.endswith("-timer") for form in owner.page(club).forms)
    page = tap(owner, club, "publish")
    tables = sorted({link for link in page.links if "/sessions/" in link})
    with ExitStack() as minutes:

        def at(minute: float) -> None:
            minutes.enter_context(clock.at(NINE + timedelta(minutes=minute)))

        at(0)
        assert page.form("/start-timer")["minutes"] == ""
        refused = owner.sent(f"{club}/start-timer", {"minutes": "0"})
        assert (refused.status, "from 1 to 999" in refused.told) == (422, True)
        tap(owner, club, "start-timer", minutes="25")
        at(5)
        tap(owner, club, "pause-timer")
        stands = owner.page(tables[1])
        at(15)
        tap(owner, club, "continue-timer")
        shown = [owner.page(club), watcher.page(club), watcher.page(f"{club}/tv")]
        at_table = owner.page(tables[0])
        by_hand(owner, club, tables="1")
        at(36)
        up = owner.page(club)

        assert "20:00 left; the timer stands" in stands.told
        for one in (*shown, at_table):
            assert "until 21:35" in one.told
        assert not any(form.action.endswith("-timer") for form in shown[1].forms)
        assert "overdue" not in shown[0].told
        assert "Table 2 · overdue" in up.told
        assert "Table 1 · overdue" not in up.told
        assert "timer up" in up.source
        by_hand(owner, club, tables="2")
        over = owner.sent(f"{club}/start-timer", {"minutes": "25"})
        assert (over.status, "No table plays now." in over.told) == (422, True)
        assert 'id="timer"' not in owner.page(club).source
        assert publish(owner, club).form("/start-timer")["minutes"] == "25"


def test_minutes_of_the_rules_are_offered(owner: Phone) -> None:
    form = filled(game="burraco", rules="two-deals", deals="")
    answer = owner.post(f"{owner.circle_url}tournaments/new", form)
    url = str(answer.headers["Location"])

    assert publish(owner, url).form("/start-timer")["minutes"] == "25"
