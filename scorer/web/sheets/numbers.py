"""Numbers as browsers send them."""

from __future__ import annotations


def number(text: str | None) -> int | str | None:
    """Read a number; what is none is kept as it was typed, for the rules to refuse."""
    stripped = (text or "").strip().replace("\N{MINUS SIGN}", "-")
    digits = stripped.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 7:
        return int(stripped)
    return stripped or None
