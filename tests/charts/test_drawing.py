import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import matplotlib as mpl
from matplotlib.typing import RcKeyType

from scorer.charts import (
    ChartLine,
    LevelCount,
    Levels,
    balance_chart,
    levels_chart,
    line_chart,
    load,
)
from tests.charts.evenings import SEVEN, WORDING, evening

#: Settings that somebody may have in a file of their own.
SETTINGS: dict[RcKeyType, Any] = {
    "axes.grid": False,
    "figure.autolayout": True,
    "figure.dpi": 300,
    "lines.marker": "x",
    "path.sketch": [1, 100, 2],
    "svg.fonttype": "path",
    "svg.hashsalt": None,
    "text.usetex": True,
}


def test_charts_and_the_settings_of_matplotlib_leave_each_other_alone() -> None:
    balances = evening(20, SEVEN, amended={3})
    expected = balance_chart(balances, WORDING)
    with mpl.rc_context(SETTINGS):
        before = dict(mpl.rcParams)
        load()
        assert balance_chart(balances, WORDING) == expected
        assert dict(mpl.rcParams) == before


FRESH = """
import sys, threading
import scorer.charts
assert "matplotlib" not in sys.modules
thread = threading.Thread(target=scorer.charts.load)
thread.start()
thread.join()
assert "matplotlib.figure" in sys.modules
assert "matplotlib.pyplot" not in sys.modules
"""


def test_matplotlib_comes_with_the_first_chart_and_pyplot_never() -> None:
    fresh = [sys.executable, "-W", "error", "-c", FRESH]
    done = subprocess.run(fresh, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


DRAWN: list[Callable[[], bytes]] = [
    lambda: balance_chart(evening(20, SEVEN, amended={3}), WORDING),
    lambda: balance_chart(replace(evening(0), lower_is_better=True), WORDING, width=800),
    lambda: line_chart(ChartLine((0, 4, -5), "", "", "", "")),
    lambda: line_chart(ChartLine((7,) * 60, "", "", "", "", lower_is_better=True), theme="dark"),
    lambda: levels_chart(Levels((LevelCount("Ace", 1, 3),), "", "")),
]


def test_threads_draw_what_one_thread_draws_whatever_was_drawn_before() -> None:
    alone = [draw() for draw in DRAWN]
    with ThreadPoolExecutor(4) as threads:
        together = [*threads.map(lambda draw: draw(), DRAWN[::-1] * 2)]
    assert together == alone[::-1] * 2
