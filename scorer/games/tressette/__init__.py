"""Tressette for two, three and four: aces and thirds are taken in tricks, the last one counts one.

What is held from the deal may be declared: a napoletana, or three or four aces, twos or threes
(rules.md D5).
"""

from scorer.games.tressette.game import GAME

__all__ = ["GAME"]
