"""Scopa for two, three, four and six: what each side has in its pile is counted after the deal.

The most cards, the most coins, the settebello, the best primiera and every scopa count a point; a
house may also count the napola and the re bello (rules.md D1).
"""

from scorer.games.scopa.game import GAME

__all__ = ["GAME"]
