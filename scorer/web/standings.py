"""The standings of a circle over a span of dates, and its records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from flask_babel import format_date

from scorer.games import find_game
from scorer.ledger import standings
from scorer.rules.seats import Seat
from scorer.services.clock import now
from scorer.services.figures import circle_figures
from scorer.storage import queries
from scorer.texts import Text, as_it_is, say, signed
from scorer.web.records import of_day, until
from scorer.web.searching import choices, read_search, search_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from uuid import UUID

    from scorer.errors import Problem
    from scorer.rules.game import Game
    from scorer.services.figures import CircleFigures, PlayerFigures, Run

SPANS = {
    "all": say("Always"),
    "year": say("This year"),
    "month": say("This month"),
    "dates": say("From–to"),
}


class Place(NamedTuple):
    """A player in the standings: what so many deals on so many evenings paid."""

    place: int
    player_id: UUID
    name: str
    points: int
    deals: int
    url: str
    evenings: int


class RecordLine(NamedTuple):
    """Something that nobody did better: what it is, whose, how much, and where it is told."""

    what: Text
    name: str
    figure: Text | str
    url: str


class Span(NamedTuple):
    """From which day to which; None leaves it open. ``asked`` is what was typed."""

    code: str
    since: date | None
    until: date | None
    asked: Mapping[str, str]
    problems: Sequence[Problem] = ()

    def holds(self, day: date) -> bool:
        """Whether a day is within the span."""
        return (self.since or day) <= day <= (self.until or day)

    @property
    def dates(self) -> dict[str, str]:
        """The span as the history asks for it."""
        days = {"from": self.since, "to": self.until}
        return {name: day.isoformat() for name, day in days.items() if day is not None}


@dataclass(frozen=True, slots=True)
class StandingsView:
    """How a circle stands in a game over a span; ``games`` are those that there are."""

    game: str
    games: Mapping[str, Text]
    span: Span
    places: Sequence[Place]
    lowest_leads: bool
    records: Sequence[RecordLine]


def read_span(circle_id: UUID, args: Mapping[str, str]) -> Span:
    """Read from when to when; without a code, dates alone will do, and nothing is always."""
    dates = {name: args[name] for name in ("from", "to") if args.get(name, "").strip()}
    code = args.get("span", "dates" if dates else "all")
    today = now().date()
    match code:
        case "year":
            return Span(code, today.replace(month=1, day=1), None, {})
        case "month":
            return Span(code, today.replace(day=1), None, {})
        case "dates":
            search = read_search(dates, choices(circle_id))
            since, until = search.sought.since, search.sought.until
            last = until.date() - timedelta(days=1) if until else None
            return Span(code, since.date() if since else None, last, dates, search.problems)
        case _:
            return Span("all", None, None, {})


def standings_view(circle_id: UUID, span: Span, wanted: str) -> StandingsView | None:
    """Show how a circle stands in the game that is wanted, or in the one that is played most."""
    figures = circle_figures(circle_id)
    slug = wanted if wanted in figures.games else figures.main_game
    if slug is None:
        return None
    table = _Table(circle_id, figures, find_game(slug), span)
    games = {slug: find_game(slug).name for slug in figures.games}
    places, records = list(table.places()), list(table.records())
    return StandingsView(slug, games, span, places, table.game.lowest_leads, records)


class _Within(NamedTuple):
    """What a player was paid within a span, in how many deals and on how many evenings."""

    points: int
    deals: int
    evenings: int


class _Table:
    """The figures of one game, the names of the players, and how the history finds deals."""

    def __init__(
        self, circle_id: UUID, figures: CircleFigures, game: Game[Any, Any], span: Span
    ) -> None:
        self.circle_id, self.game, self.span = circle_id, game, span
        self.asked = {"game": game.slug} if len(figures.games) > 1 else {}
        played = figures.players(game.slug)
        players = [one for one in queries.players(circle_id) if one.player_id in played]
        self.names = {one.player_id: one.name for one in players}
        self.lifetimes = {key: figures.lifetime(game.slug, key) for key in self.names}

    def url(self, player_id: UUID, **more: str) -> str:
        return search_url(self.circle_id, player=str(player_id), **self.asked, **more)

    def places(self) -> Iterator[Place]:
        """Rank whoever played within the span."""
        counted = {key: self._within(life) for key, life in self.lifetimes.items()}
        keys = [key for key, tally in counted.items() if tally.deals]
        totals = {Seat(at): counted[key].points for at, key in enumerate(keys)}
        for place, at, points in standings(totals, lowest_first=self.game.lowest_leads):
            key, tally = keys[at], counted[keys[at]]
            url = self.url(key, state="stands", **self.span.dates)
            yield Place(place, key, self.names[key], points, tally.deals, url, tally.evenings)

    def _within(self, lifetime: PlayerFigures) -> _Within:
        """Count what a player was paid within the span."""
        if self.span.code == "all":
            everything = lifetime.record.everything
            return _Within(everything.points, everything.deals, len(lifetime.evenings))
        evenings = [one for one in lifetime.evenings if self.span.holds(one.day)]
        points, deals = sum(one.points for one in evenings), sum(one.deals for one in evenings)
        return _Within(points, deals, len(evenings))

    def records(self) -> Iterator[RecordLine]:
        """Tell what nobody did better, in all evenings."""
        yield self._best_evening()
        run = self._longest_run()
        if run is not None:
            yield run
        bid = self._highest_bid()
        if bid is not None:
            yield bid

    def _best_evening(self) -> RecordLine:
        sign = -1 if self.game.lowest_leads else 1
        best = {
            key: life.lowest if self.game.lowest_leads else life.highest
            for key, life in self.lifetimes.items()
        }
        key = max(best, key=lambda one: (sign * best[one].points, -best[one].day.toordinal()))
        told = say(
            "%(points)s on %(day)s", points=signed(best[key].points), day=_day(best[key].day)
        )
        url = self.url(key, **of_day(best[key].day))
        return RecordLine(say("Best evening"), self.names[key], told, url)

    def _longest_run(self) -> RecordLine | None:
        """Lead to the last call of the run: those before it follow in the list."""
        found: list[tuple[Run, UUID]] = [
            (life.run, key) for key, life in self.lifetimes.items() if life.run is not None
        ]
        if not found:
            return None
        run, key = max(found, key=lambda one: (one[0].length, -one[0].last.day.toordinal()))
        told = say("%(count)s, up to %(day)s", count=run.length, day=_day(run.last.day))
        url = self.url(key, role="calls", before=until(run))
        return RecordLine(say("Most calls made in a row"), self.names[key], told, url)

    def _highest_bid(self) -> RecordLine | None:
        heights = _heights(self.game.slug)
        made = [
            (heights[bid], bid, key)
            for key, life in self.lifetimes.items()
            for bid, tally in life.record.bids.items()
            if tally.made and bid in heights
        ]
        if not made:
            return None
        (place, _), bid, key = max(made, key=lambda one: one[0])
        level = self.game.levels[place]
        told = level.name if len(level.bids) == 1 else as_it_is(bid.rpartition("@")[2])
        url = self.url(key, role="calls", result="made", bid=level.code)
        return RecordLine(say("Highest bid made"), self.names[key], told, url)


@cache
def _heights(slug: str) -> dict[str, tuple[int, int]]:
    """How high each bid of a game is: its level, and its place in that."""
    return {
        bid: (place, height)
        for place, level in enumerate(find_game(slug).levels)
        for height, bid in enumerate(level.bids)
    }


def _day(day: date) -> str:
    return str(format_date(day, "d MMM y"))
