"""Something to time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Step(NamedTuple):
    """Something to time: every so many rounds, with the seconds of what was asked in it."""

    every: int
    take: Callable[[], dict[str, float]]
