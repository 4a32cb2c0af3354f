"""Head to head: how two players did on one side, and on different ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from scorer.services.figures import CircleFigures, circle_figures


@dataclass(slots=True)
class HeadToHead:
    """Counts of the deals of two players: as partners, and as opponents.

    A draw is neither won nor lost. Among more than two sides, the better place wins.
    """

    together: int = 0
    won_together: int = 0
    against: int = 0
    won: int = 0
    lost: int = 0

    @property
    def deals(self) -> int:
        """The deals of the two on any sides."""
        return self.together + self.against


def heads_to_head(circle_id: UUID, player_id: UUID, game: str) -> Mapping[UUID, HeadToHead]:
    """Count a player's deals with and against each other one in a game, most deals first."""
    figures = circle_figures(circle_id)
    return figures.once(("heads", game, player_id), lambda: _count(figures, player_id, game))


def _count(figures: CircleFigures, player_id: UUID, game: str) -> dict[UUID, HeadToHead]:
    found: dict[UUID, HeadToHead] = {}
    for session, seat, deal in figures.taken(game, player_id):
        mine = deal.place_of(seat) or 0
        for side, theirs in zip(deal.sides, deal.places, strict=True):
            for other in (one for one in side if one != seat):
                tally = found.setdefault(session.seats[other], HeadToHead())
                if seat in side:
                    tally.together += 1
                    tally.won_together += deal.won_by(seat)
                else:
                    tally.against += 1
                    tally.won += mine < theirs
                    tally.lost += theirs < mine
    return dict(sorted(found.items(), key=lambda one: -one[1].deals))
