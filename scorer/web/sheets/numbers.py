"""Numbers as browsers send them."""

from __future__ import annotations


def number(text: str | None) -> int | str | None:
    """Read a number; what is none is kept as it was typed, for the rules to refuse."""
    found = whole(text or "", digits=6)
    return (text or "").strip() or None if found is None else found


def whole(text: str, *, digits: int = 10) -> int | None:
    """Read a whole number, with a hyphen or a real minus; None where it is none."""
    stripped = text.strip().replace("\N{MINUS SIGN}", "-")
    figures = stripped.removeprefix("-")
    if figures.isascii() and figures.isdigit() and len(figures) <= digits:
        return int(stripped)
    return None
