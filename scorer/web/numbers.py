"""Figures as people read them: averages with a sign, shares in percent."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from flask_babel import format_decimal

from scorer.texts import MINUS


def average(points: int, deals: int) -> str:
    """Write what a deal paid on average: ``+0.85``."""
    return _signed(Fraction(points, deals), "0.00")


def exact(points: Fraction) -> str:
    """Write points that may be parts of points: ``−3.3``; whole ones stay whole."""
    return _signed(points, "0" if points.denominator == 1 else "0.0")


def shown_sign(written: str) -> str:
    """Name the sign of a written figure: what is rounded to nothing has none."""
    return {"+": "plus", MINUS: "minus"}.get(written[0], "zero")


def percent(share: float | Fraction) -> str:
    """Write a share: ``67%``."""
    return f"{round(100 * share)}%"


def _signed(value: Fraction, pattern: str) -> str:
    written = str(format_decimal(Decimal(abs(value.numerator)) / value.denominator, pattern))
    if not any(digit in written for digit in "123456789"):
        return written
    return ("+" if value > 0 else MINUS) + written
