"""Trick games whose sides are known before the first card, and whose sheets say what each took.

A game is a ``SidesDeal``: its deck, how many cards are dealt at first, what the cards taken come to
on its sheet, and when the result is known.
"""
