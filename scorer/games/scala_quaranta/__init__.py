"""Scala Quaranta for two to six: who closes takes nothing on, the others the cards they hold.

Whoever reaches the limit is out, unless the house lets them buy in again; the last one left wins
(rules.md D4).
"""

from scorer.games.scala_quaranta.game import GAME

__all__ = ["GAME"]
