"""Sessions to draw: invented but lawful payouts, and a reader for the SVG that comes out."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from xml.etree import ElementTree as ET

from scorer.charts import Balances, SeatLine, Wording, balance_chart
from scorer.web.base.names import text_width

WORDING = Wording(
    title="Balances of the session",
    description="Carla leads with +25.",
    deals="deals",
    amended="amended",
    no_deals="No deals yet",
)
FIVE = ("Ada", "Bea", "Carla", "Dino", "Enzo")
SEVEN = (*FIVE, "Franca", "Gigi")
TEN = (*SEVEN, "Ivo", "Lia", "Mario")
HOSTILE = (
    "<script>alert(1)</script>",
    "$x^2$ & \\frac_1 ]]>",
    "محمد بن عبد العزيز آل سعود الكبير",
    "👨‍👩‍👧‍👦🇮🇹 Famiglia Rossi di Sant'Agata",
    'Massimiliano "Max" della Rovere Bianchi',
    "毛泽东同志万岁万岁万岁万岁万岁万岁",
    "Z\u0338\u0321\u0359\u035a\u0347a\u0336lgo\x00\x1b\ud800\ufffe\u202e\nﷺ",
)


def session(
    names: Sequence[str],
    opening: Sequence[int],
    deals: Mapping[int, Mapping[int, int]],
    *,
    since: Sequence[int] = (),
    amended: Collection[int] = (),
) -> Balances:
    """Make a session in which everybody has a line, of the payouts of each deal by number."""
    return Balances(
        lines=tuple(
            SeatLine(
                names=(name,),
                mark=seat,
                balances=tuple(
                    accumulate(
                        (paid.get(seat, 0) for paid in deals.values()), initial=opening[seat]
                    )
                ),
                played=tuple(place for place, paid in enumerate(deals.values(), 1) if seat in paid),
                start=sum(number < since[seat] for number in deals) if since else 0,
            )
            for seat, name in enumerate(names)
        ),
        deals=tuple(deals),
        amended=frozenset(amended).intersection(deals),
    )


def evening(
    deals: int,
    names: tuple[str, ...] = FIVE,
    *,
    scale: int = 1,
    sitting_out: int = 0,
    amended: Collection[int] = (),
    since: Sequence[int] = (),
) -> Balances:
    """Play an evening in which one seat wins from all others, others sitting out in turn."""
    chance, seats, payouts = Random(1), len(names), dict[int, dict[int, int]]()
    for number in range(1, deals + 1):
        active = [(number + turn) % seats for turn in range(seats - sitting_out)]
        winner, amount = chance.choice(active), chance.choice((1, 1, 2, 3, -1, -2)) * scale
        payouts[number] = dict.fromkeys(active, -amount) | {winner: amount * (len(active) - 1)}
    return session(names, [0] * seats, payouts, since=since, amended=amended)


@dataclass(frozen=True, slots=True)
class Label:
    """The text of an SVG text element and where it stands."""

    text: str
    x: float
    y: float
    size: float
    fill: str
    anchor: str

    def spans(self) -> tuple[float, float]:
        """Give the pixels across which it may reach, in the widest font."""
        width = self.size * text_width(self.text)
        start = self.x - {"start": 0, "middle": 0.5, "end": 1}[self.anchor] * width
        return start, start + width


class Drawn:
    """A chart, read back."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.root = ET.fromstring(self.data)  # noqa: S314 - our own picture

    def tagged(self, tag: str) -> list[ET.Element]:
        return [element for element in self.root.iter() if element.tag.endswith("}" + tag)]

    def named(self, name: str) -> ET.Element:
        found = self.root.find(f".//*[@id='{name}']")
        assert found is not None, name
        return found

    def names(self) -> set[str]:
        return {element.get("id", "") for element in self.root.iter()}

    def size(self) -> tuple[int, int]:
        return int(self.root.get("width", "")), int(self.root.get("height", ""))

    def labels(self, prefix: str = "") -> list[Label]:
        """Give the texts whose id begins so; all of them without a prefix."""
        return [
            Label(
                text="".join(text.itertext()),
                x=float(text.get("x", "")),
                y=float(text.get("y", "")),
                size=float(text.get("font-size", "").removesuffix("px")),
                fill=text.get("fill", ""),
                anchor=text.get("text-anchor", "start"),
            )
            for name, text in self._texts(self.root)
            if name.startswith(prefix)
        ]

    def _texts(self, group: ET.Element, name: str = "") -> Iterator[tuple[str, ET.Element]]:
        """Give every text with the id of the group it is in."""
        for element in group:
            if element.tag.endswith("}text"):
                yield name, element
            else:
                yield from self._texts(element, element.get("id", name))

    def path(self, name: str) -> ET.Element:
        """Give the path of a line."""
        return next(one for one in self.named(name).iter() if one.tag.endswith("}path"))

    def points(self, name: str) -> list[tuple[float, float]]:
        """Give the corners of a line."""
        path = self.path(name).get("d", "").strip().removeprefix("M")
        return [(float(x), float(y)) for x, y in (pair.split() for pair in path.split("L"))]

    def marks(self, name: str) -> list[tuple[float, float]]:
        """Give the places of a seat's marks."""
        group = self.named(name)
        uses = [element for element in group.iter() if element.tag.endswith("}use")]
        return [(float(use.get("x", "")), float(use.get("y", ""))) for use in uses]


class Picture(Drawn):
    """The chart of a session, read back."""

    def __init__(
        self,
        balances: Balances,
        wording: Wording = WORDING,
        *,
        width: int = 360,
        theme: str = "light",
    ) -> None:
        super().__init__(balance_chart(balances, wording, width=width, theme=theme))
