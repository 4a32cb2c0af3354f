"""Notebooks: score tables as people keep them, parsed to evenings, with what is still open.

`tables` splits a text into sheets of cells, and a sheet into a head and rows; `columns` says what
its columns are, as far as that is certain; `reading` makes evenings of its rows, and `rows` says
what those come to. What is not certain is open until somebody answers. Nothing here knows rules,
payouts or a database.
"""
