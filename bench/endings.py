"""How long the search takes, all cards open: the last five tricks of deals played at random."""

from __future__ import annotations

from statistics import mean
from time import perf_counter

from scorer.cards.solver.compiling import ENGINE
from scorer.documents import encode
from scorer.operations import solve
from tests.games.tables import play, record_of

DEALS, TRICKS = 20, 5


def show() -> None:
    """Print the mean and the worst, in seconds and nodes, of two questions."""
    print(f"\nthe last {TRICKS} tricks of {DEALS} deals, solved with {ENGINE}")
    print(f"  {'':<20}{'mean s':>10}{'worst s':>10}{'mean nodes':>14}{'worst nodes':>14}")
    solve(_request(0, "made"))
    for ask in ("made", "value", "verdicts"):
        seconds, nodes = zip(*(_measure(seed, ask) for seed in range(DEALS)), strict=True)
        shown = f"{mean(seconds):10.3f}{max(seconds):10.3f}"
        print(f"  {ask:<20}{shown}{mean(nodes):14,.0f}{max(nodes):14,}")


def _measure(seed: int, ask: str) -> tuple[float, int]:
    request = _request(seed, ask)
    began = perf_counter()
    answer = solve(request)
    encode(answer)
    return perf_counter() - began, answer["nodes"]


def _request(seed: int, ask: str) -> dict[str, object]:
    record = record_of(play("classic", seed))
    return {**record, "ask": ask, "from": {"trick": 9 - TRICKS}}
