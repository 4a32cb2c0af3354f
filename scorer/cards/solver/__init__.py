"""What a deal comes to with all cards open and best play by all: positions, search, answers.

``open_deal`` is what a game makes of its record, ``search`` answers questions about it, ``kernel``
is the search itself. Where it is compiled it takes long to import: import it late.
"""
