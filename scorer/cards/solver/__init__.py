"""The result of a deal with all cards open and best play by all: positions, search, answers.

``open_deal`` is a deal with all its cards, ``search`` answers questions about it, ``kernel`` is the
search itself. Compiled, ``search`` takes seconds to load: import it late.
"""
