"""The standings of a circle over a span of dates, its records, and two players compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from scorer.games import find_game
from scorer.ledger import standings
from scorer.rules.game import Game, Level
from scorer.rules.seats import Seat
from scorer.services.figures.figures import (
    CircleFigures,
    EveningFigures,
    PlayerFigures,
    Run,
    SessionFigures,
    circle_figures,
)
from scorer.storage import queries
from scorer.storage.models import Player
from scorer.texts import Text

Lives = Sequence[tuple[Player, PlayerFigures]]

T = TypeVar("T")


class RankedPlayer(NamedTuple):
    """A player in the standings, with points, deals and evenings within the span."""

    place: int
    player: Player
    points: int
    deals: int
    evenings: int


class Best(NamedTuple, Generic[T]):
    """A record of the circle, and who holds it: ``player_id`` is the first of them."""

    player_id: UUID
    names: tuple[str, ...]
    figure: T


class BidMade(NamedTuple):
    """A bid that was made, and its level."""

    level: Level
    bid: str


class CircleStandings(NamedTuple):
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
    people = queries.circle.players(circle_id)
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
        (player, figures.lifetime(slug, player.player_id))
        for player in people
        if player.player_id in played
    ]
    lowest_leads = figures.lowest_leads(slug)
    sign = -1 if lowest_leads else 1
    ends = [(player, life.lowest if lowest_leads else life.highest) for player, life in lives]
    runs = [(player, life.run) for player, life in lives if life.run]
    longest_run = (
        best_of(runs, lambda run: (run.length, -run.last.day.toordinal())) if runs else None
    )
    return CircleStandings(
        game=game,
        games={slug: figures.game_name(slug) for slug in figures.games},
        lowest_leads=lowest_leads,
        since=since,
        until=until,
        places=_places(lives, since, until, lowest_leads=lowest_leads),
        best_evening=best_of(ends, lambda end: (sign * end.points, -end.day.toordinal())),
        longest_run=longest_run,
        highest_bid=highest_bid(game, lives),
    )


def _places(
    lives: Lives, since: date | None, until: date | None, *, lowest_leads: bool
) -> list[RankedPlayer]:
    """Rank whoever played within the span."""
    summed = ((player, *_within(life, since, until)) for player, life in lives)
    within = [(player, points, deals, count) for player, points, deals, count in summed if deals]
    totals = {Seat(at): points for at, (_, points, _, _) in enumerate(within)}
    ranked = standings(totals, lowest_first=lowest_leads)
    return [RankedPlayer(place, *within[at]) for place, at, _ in ranked]


def _within(
    lifetime: PlayerFigures, since: date | None, until: date | None
) -> tuple[int, int, int]:
    """Return the points, deals and evenings of a player within the span."""
    if since is None and until is None:
        everything = lifetime.record.everything
        return everything.points, everything.deals, len(lifetime.evenings)
    evenings = [
        evening
        for evening in lifetime.evenings
        if (since or evening.day) <= evening.day <= (until or evening.day)
    ]
    points = sum(evening.points for evening in evenings)
    return points, sum(evening.deals for evening in evenings), len(evenings)


def best_of(held: Sequence[tuple[Player, T]], key: Callable[[T], Any]) -> Best[T]:
    """Return the highest figure with all who hold it, in the order given."""
    most = max(key(figure) for _, figure in held)
    level = [(holder, figure) for holder, figure in held if key(figure) == most]
    names = tuple(dict.fromkeys(holder.name for holder, _ in level))
    return Best(level[0][0].player_id, names, level[0][1])


def highest_bid(game: Game[Any, Any], lives: Lives) -> Best[BidMade] | None:
    """Return the highest bid that was made, with whoever made it."""
    heights = bid_heights(game.slug)
    made = [
        (player, bid)
        for player, life in lives
        for bid, tally in life.record.bids.items()
        if tally.made and bid in heights
    ]
    if not made:
        return None
    player_id, names, bid = best_of(made, key=lambda bid: heights[bid])
    return Best(player_id, names, BidMade(game.levels[heights[bid][0]], bid))


@cache
def bid_heights(slug: str) -> dict[str, tuple[int, int]]:
    """Rank each bid of a game by its level and its place within the level."""
    return {
        bid: (place, height)
        for place, level in enumerate(find_game(slug).levels)
        for height, bid in enumerate(level.bids)
    }


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
        return self.together + self.against


@dataclass
class HeadsToHead:
    """A player's deals with and against each other one."""

    tallies: dict[UUID, HeadToHead] = field(default_factory=dict)

    def copy(self) -> HeadsToHead:
        return HeadsToHead({other: replace(tally) for other, tally in self.tallies.items()})

    def add(self, session: SessionFigures, seat: int) -> None:
        for deal in session.contests:
            mine = deal.place_of(seat)
            if mine is None:
                continue
            for side, theirs in zip(deal.sides, deal.places, strict=True):
                for other in (session.seats[other] for other in side if other != seat):
                    tally = self.tallies.setdefault(other, HeadToHead())
                    if seat in side:
                        tally.together += 1
                        tally.won_together += seat in deal.won
                    else:
                        tally.against += 1
                        tally.won += mine < theirs
                        tally.lost += theirs < mine


def heads_to_head(figures: CircleFigures, player_id: UUID, game: str) -> Mapping[UUID, HeadToHead]:
    """Count a player's deals with and against each other one in a game, most deals first."""
    tallies = figures.summed(HeadsToHead, game, player_id).tallies
    return dict(sorted(tallies.items(), key=lambda item: -item[1].deals))
