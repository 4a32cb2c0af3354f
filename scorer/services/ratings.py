"""Ratings: how strong everybody plays a game, and how far off that figure may be, by OpenSkill.

Nothing is stored: the deals are gone through in order, as they stand. What that gives is cached
with the figures of the circle, session by session, up to the first session that has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from openskill.models import PlackettLuce

from scorer.services.figures import DealPlace, circle_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from uuid import UUID

    from openskill.models import PlackettLuceRating

    from scorer.ledger.contests import Contest
    from scorer.services.figures import CircleFigures, SessionFigures

#: Skills are counted from that of a newcomer, so that three are no more than two because they are
#: three: a side is worth what its players are above or below (docs/decisions/scoring.md).
MODEL = PlackettLuce(mu=0.0)
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


class RatedSession(NamedTuple):
    """By player the deals of a session by their numbers, with the rating after each."""

    session: SessionFigures
    moves: Mapping[UUID, Sequence[tuple[int, Rating]]]


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


NEWCOMER = Rating(MODEL.mu, MODEL.sigma)


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
            found[player_id] = moves[-1][1], deals + len(moves)
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
        for number, after in one.moves.get(player_id, ()):
            place = DealPlace(one.session.session_id, one.session.day, number)
            found.append(Move(place, before, after))
            before = after
    return found


def rating_of(circle_id: UUID, player_id: UUID, game: str) -> Rating | None:
    """Give the rating of a player in a game; None before a deal."""
    for one in reversed(rated_sessions(circle_figures(circle_id), game)):
        if player_id in one.moves:
            return one.moves[player_id][-1][1]
    return None


def rated_sessions(figures: CircleFigures, game: str) -> list[RatedSession]:
    """Rate the sessions of a game in order; those before the first that has changed are reused."""
    sessions = figures.of_game(game)
    known: list[RatedSession] = figures.rated.get(game, [])
    pairs = zip(known, sessions, strict=False)
    same = [one for one, _ in takewhile(lambda pair: pair[0].session is pair[1], pairs)]
    if len(same) < max(len(known), len(sessions)):
        known = figures.rated[game] = [*same, *_rate(same, sessions[len(same) :])]
    return known


def _rate(before: Sequence[RatedSession], sessions: Sequence[SessionFigures]) -> list[RatedSession]:
    last = {player_id: moves[-1][1] for one in before for player_id, moves in one.moves.items()}
    ratings = {
        player_id: MODEL.rating(mu=rating.skill, sigma=rating.spread)
        for player_id, rating in last.items()
    }
    return [RatedSession(one, _moves(one, ratings)) for one in sessions]


def _moves(
    session: SessionFigures, ratings: dict[UUID, PlackettLuceRating]
) -> dict[UUID, list[tuple[int, Rating]]]:
    """Rate the deals of a session one after the other; its players get new ratings."""
    moves: dict[UUID, list[tuple[int, Rating]]] = {}
    for contest in session.contests:
        for player_id, after in _after(contest, session, ratings):
            ratings[player_id] = after
            rating = Rating(after.mu, after.sigma)
            moves.setdefault(player_id, []).append((contest.number, rating))
    return moves


def _after(
    contest: Contest, session: SessionFigures, ratings: Mapping[UUID, PlackettLuceRating]
) -> Iterator[tuple[UUID, PlackettLuceRating]]:
    """Let the model say what a deal makes of the ratings of those who played it."""
    sides = [[session.seats[seat] for seat in side] for side in contest.sides]
    teams = [[ratings.get(one) or MODEL.rating() for one in side] for side in sides]
    rated = MODEL.rate(teams, ranks=[float(place) for place in contest.places])
    for side, after in zip(sides, rated, strict=True):
        yield from zip(side, after, strict=True)
