"""The result of a deal with all cards open and best play by all: positions, search, answers.

Each game converts its record to an ``open_deal``, ``search`` answers questions about it, ``kernel``
is the search itself. Compiled, it takes long to import: import it late.
"""
