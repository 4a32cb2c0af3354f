"""A yardstick for what one process can do: the tricks of a deal, replayed in plain Python.

How quick a machine is changes from hour to hour, and from machine to machine. What is measured here
is taken in turn with a replay by a table of strengths that knows neither a document nor a rule, and
held to it. A machine that replays 145,000 deals a second is the one that the bars are said for.
"""

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any

from bench.figures import Times

YARDSTICK = "the tricks of a deal, replayed by a table of strengths"
A_SECOND = 145_000
PLAYERS, HEIGHT = 5, 10
PACK = range(4 * HEIGHT)
POINTS = [(11, 10, 4, 3, 2, 0, 0, 0, 0, 0)[card % HEIGHT] for card in PACK]
#: Of each card, by trump and by the card led: its strength in thousands, and its card points.
VALUES = [
    [
        [
            1_024
            * (
                2 * HEIGHT * (card // HEIGHT == trump)
                + HEIGHT * (card // HEIGHT == led // HEIGHT)
                + HEIGHT
                - card % HEIGHT
            )
            + POINTS[card]
            for card in PACK
        ]
        for led in PACK
    ]
    for trump in range(4)
]


def measure(
    cases: dict[str, tuple[Callable[[Any], object], Sequence[object]]], batches: int
) -> dict[str, Times]:
    """Time each case in turn, the yardstick among them: seconds for one of what each is given."""
    every = {**cases, YARDSTICK: (replay, deals())}
    taken: dict[str, Times] = {name: [] for name in every}
    for _ in range(batches):
        for name, (work, given) in every.items():
            taken[name].append(_seconds(work, given))
    return taken


def deals() -> list[list[list[int]]]:
    """Deal packs at random, a trick after the other."""
    packs = [Random(number).sample(PACK, len(PACK)) for number in range(50)]
    return [[pack[i : i + PLAYERS] for i in range(0, len(pack), PLAYERS)] for pack in packs]


def replay(tricks: list[list[int]]) -> list[int]:
    """Say what everybody takes, by place; the one in the first place leads first."""
    by_lead, leader, points = VALUES[0], 0, [0] * PLAYERS
    for cards in tricks:
        values = [*map(by_lead[cards[0]].__getitem__, cards)]
        leader = (leader + values.index(max(values))) % PLAYERS
        points[leader] += sum(values) % 1_024
    return points


def _seconds(work: Callable[[Any], object], given: Sequence[object]) -> float:
    """Do the work with each of them; a batch is short, so that it may well go undisturbed."""
    began = perf_counter()
    for one in given:
        work(one)
    return (perf_counter() - began) / len(given)


def against(taken: dict[str, Times], name: str) -> float:
    """How many replays one of a case costs, by the best batch of each: others were disturbed."""
    return min(taken[name]) / min(taken[YARDSTICK])
