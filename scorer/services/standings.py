"""The standings of a circle over a span of dates, and its records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

from scorer.games import find_game
from scorer.ledger import standings
from scorer.rules.game import Game, Level
from scorer.rules.seats import Seat
from scorer.services.figures import (
    CircleFigures,
    EveningFigures,
    PlayerFigures,
    Run,
    circle_figures,
)
from scorer.storage import queries
from scorer.storage.models import Player
from scorer.texts import Text

Lives = Sequence[tuple[Player, PlayerFigures]]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player in the standings, with points, deals and evenings within the span."""

    place: int
    player_id: UUID
    name: str
    nickname: str
    points: int
    deals: int
    evenings: int


class Best(NamedTuple, Generic[T]):
    """A record of the circle, and who holds it: ``player_id`` is the first of them."""

    player_id: UUID
    names: tuple[str, ...]
    figure: T


class Holder(Protocol):
    """Somebody who may hold a record."""

    @property
    def player_id(self) -> UUID:
        """The player."""

    @property
    def name(self) -> str:
        """The player's name."""


class BidMade(NamedTuple):
    """A bid that was made, and its level."""

    level: Level
    bid: str


@dataclass(frozen=True, slots=True)
class CircleStandings:
    """The standings and records of a circle in a game; ``games`` are all that it played."""

    game: Game[Any, Any]
    games: Mapping[str, Text]
    lowest_leads: bool
    since: date | None
    until: date | None
    places: Sequence[RankedPlayer]
    best_evening: Best[EveningFigures]
    longest_run: Best[Run] | None
    highest_bid: Best[BidMade] | None


def circle_standings(
    circle_id: UUID, wanted: str, since: date | None, until: date | None
) -> CircleStandings | None:
    """Return the standings of a circle in a game, by default the one played most."""
    people = queries.players(circle_id)
    return standings_of(circle_figures(circle_id), people, wanted, since=since, until=until)


def standings_of(
    figures: CircleFigures,
    people: Sequence[Player],
    wanted: str = "",
    *,
    since: date | None = None,
    until: date | None = None,
) -> CircleStandings | None:
    """Return the standings by some figures; the records ignore ``since`` and ``until``."""
    slug = wanted if wanted in figures.games else figures.main_game
    if slug is None:
        return None
    game, played = find_game(slug), figures.players(slug)
    lives = [
        (one, figures.lifetime(slug, one.player_id)) for one in people if one.player_id in played
    ]
    lowest_leads = figures.lowest_leads(slug)
    return CircleStandings(
        game=game,
        games={slug: find_game(slug).name for slug in figures.games},
        lowest_leads=lowest_leads,
        since=since,
        until=until,
        places=_places(lives, since, until, lowest_leads=lowest_leads),
        best_evening=_best_evening(lives, lowest_leads=lowest_leads),
        longest_run=_longest_run(lives),
        highest_bid=_highest_bid(game, lives),
    )


def _places(
    lives: Lives, since: date | None, until: date | None, *, lowest_leads: bool
) -> list[RankedPlayer]:
    """Rank whoever played within the span."""
    summed = ((player, _within(life, since, until)) for player, life in lives)
    within = [(player, sums) for player, sums in summed if sums[1]]
    totals = {Seat(at): sums[0] for at, (_, sums) in enumerate(within)}
    return [
        RankedPlayer(
            place=place,
            player_id=player.player_id,
            name=player.name,
            nickname=player.nickname,
            points=points,
            deals=deals,
            evenings=evenings,
        )
        for place, at, _ in standings(totals, lowest_first=lowest_leads)
        for player, (points, deals, evenings) in [within[at]]
    ]


def _within(
    lifetime: PlayerFigures, since: date | None, until: date | None
) -> tuple[int, int, int]:
    """Return the points, deals and evenings of a player within the span."""
    if since is None and until is None:
        everything = lifetime.record.everything
        return everything.points, everything.deals, len(lifetime.evenings)
    evenings = [
        one for one in lifetime.evenings if (since or one.day) <= one.day <= (until or one.day)
    ]
    points, deals = sum(one.points for one in evenings), sum(one.deals for one in evenings)
    return points, deals, len(evenings)


def best_of(held: Sequence[tuple[Holder, T]], key: Callable[[T], Any]) -> Best[T]:
    """Return the highest figure with all who hold it, in the order given."""
    most = max(key(figure) for _, figure in held)
    level = [(holder, figure) for holder, figure in held if key(figure) == most]
    names = tuple(dict.fromkeys(holder.name for holder, _ in level))
    return Best(level[0][0].player_id, names, level[0][1])


def _best_evening(lives: Lives, *, lowest_leads: bool) -> Best[EveningFigures]:
    sign = -1 if lowest_leads else 1
    best = [(player, life.lowest if lowest_leads else life.highest) for player, life in lives]
    return best_of(best, key=lambda one: (sign * one.points, -one.day.toordinal()))


def _longest_run(lives: Lives) -> Best[Run] | None:
    runs = [(player, life.run) for player, life in lives if life.run]
    if not runs:
        return None
    return best_of(runs, key=lambda run: (run.length, -run.last.day.toordinal()))


def _highest_bid(game: Game[Any, Any], lives: Lives) -> Best[BidMade] | None:
    heights = bid_heights(game.slug)
    made = [
        (player, bid)
        for player, life in lives
        for bid, tally in life.record.bids.items()
        if tally.made and bid in heights
    ]
    if not made:
        return None
    player_id, names, bid = best_of(made, key=lambda one: heights[one])
    return Best(player_id, names, BidMade(game.levels[heights[bid][0]], bid))


@cache
def bid_heights(slug: str) -> dict[str, tuple[int, int]]:
    """Rank each bid of a game by its level and its place within the level."""
    return {
        bid: (place, height)
        for place, level in enumerate(find_game(slug).levels)
        for height, bid in enumerate(level.bids)
    }
