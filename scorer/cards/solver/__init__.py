"""What a deal comes to with all cards open and best play by all: positions, search, answers.

``search`` takes long to import where it is compiled: import it late. Beside it, ``open_deal`` is what
a game makes of its record, and ``kernel`` the search itself.
"""
