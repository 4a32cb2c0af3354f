"""Deals written down card by card: read, examined, proved, played again.

The cards of a deal are a value, the board; everything else are functions that take it
(docs/cards.md). ``games`` has the table of what differs between the games.
"""
