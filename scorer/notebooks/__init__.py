"""Notebooks: tables as people keep them, from text to evenings, with what was not understood.

`tables` makes the cells of one table of a text, `guessing` says what its columns are, `reading`
makes evenings of its rows. Nothing here knows players, rules or payouts.
"""
