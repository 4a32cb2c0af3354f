"""The findings of an examination, each with a code, a place and a sentence."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorer.rules.seats import Seat
from scorer.texts import Text


class Finding(NamedTuple):
    """One fault of a record, or one difference from the claim (rules.md C2)."""

    code: str
    where: Mapping[str, object]
    message: Text


class SideTaken(NamedTuple):
    """What a side has taken for certain, and the least and the most that it can end with."""

    seats: tuple[Seat, ...]
    card_points: int
    bounds: tuple[int, int]


class DealProof(NamedTuple):
    """The result of an examination: what a record proves, and its faults.

    What each player has is listed in order of play. Where a caller finds his partner, ``bounds``
    are the least and the most card points that his side can end with; ``partner`` and ``alone`` are
    None while the record leaves them open. Where the sides are known before, there are ``sides``,
    and the ``sheet`` that the cards prove, once they prove a whole one. ``exact`` says whether the
    record is known to reach the bounds; otherwise they only hold.
    """

    complete: bool
    winners: Sequence[Seat | None]
    card_points: Mapping[Seat, int]
    tricks_won: Mapping[Seat, int]
    exact: bool
    status: str
    payouts: Mapping[Seat, int] | None
    problems: Sequence[Finding]
    warnings: Sequence[Finding]
    partner: Seat | None = None
    alone: bool | None = None
    side_points: int | None = None
    bounds: tuple[int, int] = (0, 0)
    sides: tuple[SideTaken, ...] = ()
    sheet: Mapping[str, object] | None = None
