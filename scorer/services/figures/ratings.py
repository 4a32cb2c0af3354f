"""Ratings of players in a game, with their uncertainty, by the model of Plackett and Luce.

The formulas are algorithm 4 of Weng and Lin, *A Bayesian Approximation Method for Online Ranking*
(2011), with the constants of OpenSkill. Nothing is stored: the standing deals are rated in order.
The results are cached session by session with the figures of the circle, and reused up to the first
changed session.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, takewhile
from math import exp, sqrt
from typing import NamedTuple
from uuid import UUID

from scorer.services.figures.figures import (
    CircleFigures,
    DealPlace,
    SessionFigures,
    circle_figures,
    derived,
)

#: The points of a newcomer, and those of a unit of skill.
START, SCALE = 1000, 20
#: The true skill lies within so many spreads 19 times in 20.
SURE = 2
#: How much chance there is in a deal, what time adds to a spread, and the least part of a variance
#: that a deal leaves.
CHANCE, DRIFT, LEAST = 25 / 6, 25 / 300, 0.0001


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
        """The half width of the interval around the figure."""
        return round(SURE * SCALE * self.spread)

    @property
    def least(self) -> int:
        """The lower end of the interval around the figure."""
        return self.points - self.margin

    @property
    def sure(self) -> float:
        """The lower bound of the skill, by which players are ranked."""
        return self.skill - SURE * self.spread


class RatedDeals:
    """The ratings of a player after each deal; in arrays, as a circle has tens of thousands."""

    __slots__ = ("numbers", "skills", "spreads")

    def __init__(self) -> None:
        self.numbers, self.skills, self.spreads = array("I"), array("d"), array("d")

    @property
    def last(self) -> Rating:
        return Rating(self.skills[-1], self.spreads[-1])

    def __iter__(self) -> Iterator[tuple[int, Rating]]:
        return zip(self.numbers, map(Rating, self.skills, self.spreads), strict=True)

    def add(self, number: int, rating: Rating) -> None:
        self.numbers.append(number)
        self.skills.append(rating.skill)
        self.spreads.append(rating.spread)


class RatedSession(NamedTuple):
    """The ratings of each player after the deals of a session."""

    session: SessionFigures
    moves: Mapping[UUID, RatedDeals]


class RatedPlayer(NamedTuple):
    """A player in the list of a game, with the number of deals rated; equals share a place."""

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
        return self.after.points - self.before.points


class GameRatings(NamedTuple):
    """The ratings of a game by lower bound; ``games`` are all that have ratings."""

    game: str
    games: Sequence[str]
    players: Sequence[RatedPlayer]


#: A newcomer's skill is 0, so that a side of three is not stronger than one of two by its number
#: (docs/decisions/scoring.md).
NEWCOMER = Rating(0.0, 25 / 3)


def game_ratings(circle_id: UUID, wanted: str = "") -> GameRatings | None:
    """Return the ratings of a game, by default the one played most; None before a deal."""
    figures = circle_figures(circle_id)
    played = {session.game for session in figures.sessions.values() if session.contests}
    games = sorted(played, key=lambda slug: (-figures.games[slug], slug))
    if not games:
        return None
    slug = wanted if wanted in games else games[0]
    return GameRatings(slug, games, _ranked(figures, slug))


@derived
def _ranked(figures: CircleFigures, game: str) -> list[RatedPlayer]:
    players: dict[UUID, tuple[Rating, int]] = {}
    for rated in rated_sessions(figures, game):
        for player_id, moves in rated.moves.items():
            _, deals = players.get(player_id, (NEWCOMER, 0))
            players[player_id] = moves.last, deals + len(moves.numbers)
    ranked = sorted(players.items(), key=lambda item: (-_level(item[1][0]), item[0]))
    levels = [_level(rating) for _, (rating, _) in ranked]
    return [RatedPlayer(levels.index(_level(of[0])) + 1, key, *of) for key, of in ranked]


def _level(rating: Rating) -> float:
    """Round away differences that come only from the order of additions."""
    return round(rating.sure, 9)


@derived
def rating_moves(figures: CircleFigures, player_id: UUID, game: str) -> list[Move]:
    """List how each deal moved the rating of a player in a game, oldest first."""
    moves: list[Move] = []
    before = NEWCOMER
    for rated in rated_sessions(figures, game):
        for number, after in rated.moves.get(player_id, RatedDeals()):
            place = DealPlace(rated.session.session_id, rated.session.day, number)
            moves.append(Move(place, before, after))
            before = after
    return moves


def rating_of(figures: CircleFigures, player_id: UUID, game: str) -> Rating | None:
    """Return the rating of a player in a game; None before a deal."""
    return _last(rated_sessions(figures, game), player_id)


def _last(rated: Sequence[RatedSession], player_id: UUID) -> Rating | None:
    moves = (session.moves.get(player_id) for session in reversed(rated))
    return next((of_player.last for of_player in moves if of_player), None)


def rated_sessions(figures: CircleFigures, game: str) -> list[RatedSession]:
    """Rate the sessions of a game in order; those before the first that has changed are reused."""
    sessions = figures.of_game(game)
    known: list[RatedSession] = figures.kept.get(("ratings", game), [])
    pairs = zip(known, sessions, strict=False)
    same = [rated for rated, _ in takewhile(lambda pair: pair[0].session is pair[1], pairs)]
    if len(same) < max(len(known), len(sessions)):
        changed = sessions[len(same) :]
        people = {player_id for session in changed for player_id in session.seats.values()}
        latest = ((player_id, _last(same, player_id)) for player_id in people)
        ratings = {player_id: rating for player_id, rating in latest if rating}
        known = [*same, *(RatedSession(session, _moves(session, ratings)) for session in changed)]
        figures.kept["ratings", game] = known
    return known


def _moves(session: SessionFigures, ratings: dict[UUID, Rating]) -> dict[UUID, RatedDeals]:
    """Rate the deals of a session in order, by seat, and update ``ratings``."""
    now = {seat: ratings.get(player_id, NEWCOMER) for seat, player_id in session.seats.items()}
    by_seat: defaultdict[int, RatedDeals] = defaultdict(RatedDeals)
    for contest in session.contests:
        after = rate([[now[seat] for seat in side] for side in contest.sides], contest.places)
        for seat, rating in zip(chain(*contest.sides), chain(*after), strict=True):
            now[seat] = rating
            by_seat[seat].add(contest.number, rating)
    moves = {session.seats[seat]: rated for seat, rated in by_seat.items()}
    ratings |= {player_id: rated.last for player_id, rated in moves.items()}
    return moves


def rate(sides: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
    """Return the ratings of the players of each side after a deal with these places.

    ``chances`` are those of a side to take its place and each better one, ``known`` is how much the
    deal tells about its strength.
    """
    variances = [[rating.spread**2 + DRIFT**2 for rating in side] for side in sides]
    of_sides = [sum(side) for side in variances]
    unit = sqrt(sum(of_sides) + len(sides) * CHANCE**2)
    strengths = [exp(sum(rating.skill for rating in side) / unit) for side in sides]
    shares = {
        place: sum(part for part, other in zip(strengths, places, strict=True) if other >= place)
        for place in places
    }
    rated = []
    for strength, place, variance, side, parts in zip(
        strengths, places, of_sides, sides, variances, strict=True
    ):
        chances = [strength / share for other, share in shares.items() if other <= place]
        step = (1 / places.count(place) - sum(chances)) / unit
        known = sum(chance * (1 - chance) for chance in chances) * sqrt(variance) / unit**3
        rated.append(
            [
                Rating(rating.skill + part * step, sqrt(part * max(1 - part * known, LEAST)))
                for rating, part in zip(side, parts, strict=True)
            ]
        )
    return rated
