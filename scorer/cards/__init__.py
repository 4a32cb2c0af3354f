"""Deals written down card by card: read, examined, proved, played again.

The cards of a deal are a value, the board; everything else are functions that take it: ``begin``
(``games``) makes one of which no card is known, ``play`` (``moves``) puts a card, ``follow``
(``line``) works out who led and who won, ``examine`` (``games``) what the cards prove. ``games``
has the table of what differs between the games.
"""
