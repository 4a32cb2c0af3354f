"""Deals as text (docs/notation.md): a line, a deal, a file with the deals of an evening."""
