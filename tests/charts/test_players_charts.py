"""The charts of a player: the balance over the evenings, and the calls level by level."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import accumulate
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.charts import (
    THEMES,
    ChartLine,
    LevelCount,
    Levels,
    levels_chart,
    line_chart,
    wilson,
)
from tests.charts.evenings import HOSTILE, Drawn


def life(*points: int, name: str = "Ada") -> ChartLine:
    """Give evenings that paid so much."""
    balances = (0, *accumulate(points))
    return ChartLine(balances, "2 Jan 2026", "18 Dec 2026", f"Balance of {name}", name)


def calls(*counts: tuple[int, int], name: str = "Ace") -> Levels:
    """Give levels with so many made of so many."""
    return Levels(tuple(LevelCount(name, made, deals) for made, deals in counts), "Calls", name)


def rated(deals: int) -> ChartLine:
    """Give a rating that moved so many times."""
    return ChartLine(
        points=(1000, *(1000 + 37 * (deal % 7) for deal in range(deals))),
        margins=(333, *(60 for _ in range(deals))),
        first="2 Jan 2026",
        last="18 Dec 2026",
        title=HOSTILE[0],
        description=HOSTILE[6],
    )


CHARTS = {
    "one evening": partial(line_chart, life(3)),
    "never anything": partial(line_chart, life(0, 0)),
    "up and down": partial(line_chart, life(4, -9, 12, -1)),
    "a thousand evenings": partial(line_chart, life(*(40_000, -39_000) * 500)),
    "markup": partial(line_chart, life(5, name=HOSTILE[0])),
    "what XML refuses": partial(line_chart, life(5, name=HOSTILE[6])),
    "one level": partial(levels_chart, calls((3, 3))),
    "many calls": partial(levels_chart, calls((0, 1), (200, 300), (12_345, 23_456))),
    "markup of a level": partial(levels_chart, calls((1, 2), name=HOSTILE[0])),
    "a level that XML refuses": partial(levels_chart, calls((1, 2), name=HOSTILE[6])),
    **{f"{deals} rated": partial(line_chart, rated(deals)) for deals in (1, 40, 3_000)},
}


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
@pytest.mark.parametrize(("width", "theme"), [*zip([1, 9_999], THEMES, strict=True)])
def test_chart_of_a_player_is_a_picture(draw: Callable[..., bytes], theme: str, width: int) -> None:
    drawn = draw(width=width, theme=theme)

    root = ET.fromstring(drawn)  # noqa: S314  # our own picture
    assert root.get("width") == str(max(320, min(width, 1200)))
    assert b"style=" not in drawn
    assert b"<script" not in drawn
    assert len(drawn) < 60_000


@pytest.mark.parametrize("lowest", [False, True])
def test_the_better_balance_is_higher_up(*, lowest: bool) -> None:
    way = Drawn(line_chart(replace(life(4, 6), lower_is_better=lowest))).points("balance")

    heights = [y for _, y in way]
    assert heights == sorted(heights, reverse=not lowest)
    assert [x for x, _ in way] == sorted(x for x, _ in way)


def test_every_evening_is_marked_where_they_are_few_and_some_left_out_where_many() -> None:
    few, many = (Drawn(line_chart(life(*[1, -1] * count))) for count in (6, 2000))

    assert len(few.marks("evenings")) == 12
    assert few.marks("evenings")[-1:] == few.marks("last")
    assert "evenings" not in many.names()
    assert len(many.marks("last")) == 1
    widths = [float(drawn.path("balance").get("stroke-width", "")) for drawn in (few, many)]
    assert widths[1] < widths[0]
    assert len(many.points("balance")) < 2000


def test_interval_is_long_where_the_calls_are_few_and_holds_the_share() -> None:
    drawn = Drawn(levels_chart(calls((2, 3), (200, 300))))

    few, many = (
        [float(x) for x in re.findall(r"[ML] ([\d.]+)", path.get("d", ""))]
        for path in drawn.named("intervals").iter()
        if path.tag.endswith("}path")
    )
    assert few[1] - few[0] > 3 * (many[1] - many[0])
    for way, (share, _) in zip((few, many), drawn.marks("shares"), strict=True):
        assert way[0] < share < way[1]


def test_interval_is_the_one_of_the_books() -> None:
    found = [*wilson(0, 0), *wilson(0, 10), *wilson(200, 300)]
    assert found == pytest.approx([0, 1, 0, 0.2775, 0.6115, 0.7176], abs=1e-4)


@given(st.integers(0, 500), st.integers(1, 500))
def test_interval_stays_between_none_and_all_and_holds_the_share(made: int, more: int) -> None:
    low, high = wilson(made, made + more)

    assert 0 <= low <= made / (made + more) + 1e-9
    assert made / (made + more) - 1e-9 <= high <= 1
