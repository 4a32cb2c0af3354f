"""Briscola Chiamata's part of the cards: the call, the partner, the monte, the dead hand."""
