"""What a game is: one place that asks, finds faults, and says who is paid what and why."""

from scorer.rules.game.deals import Outcome
from scorer.rules.game.deals import PenaltySheet
from scorer.rules.game.deals import R
from scorer.rules.game.deals import RuleSet
from scorer.rules.game.deals import Table
from scorer.rules.game.deals import Turn
from scorer.rules.game.deals import read_penalty
from scorer.rules.game.game import Game
from scorer.rules.game.game import S
from scorer.rules.game.merging import difference
from scorer.rules.game.merging import merged
from scorer.rules.game.scores import Fact
from scorer.rules.game.scores import Level
from scorer.rules.game.scores import Score
from scorer.rules.game.scores import Step

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
]
