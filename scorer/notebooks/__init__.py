"""Notebooks: score tables as people keep them, parsed from text to evenings and doubts.

`tables` splits a text into the cells of one table, `guessing` finds out what its columns are,
`reading` makes evenings of its rows. Nothing here knows players, rules or payouts.
"""
