"""Figures of a run, each with the bound that it is held to."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, its bounds if it has any, and a note."""

    what: str
    value: float
    unit: str = ""
    most: float | None = None
    least: float | None = None
    note: str = ""

    @property
    def held(self) -> bool:
        most = self.value if self.most is None else self.most
        least = self.value if self.least is None else self.least
        return least <= self.value <= most

    def row(self) -> str:
        exact = self.most is not None and self.most == self.least
        bounds = {"=": self.most} if exact else {"≤": self.most, "≥": self.least}
        said = " ".join(f"{sign} {short(one)}" for sign, one in bounds.items() if one is not None)
        verdict = "" if not said else "held" if self.held else "MISSED"
        value = f"{short(self.value)} {self.unit}".rstrip()
        return f"| {self.what} | {value} | {said} | {verdict} | {self.note} |"


def short(figure: float) -> str:
    """Write a figure with the digits that can be trusted."""
    whole = figure >= 100 or figure == round(figure)
    return f"{figure:,.0f}" if whole else f"{figure:.3g}"


def p99(seconds: Sequence[float]) -> float:
    """Return the time that one in a hundred exceeds."""
    return quantiles(seconds, n=100, method="inclusive")[-1]


def times(what: str, seconds: Sequence[float], most: float | None = None) -> Figure:
    """Hold the 99th percentile, in milliseconds."""
    note = f"p99 of {len(seconds):,}; p50 {short(1_000 * median(seconds))} ms"
    return Figure(what, 1_000 * p99(seconds), "ms", most, note=note)


def faultless(faults: Sequence[str]) -> Figure:
    """Print what is wrong with the stored deals, of which there must be nothing."""
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    return Figure("deals lost, doubled or changed, findings of verify", len(faults), most=0)


def memory(processes: Sequence[int]) -> list[float]:
    """Return the memory of each process in MB, what they share divided among them."""
    rollups = [Path(f"/proc/{process}/smaps_rollup").read_text("ascii") for process in processes]
    lines = [line for text in rollups for line in text.splitlines() if line.startswith("Pss:")]
    return [int(line.split()[1]) / 1024 for line in lines]


def processor_seconds(processes: Sequence[int]) -> float:
    """Return the seconds of processor time that processes have taken together."""
    stats = [Path(f"/proc/{process}/stat").read_text("ascii") for process in processes]
    ticks = [text.rpartition(")")[2].split()[11:13] for text in stats]
    return sum(int(tick) for pair in ticks for tick in pair) / os.sysconf("SC_CLK_TCK")
