"""Deals written down card by card: read, examined, proved, played again.

The cards of a deal are a value, the board; everything else are functions that take it: ``begin``
makes one of which no card is known, ``play`` puts a card, ``examine`` says what the cards prove,
all in ``games``, and ``follow`` (``line``) works out who led and who won. ``games`` has the table
of what differs between the games.
"""
