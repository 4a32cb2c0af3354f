"""How sure a share is: three of three may be luck, three hundred of three hundred are not."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959964  # 95 of 100 such intervals hold the true share


class Interval(NamedTuple):
    """From where to where a share may well be, between 0 and 1."""

    low: float
    high: float


def wilson(hits: int, tries: int) -> Interval:
    """Give Wilson's interval for a share, which stays between 0 and 1 and is wide for few tries."""
    if tries == 0:
        return Interval(0, 1)
    share, extra = hits / tries, Z * Z / tries
    middle = (share + extra / 2) / (1 + extra)
    reach = Z * sqrt((share * (1 - share) + extra / 4) / tries) / (1 + extra)
    return Interval(max(0, middle - reach), min(1, middle + reach))
