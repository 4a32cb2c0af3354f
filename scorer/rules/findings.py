"""What an examination finds: each finding with a code, where it is, and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorer.rules.seats import Seat
    from scorer.texts import Text


class Finding(NamedTuple):
    """One fault of a record, or one difference from the claim (rules.md C2)."""

    code: str
    where: Mapping[str, object]
    message: Text


class Examined(NamedTuple):
    """What a record proves, and everything that is wrong with it.

    What each player has is listed in order of play. ``bounds`` are the least and the most card
    points that the caller's side can end with; ``partner`` and ``alone`` are None while the record
    leaves them open.
    """

    complete: bool
    winners: Sequence[Seat | None]
    card_points: Mapping[Seat, int]
    tricks_won: Mapping[Seat, int]
    partner: Seat | None
    alone: bool | None
    side_points: int | None
    bounds: tuple[int, int]
    status: str
    payouts: Mapping[Seat, int] | None
    problems: Sequence[Finding]
    warnings: Sequence[Finding]
