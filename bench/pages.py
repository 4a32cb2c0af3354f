"""The times of pages and writes on a real server, each case beside all the others."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from uuid import uuid4

from flask import Flask

from bench import circles, evenings, history
from bench.circles import Years
from bench.evenings import SIZES, Evening
from bench.figures import Bar, Step, Times, p50
from bench.visitor import Visitor
from tests.serving import serving

BARE_SERVER = (sys.executable, "-m", "gevent.monkey", "--module", "bench.bare")
WARMING, ROUNDS, ROUNDS_PER_CHART = 10, 200, 4
TOKEN = re.compile(rb'name="csrf_token" value="([^"]+)"')
SHEET = {"caller": "0", "bid_rank": "A", "suit": "C", "partner": "1", "card_points": "70"}

READ = "bare route: read one row"
WRITE = "bare route: write one row"
PAGE = "session page, {:,} deals"
AFTER = "session page after a deal, {:,}"
RECORD = "record a deal after {:,}"
CHART = "chart of {:,} deals, first time"
AGAIN = "chart of {:,} deals, 304 after"


def measure(
    app: Flask, instance: Path, filled: list[Evening], years: list[Years]
) -> dict[str, Times]:
    """Time every case, in an order that changes from round to round, with servers of their own."""
    cases = (PAGE, AFTER, RECORD, CHART, AGAIN)
    names = [READ, WRITE, *(case.format(size) for case in cases for size in SIZES)]
    looking_back = [*history.PAGES, *history.NOT_HELD]
    names += [case.format(one.size) for case in looking_back for one in years]
    taken: dict[str, Times] = {name: [] for name in names}
    random = Random(0)
    with _steps(app, instance, filled, years) as steps:
        for number in range(-WARMING, ROUNDS):
            for step in random.sample(steps, len(steps)):
                if number % step.every == 0:
                    _keep(step.take(), taken, warm=number >= 0)
    return taken


def _keep(seconds: dict[str, float], taken: dict[str, Times], *, warm: bool) -> None:
    for name, second in seconds.items():
        if warm:
            taken[name].append(second)


@contextmanager
def _steps(
    app: Flask, instance: Path, filled: list[Evening], years: list[Years]
) -> Iterator[list[Step]]:
    with serving(instance) as ours, serving(instance, program=BARE_SERVER) as bare:
        stranger = Visitor(bare, {})
        phone = Visitor(ours, evenings.cookies(app, [*filled, *years]))
        row = f"/row/{filled[0].circle_id}"
        yield [
            Step(1, lambda: {READ: stranger.get(row).seconds}),
            Step(1, lambda: {WRITE: stranger.post("/row", {}, 201).seconds}),
            *(step for evening in filled for step in _steps_of(evening, phone)),
            *(step for one in years for step in history.steps(one, phone)),
        ]


def _steps_of(evening: Evening, phone: Visitor) -> list[Step]:
    size, path = evening.size, evening.path
    page = phone.get(f"{path}record", Accept_Encoding="identity").body
    (token,), others = set(TOKEN.findall(page)), phone.cookies()
    widths = iter(range(320, 1200))

    def record() -> dict[str, float]:
        form = SHEET | {"key": str(uuid4()), "number": str(size + 1), "csrf_token": token.decode()}
        answer = phone.post(f"{path}record", form, 303)
        after = phone.get(path, Cookie=others)  # as a phone that can't undo the deal
        evenings.take_back(evening)
        return {RECORD.format(size): answer.seconds, AFTER.format(size): after.seconds}

    def chart() -> dict[str, float]:
        address = f"{path}chart.svg?width={next(widths)}"
        first = phone.get(address)
        again = phone.get(address, 304, If_None_Match=first.headers["ETag"])
        return {CHART.format(size): first.seconds, AGAIN.format(size): again.seconds}

    return [
        Step(1, lambda: {PAGE.format(size): phone.get(path).seconds}),
        Step(1, record),
        Step(ROUNDS_PER_CHART, chart),
    ]


def bars(taken: dict[str, Times], engine: str) -> Iterator[Bar]:
    """Hold the medians to each other, and the first chart to the clock."""
    for what, figure, limit, unit in (*_held(taken), *history.bars(taken)):
        yield Bar(f"{engine}: {what}", figure, limit, unit)


def _held(taken: dict[str, Times]) -> Iterator[tuple[str, float, float, str]]:
    few, many = SIZES
    median = {name: p50(times) for name, times in taken.items()}
    page, longer = PAGE.format(few), PAGE.format(many)
    yield f"{longer} / {few:,}", median[longer] / median[page], 1.5, ""
    yield f"{page} / bare read", median[page] / median[READ], 3, ""
    player = history.AFTER.format(circles.SIZES[1])
    yield f"{player} / bare read", median[player] / median[READ], 8, ""
    for size in SIZES:
        name = RECORD.format(size)
        yield f"{name} / bare write", median[name] / median[WRITE], 2, ""
    for size in SIZES:
        name = CHART.format(size)
        yield name, 1_000 * median[name], 150, " ms"
