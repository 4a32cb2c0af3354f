"""The standings of a circle over a span of dates, its records, and two players compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from scorer.games import find_game
from scorer.rules.game import Game, Level
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

#: Where the deal between two players is looked for.
NEWEST = 40

T = TypeVar("T")


class Ranked(NamedTuple, Generic[T]):
    """Somebody in the standings, with points, deals and evenings within the span.

    Where evenings don't add up ``evenings`` and ``deals`` are those that have ended, and
    ``average_place`` is over them.
    """

    place: int
    player: T
    points: int
    deals: int
    evenings: int
    won: int
    average_place: Fraction | None


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
    """The standings and records of a circle in a game; ``games`` are all that it played.

    They go by balance or else by evenings won; then no evening is the best.
    """

    game: Game[Any, Any]
    games: Mapping[str, Text]
    by_balance: bool
    lowest_leads: bool
    since: date | None
    until: date | None
    places: Sequence[Ranked[Player]]
    best_evening: Best[EveningFigures] | None
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
    game, known = find_game(slug), figures.players(slug)
    lives = [
        (player, figures.lifetime(slug, player.player_id))
        for player in people
        if player.player_id in known
    ]
    first, last = since or date.min, until or date.max
    within = figures.within(first, last) if since or until else figures
    by_balance, lowest_leads = within.by_balance(slug), figures.lowest_leads(slug)
    sign = -1 if lowest_leads else 1
    ends = [(player, life.best(lowest=lowest_leads)) for player, life in lives]
    best = best_of(ends, lambda end: (sign * end.points, -end.day.toordinal()))
    played = (
        (player, [evening for evening in life.evenings if first <= evening.day <= last])
        for player, life in lives
    )
    runs = [(player, life.run) for player, life in lives if life.run]
    longest_run = (
        best_of(runs, lambda run: (run.length, -run.last.day.toordinal())) if runs else None
    )
    return CircleStandings(
        game=game,
        games={slug: figures.game_name(slug) for slug in figures.games},
        by_balance=by_balance,
        lowest_leads=lowest_leads,
        since=since,
        until=until,
        places=ranked(played, by_balance=by_balance, lowest_leads=within.lowest_leads(slug)),
        best_evening=best if by_balance else None,
        longest_run=longest_run,
        highest_bid=highest_bid(game, lives),
    )


def ranked(
    played: Iterable[tuple[T, Sequence[EveningFigures]]], *, by_balance: bool, lowest_leads: bool
) -> list[Ranked[T]]:
    """Rank whoever played by points, or by evenings won, their share, and the average place."""
    sign, rows = 1 if lowest_leads else -1, []
    for who, evenings in played:
        counted = [evening for evening in evenings if by_balance or evening.place]
        places = [evening.place for evening in counted if evening.place]
        points, won = sum(evening.points for evening in counted), places.count(1)
        average = Fraction(sum(places), len(places)) if places else None
        key = (sign * points,) if by_balance else (-won, -Fraction(won, len(counted) or 1), average)
        if counted:
            deals = sum(evening.deals for evening in counted)
            rows.append((key, Ranked(0, who, points, deals, len(counted), won, average)))
    keys = sorted(key for key, _ in rows)
    rows.sort(key=itemgetter(0))
    return [row._replace(place=keys.index(key) + 1) for key, row in rows]


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


class EveningOfTwo(NamedTuple):
    """A session that has ended, as it was for two players."""

    session: SessionFigures
    mine: EveningFigures
    theirs: EveningFigures


class DealOfTwo(NamedTuple):
    """A deal that one of two players won and the other lost, and what it paid both."""

    session_id: UUID
    number: int
    paid: tuple[int, int]


def evenings_of_two(
    figures: CircleFigures, game: str, one: UUID, other: UUID
) -> list[EveningOfTwo]:
    """List the sessions of a game that have ended with both players, oldest first."""
    return [
        EveningOfTwo(
            session,
            session.evening(session.paid[one.int]),
            session.evening(session.paid[other.int]),
        )
        for session in figures.of_game(game)
        if session.places and one.int in session.paid and other.int in session.paid
    ]


def deal_of_two(
    circle_id: UUID, evenings: Sequence[EveningOfTwo], one: UUID, other: UUID
) -> DealOfTwo | None:
    """Return the deal of the newest sessions that moved most points between two, if any did."""
    sessions = [evening.session for evening in evenings[-NEWEST:]]
    deals = queries.deals.paid_deals(circle_id, [session.session_id for session in sessions])
    moved = [
        DealOfTwo(session.session_id, deal.number, (mine, theirs))
        for session in sessions
        for deal in deals.get(session.session_id, ())
        for mine, theirs in [[deal.payouts.get(session.paid[who.int], 0) for who in (one, other)]]
        if mine * theirs < 0 and not deal.penalty
    ]
    return max(moved, key=lambda deal: abs(deal.paid[0] - deal.paid[1]), default=None)


def heads_to_head(figures: CircleFigures, player_id: UUID, game: str) -> Mapping[UUID, HeadToHead]:
    """Count a player's deals with and against each other one in a game, most deals first."""
    tallies = figures.summed(HeadsToHead, game, player_id).tallies
    return dict(sorted(tallies.items(), key=lambda item: -item[1].deals))
