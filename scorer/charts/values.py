"""What charts are drawn from: plain numbers, and words in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt

from scorer.charts.lettering import signed

SEATS = range(2, 11)
Z = 1.959964  # 95 of 100 of Wilson's intervals hold the true share


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """Return Wilson's interval, between 0 and 1, in which the true share probably lies.

    It is wide for few tries: three of three may be luck, three hundred of three hundred are not.

    >>> [f"{end:.2f}" for end in (*wilson(3, 3), *wilson(300, 300))]
    ['0.44', '1.00', '0.99', '1.00']
    """
    if tries == 0:
        return 0, 1
    share, extra = hits / tries, Z * Z / tries
    middle = (share + extra / 2) / (1 + extra)
    reach = Z * sqrt((share * (1 - share) + extra / 4) / tries) / (1 + extra)
    return max(0, middle - reach), min(1, middle + reach)


@dataclass(frozen=True, slots=True)
class DealPayouts:
    """What one deal paid, by seat; a seat that sat the deal out has no amount."""

    number: int
    payouts: Mapping[int, int]
    amended: bool = False


@dataclass(frozen=True, slots=True)
class Balances:
    """A session in numbers: names (of partners too) and openings by line, deals in order.

    ``since`` has the deal with which each line came to the table; by default all were there before.
    ``marks`` has the colour and mark of each, by default those of its place. ``counted`` points
    have no plus.
    """

    names: tuple[tuple[str, ...], ...]
    opening: tuple[int, ...]
    deals: tuple[DealPayouts, ...]
    since: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()
    counted: bool = False

    def __post_init__(self) -> None:
        if len(self.names) not in SEATS or len(self.opening) != len(self.names):
            raise ValueError("a chart takes 2 to 10 seats, each with a name and an opening balance")

    def running(self, seat: int) -> tuple[int, ...]:
        """Return the balance of a seat before the first deal and after each."""
        paid = (deal.payouts.get(seat, 0) for deal in self.deals)
        return tuple(accumulate(paid, initial=self.opening[seat]))


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a chart, in the reader's language."""

    title: str
    description: str
    deals: str  # what the numbers under the chart count: "deals"
    amended: str  # what a ring under the chart means: "amended"
    no_deals: str  # "No deals yet"
    names_format: str = "%(names)s and %(last)s"  # the names of partners


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A person in the picture of an evening: the balance by deal, and what else counts, or ""."""

    place: int
    names: tuple[str, ...]
    mark: int
    running: tuple[int, ...]
    more: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of an evening by the standings; that of a year has one person, and facts."""

    heading: str
    below: str
    people: tuple[PictureLine, ...]
    titles: tuple[tuple[str, str], ...]
    names_format: str = "%(names)s and %(last)s"
    lower_is_better: bool = False
    counted: bool = False

    def points(self, line: PictureLine) -> str:
        return signed(line.running[-1], burden=self.lower_is_better or self.counted)

    def figure(self, line: PictureLine) -> str:
        return " · ".join(filter(None, (self.points(line), line.more)))


@dataclass(frozen=True, slots=True)
class Line:
    """Points before the first day and after each, and both end days; ``counted`` have no plus.

    A rating has the ``margins`` by which it may be off.
    """

    points: tuple[int, ...]
    first: str
    last: str
    title: str
    description: str
    counted: bool = False
    margins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelCount:
    """The number of calls of one level, and of those made."""

    name: str
    made: int
    deals: int


@dataclass(frozen=True, slots=True)
class Levels:
    """The calls of a player by level, the lowest first."""

    rows: tuple[LevelCount, ...]
    title: str
    description: str
