"""Charts and pictures from plain numbers: this layer knows no game, no language and no request.

`import scorer.charts` is quick; matplotlib comes with the first chart, or with `load()`.
"""

import threading
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from scorer.charts.style import SEAT_COLOURS, SEAT_MARKS, THEMES
from scorer.charts.values import (
    Balances,
    ChartLine,
    Duel,
    LevelCount,
    Levels,
    Picture,
    PictureLine,
    SeatLine,
    Wording,
    Year,
    wilson,
)

if TYPE_CHECKING:
    from scorer.charts.line_charts import balance_chart, levels_chart, line_chart
    from scorer.charts.picture import duel_chart, evening_chart, year_chart

_MODULES = dict.fromkeys(("balance_chart", "levels_chart", "line_chart"), "line_charts")
_MODULES |= dict.fromkeys(("duel_chart", "evening_chart", "year_chart"), "picture")


def __getattr__(name: str) -> Any:
    """Import a chart, and matplotlib with it, when it is first drawn."""
    if name in _MODULES:
        return getattr(_imported(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _imported(module: str) -> ModuleType:
    """Import a module; matplotlib writes no manual of each of its classes, which takes 0.25 s."""
    import matplotlib.artist

    matplotlib.artist.kwdoc = lambda artist: ""  # noqa: ARG005  # its name is part of its type
    return import_module(f"scorer.charts.{module}")


def load() -> None:
    """Load matplotlib and its list of fonts before the first request.

    No thread is left running, so that the process can be forked: while matplotlib lists the fonts
    for the first time, a timer waits to report that this takes long.
    """
    for module in {*_MODULES.values()}:
        _imported(module)
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer) and thread.finished.is_set():
            thread.join()
