"""Trick games whose sides are known from the start, and whose sheets have what each took.

A game is a ``SidesDeal``: its deck, the number of cards dealt at first, the answers on the sheet
that follow from the cards taken, and when the result is known.
"""
