"""How long the search takes, all cards open: endings and whole deals, played at random."""

from statistics import mean, median
from time import perf_counter
from typing import Any

from scorer.cards.solver.compiling import ENGINE
from scorer.documents import encode
from scorer.operations import solve
from tests.games.tables import play, record_of

DEALS, WHOLE = 20, 8
#: What is asked, and of how many of the last tricks.
ASKED = [("made", 5), ("value", 5), ("verdicts", 5), ("verdicts", 6), ("made", 8), ("verdicts", 8)]
LONGEST = 60


def show() -> None:
    """Print the median, the mean and the worst, in seconds and nodes, of each question."""
    print(f"\nthe last tricks of {DEALS} deals, solved with {ENGINE}, at most {LONGEST} s each")
    print(f"  {'':<14}{'median s':>10}{'mean s':>10}{'worst s':>10}", end="")
    print(f"{'mean nodes':>14}{'worst nodes':>14}{'not decided':>13}")
    solve(_request(0, "made", 1))
    for ask, tricks in ASKED:
        found = [_measure(seed, ask, tricks) for seed in range(DEALS)]
        seconds, nodes, decided = zip(*found, strict=True)
        name = f"{ask}, {'all' if tricks == WHOLE else tricks}"
        shown = f"{median(seconds):10.3f}{mean(seconds):10.3f}{max(seconds):10.3f}"
        counts = f"{mean(nodes):14,.0f}{max(nodes):14,}{decided.count(False):13}"
        print(f"  {name:<14}{shown}{counts}")


def _measure(seed: int, ask: str, tricks: int) -> tuple[float, int, bool]:
    request = _request(seed, ask, tricks)
    began = perf_counter()
    answer = solve(request)
    encode(answer)
    return perf_counter() - began, answer["nodes"], answer["decided"]


def _request(seed: int, ask: str, tricks: int) -> dict[str, Any]:
    record = record_of(play("classic", seed))
    start = {"trick": WHOLE + 1 - tricks}
    return {**record, "ask": ask, "from": start, "limit": {"seconds": LONGEST}}
