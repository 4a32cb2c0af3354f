"""Briscola Chiamata's part of the cards: the call, the partner, the monte, the dead hand.

Pages that lay cards aside for the monte import these names beside ``engine``.
"""

from scorer.cards.chiamata.deal import ChiamataDeal

DEAL_CLASS = ChiamataDeal
parse = ChiamataDeal.parse
