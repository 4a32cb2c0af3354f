"""What charts are drawn from: plain numbers, and words in the reader's language."""

from dataclasses import dataclass
from math import sqrt

from scorer.charts.style import number

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PointScale:
    """Which points are better, and whether they are only ``counted`` up, without a plus."""

    lower_is_better: bool = False
    counted: bool = False

    def written(self, points: int) -> str:
        """Write points with their sign, and without a plus where they are a burden or counted."""
        plain = points <= 0 or self.lower_is_better or self.counted
        return number(points) if plain else f"+{number(points)}"


@dataclass(frozen=True, slots=True)
class SeatLine:
    """The line of a seat. A place is the index of a deal; 0 is before the first deal."""

    names: tuple[str, ...]  # of partners several
    mark: int  # also of its colour
    balances: tuple[int, ...]  # at every place
    played: tuple[int, ...]  # the places of the deals it did not sit out
    start: int = 0  # the place at which it came to the table


@dataclass(frozen=True, slots=True)
class Balances(PointScale):
    """A session in numbers: up to 10 lines, and the deals."""

    lines: tuple[SeatLine, ...]
    deals: tuple[int, ...]
    amended: frozenset[int] = frozenset()


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
class Picture(PointScale):
    """The picture of an evening by the standings."""

    heading: str
    below: str
    people: tuple[PictureLine, ...]
    titles: tuple[tuple[str, str], ...]
    names_format: str = "%(names)s and %(last)s"

    def points(self, line: PictureLine) -> str:
        return self.written(line.running[-1])

    def figure(self, line: PictureLine) -> str:
        return " · ".join(filter(None, (self.points(line), line.more)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Year(PointScale):
    """The picture of a player's year: what the player has not is left out.

    ``figures`` are large, each with what it counts; ``facts`` have a name, a figure, and a note.
    """

    circle: str
    heading: str
    mark: int
    place: str
    figures: tuple[tuple[str, str], ...]
    months: tuple[int, ...]
    letters: str  # the first of each month
    facts: tuple[tuple[str, str, str], ...]
    made_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel(PointScale):
    """The picture of two players: in how many evenings each was in front, and those evenings.

    ``evenings`` have the points of both, ``ahead`` who was in front, None if they were level;
    ``facts`` have the figures of both and what they count.
    """

    circle: str
    names: tuple[str, str]
    marks: tuple[int, int]
    won: tuple[int, int]
    words: str
    evenings: tuple[tuple[int, int], ...]
    ahead: tuple[int | None, ...]
    days: tuple[str, str]
    facts: tuple[tuple[str, str, str], ...]
    made_by: str


@dataclass(frozen=True, slots=True)
class ChartLine(PointScale):
    """Points before the first day and after each, and both end days.

    A rating has the ``margins`` by which it may be off.
    """

    points: tuple[int, ...]
    first: str
    last: str
    title: str
    description: str
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
