"""Briscola Chiamata: a caller bids for the deal and names a card; whoever holds it is the partner.

Five play, with forty cards. After the auction the highest bidder names a card: its suit is the
briscola, its holder plays with the caller, and nobody else knows. The caller's side wins when it
takes the card points that were bid, at least 61 at most tables. Whoever called a card of their own
plays alone against all. The score table says what a deal pays: a unit for the bid, a weight for
each role (rules.md A).
"""

from scorer.games.briscola_chiamata.game import GAME

__all__ = ["GAME"]
