"""What a game is: one place that asks, finds faults, and says who is paid what and why."""

from scorer.rules.game.deals import (
    Outcome,
    PenaltySheet,
    R,
    RuleSet,
    Table,
    Turn,
    read_penalty,
    with_times,
)
from scorer.rules.game.game import Game, S
from scorer.rules.game.merging import difference, merged
from scorer.rules.game.scores import Fact, Level, Score, Step

__all__ = [
    "Fact",
    "Game",
    "Level",
    "Outcome",
    "PenaltySheet",
    "R",
    "RuleSet",
    "S",
    "Score",
    "Step",
    "Table",
    "Turn",
    "difference",
    "merged",
    "read_penalty",
    "with_times",
]
