"""Charts from plain numbers: this layer knows no game, no language and no request.

`import scorer.charts` is quick; matplotlib comes with the first chart, or with `warm()`.
"""

from scorer.charts.balance import balance_chart
from scorer.charts.intervals import Interval
from scorer.charts.intervals import wilson
from scorer.charts.levels import LevelCount
from scorer.charts.levels import Levels
from scorer.charts.levels import levels_chart
from scorer.charts.lifetime import Lifetime
from scorer.charts.lifetime import lifetime_chart
from scorer.charts.running import BalanceRow
from scorer.charts.running import Balances
from scorer.charts.running import DealPayouts
from scorer.charts.running import Wording
from scorer.charts.running import balance_table
from scorer.charts.style import SEAT_COLOURS
from scorer.charts.style import SEAT_MARKS
from scorer.charts.style import THEMES

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
