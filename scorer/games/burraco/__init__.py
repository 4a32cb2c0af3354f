"""Burraco for two, three and four: what lies on the table counts, what is left in hand costs.

Seven cards or more in one run or set are a burraco: clean, semi-clean or dirty. It is played to a
target, or for a number of deals with victory points (rules.md D3).
"""

from scorer.games.burraco.game import GAME

__all__ = ["GAME"]
