"""What a deal pays and why, and how it is told: steps, facts, levels of bids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scorer.rules.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorer.texts import Text


class Step(NamedTuple):
    """One step of the arithmetic: the rule it follows, a sentence, and what it pays whom.

    ``brief`` says the same in two words, for steps that are shown beside a result.
    """

    rule: str
    text: Text
    amounts: Mapping[Seat, int]
    brief: Text | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """What a deal pays: the payouts are the sums of the steps, nothing else."""

    steps: tuple[Step, ...]
    payouts: dict[Seat, int]
    made: bool | None

    @classmethod
    def of(
        cls, active: Sequence[Seat], steps: Sequence[Step], *, made: bool | None = None
    ) -> Score:
        """Add the steps up for those who played; the last step tells the result."""
        payouts = dict.fromkeys(active, 0)
        for step in steps:
            for seat, amount in step.amounts.items():
                payouts[seat] += amount
        return cls(tuple(steps), payouts, made)


class Fact(NamedTuple):
    """One thing that was written down for a deal: what it is, and what it was."""

    label: Text
    value: Text | str


class Level(NamedTuple):
    """A step on the way up from the lowest bid: its code, its name, and the bids that it holds."""

    code: str
    name: Text
    bids: tuple[str, ...]
