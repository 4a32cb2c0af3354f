"""Ratings: how strong everybody plays a game, and how far off that figure may be, as by OpenSkill.

Nothing is stored: the deals are gone through in order, as they stand. What that gives is cached
with the figures of the circle, session by session, up to the first session that has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scorer.ledger import skills as model
from scorer.ledger.skills import Skill, after_contest
from scorer.services.figures import DealPlace, Moved, RatedSession, circle_figures

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.figures import CircleFigures, SessionFigures

#: What a newcomer has, and how many points one of the model's is.
START, SCALE = 1000, 20
#: The true figure lies within so many spreads 19 times in 20.
SURE = 2


class Rating(NamedTuple):
    """A skill of the model, with its spread (one standard deviation)."""

    skill: float
    spread: float

    @property
    def points(self) -> int:
        """The figure that is shown."""
        return round(START + SCALE * self.skill)

    @property
    def margin(self) -> int:
        """How far off the figure may be, up or down."""
        return round(SURE * SCALE * self.spread)

    @property
    def sure(self) -> float:
        """What the rating is at least; who stands where goes by that."""
        return self.skill - SURE * self.spread


class RatedPlayer(NamedTuple):
    """A player in the list of a game, with the deals that the rating rests on."""

    place: int
    player_id: UUID
    rating: Rating
    deals: int


class Move(NamedTuple):
    """How a deal moved the rating of a player."""

    place: DealPlace
    before: Rating
    after: Rating

    @property
    def change(self) -> int:
        """By how many of the points that are shown."""
        return self.after.points - self.before.points


@dataclass(frozen=True, slots=True)
class GameRatings:
    """The ratings of a game, surest first; ``games`` are those in which deals were won."""

    game: str
    games: Sequence[str]
    players: Sequence[RatedPlayer]


NEWCOMER = Rating(*model.NEWCOMER)


def game_ratings(circle_id: UUID, wanted: str = "") -> GameRatings | None:
    """Give the ratings of the wanted game, by default the one played most; None before a deal."""
    figures = circle_figures(circle_id)
    played = {one.game for one in figures.sessions if one.contests}
    games = sorted(played, key=lambda slug: (-figures.games[slug], slug))
    if not games:
        return None
    slug = wanted if wanted in games else games[0]
    rated = rated_sessions(figures, slug)
    players = figures.once(("ratings", slug), lambda: _ranked(rated))
    return GameRatings(slug, games, players)


def _ranked(rated: Sequence[RatedSession]) -> list[RatedPlayer]:
    found: dict[UUID, tuple[Rating, int]] = {}
    for one in rated:
        for player_id, moves in one.moves.items():
            _, deals = found.get(player_id, (NEWCOMER, 0))
            found[player_id] = _rating(moves[-1]), deals + len(moves)
    ranked = sorted(found.items(), key=lambda one: (-one[1][0].sure, one[0]))
    return [RatedPlayer(place, key, *of) for place, (key, of) in enumerate(ranked, 1)]


def rating_moves(circle_id: UUID, player_id: UUID, game: str) -> list[Move]:
    """Give how each deal moved the rating of a player in a game, oldest first."""
    figures = circle_figures(circle_id)
    rated = rated_sessions(figures, game)
    return figures.once(("moves", game, player_id), lambda: _moves_of(player_id, rated))


def _moves_of(player_id: UUID, rated: Sequence[RatedSession]) -> list[Move]:
    found: list[Move] = []
    before = NEWCOMER
    for one in rated:
        for moved in one.moves.get(player_id, ()):
            place = DealPlace(one.session.session_id, one.session.day, moved.number)
            found.append(Move(place, before, _rating(moved)))
            before = found[-1].after
    return found


def rating_of(circle_id: UUID, player_id: UUID, game: str) -> Rating | None:
    """Give the rating of a player in a game; None before a deal."""
    for one in reversed(rated_sessions(circle_figures(circle_id), game)):
        if player_id in one.moves:
            return _rating(one.moves[player_id][-1])
    return None


def rated_sessions(figures: CircleFigures, game: str) -> list[RatedSession]:
    """Rate the sessions of a game in order; those before the first that has changed are reused."""
    sessions = [one for one in figures.sessions if one.game == game]
    known = figures.rated.get(game, [])
    same = 0
    while same < min(len(known), len(sessions)) and known[same].session is sessions[same]:
        same += 1
    if same < max(len(known), len(sessions)):
        figures.rated[game] = [*known[:same], *_rate(known[:same], sessions[same:])]
    return figures.rated.get(game, [])


def _rate(before: Sequence[RatedSession], sessions: Sequence[SessionFigures]) -> list[RatedSession]:
    last = {player_id: moves[-1] for one in before for player_id, moves in one.moves.items()}
    skills = {player_id: Skill(moved.skill, moved.spread) for player_id, moved in last.items()}
    return [RatedSession(one, _moves(one, skills)) for one in sessions]


def _moves(session: SessionFigures, skills: dict[UUID, Skill]) -> dict[UUID, list[Moved]]:
    """Rate the deals of a session one after the other; its players get new skills."""
    moves: dict[UUID, list[Moved]] = {}
    for contest in session.contests:
        people = [[session.seats[seat] for seat in side] for side in contest.sides]
        before = [[skills.get(one, model.NEWCOMER) for one in side] for side in people]
        for side, after in zip(people, after_contest(before, contest.places), strict=True):
            for player_id, skill in zip(side, after, strict=True):
                skills[player_id] = skill
                moves.setdefault(player_id, []).append(Moved(contest.number, *skill))
    return moves


def _rating(moved: Moved) -> Rating:
    return Rating(moved.skill, moved.spread)
