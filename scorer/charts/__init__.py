"""Charts from plain numbers: this layer knows no game, no language and no request.

`import scorer.charts` is quick; matplotlib comes with the first chart, or with `warm()`.
"""

from scorer.charts.balance import balance_chart
from scorer.charts.intervals import Interval, wilson
from scorer.charts.levels import LevelCount, Levels, levels_chart
from scorer.charts.lifetime import Lifetime, lifetime_chart
from scorer.charts.running import BalanceRow, Balances, DealPayouts, Wording, balance_table
from scorer.charts.style import SEAT_COLOURS, SEAT_MARKS, THEMES

__all__ = [
    "SEAT_COLOURS",
    "SEAT_MARKS",
    "THEMES",
    "BalanceRow",
    "Balances",
    "DealPayouts",
    "Interval",
    "LevelCount",
    "Levels",
    "Lifetime",
    "Wording",
    "balance_chart",
    "balance_table",
    "levels_chart",
    "lifetime_chart",
    "warm",
    "wilson",
]


def warm() -> None:
    """Pay for the first chart ahead: matplotlib's import, its font list and one small drawing."""
    nobody = Balances(names=("", ""), opening=(0, 0), deals=(DealPayouts(1, {0: 1, 1: -1}),))
    balance_chart(nobody, Wording(title="", description="", deals="", amended="", no_deals=""))
