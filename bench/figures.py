"""What is timed, the bars that figures are held to, and the tables that show them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import NamedTuple

Times = list[float]


class Step(NamedTuple):
    """Something to time in every so many rounds; it gives the seconds of each case."""

    every: int
    take: Callable[[], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure that is held to a limit: at least, or at most."""

    what: str
    figure: float
    limit: float
    unit: str = ""
    at_least: bool = False

    @property
    def held(self) -> bool:
        """Whether the figure keeps to its limit."""
        return self.figure >= self.limit if self.at_least else self.figure <= self.limit

    def line(self) -> str:
        """Show the figure, its limit and whether it is kept."""
        sign, verdict = "≥" if self.at_least else "≤", "held" if self.held else "MISSED"
        shown = f"{short(self.figure)}{self.unit}", f"{sign} {short(self.limit)}{self.unit}"
        return f"  {self.what:<52}{shown[0]:>10}   {shown[1]:<10}{verdict:>8}"


def short(figure: float) -> str:
    """Write a figure with the digits that can be trusted."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"


def p50(times: Sequence[float]) -> float:
    """Give the median."""
    return median(times)


def p99(times: Sequence[float]) -> float:
    """Give the time that one in a hundred passes."""
    return quantiles(times, n=100, method="inclusive")[-1]


def show_rates(title: str, taken: dict[str, Times]) -> None:
    """Print how many a second were done, a line a way."""
    print(f"\n{title}\n  {'':<58}{'best':>10}{'p50':>10}")
    for name, times in taken.items():
        print(f"  {name:<58}{short(1 / min(times)):>10}{short(1 / p50(times)):>10}")


def show_times(title: str, taken: dict[str, Times], statements: dict[str, int]) -> None:
    """Print the times of one engine, a line a case."""
    print(f"\n{title}\n  {'':<44}{'p50 ms':>9}{'p99 ms':>9}{'times':>8}{'SQL':>6}")
    for name, times in taken.items():
        shown = f"{1_000 * p50(times):9.2f}{1_000 * p99(times):9.2f}{len(times):8}"
        print(f"  {name:<44}{shown}{statements.get(name, ''):>6}")


def show_bars(bars: Iterable[Bar]) -> bool:
    """Print the bars; say whether all are held."""
    listed = list(bars)
    print()
    for bar in listed:
        print(bar.line())
    return all(bar.held for bar in listed)
