"""The times of the pages that look back over years: the history, a player, the circle.

They are asked of a running server, as people ask them. How long the very first one takes in a
process, and the first one after a deal, is measured without a server, so that it is known which is
which.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from time import perf_counter

from flask import Flask
from flask.testing import FlaskClient

from bench import evenings
from bench.circles import SIZES, Years
from bench.figures import Step, Times, p50
from bench.visitor import Visitor
from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.figures import figures
from scorer.services.session.writing import DealChange
from scorer.storage import queries

PAGES = {
    "history, {:,} deals": "deals/",
    "history, calls of a player, {:,} deals": "deals/?player={player}&role=calls",
    "player, {:,} deals": "players/{player}/",
    "circle, {:,} deals": "",
    "rating of a player, {:,} deals": "players/{player}/rating",
    "journal, {:,} deals": "journal",
    "ledger, {:,} deals, a payment for every 20": "ledger",
    "last page of an evening, {:,} deals": "sessions/{session}/last",
}
NOT_HELD = {"history, nothing found in {:,} deals": "deals/?state=disputed"}
COLD = "player, {:,} deals, first of a process"
AFTER, AGAIN = "player, {:,} deals, after a deal", "player, {:,} deals, again"
LISTED = "history, {:,} deals, after a deal"
MOST = 2
#: Seconds of a player's page as the first of a process.
MOST_COLD = 1.5
TIMES_COLD = 5
EVERY = 2


def steps(years: Years, phone: Visitor) -> Iterator[Step]:
    """Give the pages of a circle, each to be timed; whatever is cold is asked for once before."""
    for name, path in {**PAGES, **NOT_HELD}.items():
        where = years.path + path.format(player=years.player_id, session=years.session_id)
        phone.get(where)
        yield Step(EVERY, partial(_timed, phone, where, name.format(years.size)))


def _timed(phone: Visitor, where: str, name: str) -> dict[str, float]:
    return {name: phone.get(where).seconds}


def cold(app: Flask, filled: list[Years]) -> dict[str, Times]:
    """Time a player's page: with nothing summed yet, after a deal, and again.

    Before each but the last a deal is written, as a page that was rendered is cached.
    """
    client = app.test_client()
    for name, value in evenings.cookies(app, filled).items():
        client.set_cookie(name, value)
    cases = COLD, AFTER, LISTED, AGAIN
    taken: dict[str, Times] = {case.format(one.size): [] for case in cases for one in filled}
    for one in filled:
        page = f"{one.path}players/{one.player_id}/"
        for _ in range(TIMES_COLD):
            _write(one)
            figures.cache.clear()
            taken[COLD.format(one.size)].append(_seconds(client, page))
            _write(one)
            taken[AFTER.format(one.size)].append(_seconds(client, page))
            taken[LISTED.format(one.size)].append(_seconds(client, f"{one.path}deals/"))
            taken[AGAIN.format(one.size)].append(_seconds(client, page))
    return taken


def _seconds(client: FlaskClient, page: str) -> float:
    began = perf_counter()
    answer = client.get(page)
    seconds = perf_counter() - began
    if answer.status_code != 200:
        raise RuntimeError(f"{page} gave {answer.status_code}")
    return seconds


def _write(years: Years) -> None:
    """Void a deal of the newest evening, or let it count again."""
    by = circles.holder(years.circle_id, years.phone_id)
    newest = next(row for row in queries.session.sessions(years.circle_id, limit=2) if row.played)
    deal = queries.deals.deal(years.circle_id, newest.session_id, 1)
    if deal is None:
        raise RuntimeError("an evening has deals")
    put = deals.restore_deal if deal.voided else deals.void_deal
    put(newest.session_id, DealChange(1, deal.version), by)


def bars(taken: Mapping[str, Times]) -> Iterator[tuple[str, float, float, str]]:
    """Hold ten times as many deals to twice the time at most."""
    few, many = SIZES
    for name in (*PAGES, AFTER, LISTED):
        figure = p50(taken[name.format(many)]) / p50(taken[name.format(few)])
        yield f"{name.format(many)} / {few:,}", figure, MOST, ""
    yield COLD.format(many), p50(taken[COLD.format(many)]), MOST_COLD, " s"
