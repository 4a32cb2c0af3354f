"""Seasons: months, and spans of days that a circle named."""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Annotated, NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, NotFoundError, Problem, existing, refuse
from scorer.rules.questions import Ask, NewName, SentKey
from scorer.services.base import journal
from scorer.services.base.clock import now, zone_called
from scorer.services.base.journal import Author
from scorer.services.figures.figures import CircleFigures, circle_figures
from scorer.services.figures.standings import Best, CircleStandings, Ranked, best_of, standings_of
from scorer.storage import models, queries, transaction
from scorer.texts import say
from scorer.tournaments.standings import SeasonPoints
from scorer.typed_text import PLAYER_NAME, looks, one_line

#: A circle names no more seasons than these.
MOST_SEASONS = 100
#: What a season says of its tournaments at most.
MOST_PLACES, MOST_PLACE_POINTS = 100, 1_000
#: The best pair has played at least so many deals together.
PAIR_DEALS = 3


class SeasonSpan(NamedTuple):
    """A span of days: a month, whose ``name`` is empty, or one that the circle named.

    ``points`` are what the places of tournaments are worth in it.
    """

    key: str
    name: str
    first: date
    last: date
    points: SeasonPoints = SeasonPoints()

    def holds(self, day: date) -> bool:
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True)
class NewSeason:
    """A span of days with a name, both days included."""

    key: SentKey
    name: NewName
    first: Annotated[date | None, Ask(say("From"), needed=True)]
    last: Annotated[date | None, Ask(say("To"), needed=True)]


class SeasonLine(NamedTuple):
    """A season in a list: the number of deals of each day, and who leads or won."""

    season: SeasonSpan
    days: Sequence[tuple[date, int]]
    leaders: Sequence[Ranked[models.Player]]
    by_balance: bool

    @property
    def deals(self) -> int:
        return sum(deals for _, deals in self.days)


class Calendar(NamedTuple):
    """The named seasons, and the months of a year that have deals."""

    years: Sequence[int]
    year: int
    named: Sequence[SeasonLine]
    months: Sequence[SeasonLine]


class Pair(NamedTuple):
    """A caller and a partner: how many deals they played together, and how many they made."""

    caller_id: UUID
    partner_id: UUID
    made: int
    deals: int


class SeasonPage(NamedTuple):
    """A season with its standings in a game, and its awards."""

    season: SeasonSpan
    days: Sequence[tuple[date, int]]
    over: bool
    standings: CircleStandings | None
    most_deals: Best[int] | None
    best_pair: Pair | None


def calendar(circle_id: UUID, year: int | None = None) -> Calendar:
    """List the seasons that the circle named, and the months of a year with deals.

    By default it is the last year that was played.
    """
    figures, people = circle_figures(circle_id), queries.circle.players(circle_id)
    years = sorted(
        {session.day.year for session in figures.sessions.values() if session.contests},
        reverse=True,
    )
    shown = year if year in years else next(iter(years), _today(figures).year)
    months = (_month(shown, number) for number in range(12, 0, -1))
    lines = [_line(figures, people, month) for month in months]
    return Calendar(
        years=years,
        year=shown,
        named=[_line(figures, people, _named(row)) for row in queries.circle.seasons(circle_id)],
        months=[line for line in lines if line.days],
    )


def season_page(circle_id: UUID, key: str, wanted: str = "") -> SeasonPage:
    """Return a season by its key; raise NotFoundError, also for a month without sessions."""
    season, figures = find_season(circle_id, key), circle_figures(circle_id)
    if not (season.name or any(season.holds(session.day) for session in figures.sessions.values())):
        raise NotFoundError
    within = figures.within(season.first, season.last)
    standings = standings_of(
        within, queries.circle.players(circle_id), wanted, since=season.first, until=season.last
    )
    return SeasonPage(
        season=season,
        days=_days(within),
        over=season.last < _today(figures),
        standings=standings,
        most_deals=best_of([(p.player, p.deals) for p in standings.places], int)
        if standings and standings.places
        else None,
        best_pair=_best_pair(within, standings) if standings else None,
    )


def find_season(circle_id: UUID, key: str) -> SeasonSpan:
    """Find a season: a month by its number, ``2026-11``, or one with a name by its key."""
    try:
        if len(key) == 7:
            return _month(*map(int, key.split("-")))
        return _named(existing(queries.find(models.Season, circle_id, UUID(key))))
    except (TypeError, ValueError) as error:
        raise NotFoundError from error


@transaction
def name_season(circle_id: UUID, new: NewSeason, *, by: Author = None) -> None:
    """Name a span of days, once for each key; raise InvalidError."""
    queries.circle.circle_for_update(circle_id)
    seasons = queries.circle.seasons(circle_id)
    if new.key in {season.season_id for season in seasons}:
        return
    problems = [*_name_problems(new.name, seasons), *_problems(new.first, new.last, len(seasons))]
    if problems or new.first is None or new.last is None:
        raise InvalidError(problems)
    row = models.Season(
        circle_id=circle_id,
        season_id=new.key,
        name=one_line(new.name),
        first_day=new.first,
        last_day=new.last,
        created_at=now(),
    )
    journal.create(journal.Kind.SEASON_NAMED, row, by)


@transaction
def rename_season(circle_id: UUID, season_id: UUID, name: NewName, *, by: Author = None) -> None:
    """Rename a season; raise InvalidError if the name is invalid or taken."""
    queries.circle.circle_for_update(circle_id)
    row = existing(queries.find(models.Season, circle_id, season_id))
    others = [
        season for season in queries.circle.seasons(circle_id) if season.season_id != season_id
    ]
    refuse(_name_problems(name, others))
    journal.change(journal.Kind.RENAMED, row, by, name=one_line(name))


@transaction
def set_season_points(
    circle_id: UUID,
    season_id: UUID,
    values: Sequence[int | None],
    best: int | None,
    *,
    by: Author = None,
) -> None:
    """Set what the places of tournaments are worth, and how many count; raise InvalidError."""
    queries.circle.circle_for_update(circle_id)
    row = existing(queries.find(models.Season, circle_id, season_id))
    known = [value for value in values if value is not None and 0 <= value <= MOST_PLACE_POINTS]
    problems = []
    if len(known) < len(values) or not 1 <= len(values) <= MOST_PLACES:
        message = say("From 1 to 100 whole numbers are needed, each from 0 to 1,000.")
        problems.append(Problem("out-of-range", "points", message))
    if best is not None and not 1 <= best <= MOST_PLACE_POINTS:
        message = say("A number from 1 to 1,000 is needed, or none.")
        problems.append(Problem("out-of-range", "best", message))
    refuse(problems)
    kind = journal.Kind.SEASON_POINTS_SET
    journal.change(kind, row, by, place_points=known, best=best)


@transaction
def drop_season(circle_id: UUID, season_id: UUID, *, by: Author = None) -> None:
    """Delete a named season; its sessions stay."""
    row = existing(queries.find(models.Season, circle_id, season_id))
    journal.remove(journal.Kind.SEASON_DROPPED, row, by)
    queries.drop(models.Season, circle_id, season_id)


def _name_problems(text: str, others: Sequence[models.Season]) -> Iterator[Problem]:
    yield from PLAYER_NAME.problems(text, "name")
    if looks(one_line(text)) in {looks(season.name) for season in others}:
        yield Problem("duplicate-name", "name", say("There is a season of that name already."))


def _problems(first: date | None, last: date | None, count: int) -> Iterator[Problem]:
    if count >= MOST_SEASONS:
        yield Problem("too-many", "name", say("There are 100 seasons already. Drop one first."))
    for day, path in ((first, "first"), (last, "last")):
        if day is None:
            yield Problem("bad-date", path, say("Choose a day."))
    if first and last and last < first:
        yield Problem("bad-date", "last", say("The end is before the beginning."))


def _today(figures: CircleFigures) -> date:
    return now().astimezone(zone_called(figures.heads.zone)).date()


def _month(year: int, month: int) -> SeasonSpan:
    first = date(year, month, 1)
    return SeasonSpan(
        first.isoformat()[:7], "", first, first.replace(day=monthrange(year, month)[1])
    )


def _named(row: models.Season) -> SeasonSpan:
    points = SeasonPoints(tuple(row.place_points or SeasonPoints().values), row.best)
    return SeasonSpan(str(row.season_id), row.name, row.first_day, row.last_day, points)


def _line(
    figures: CircleFigures, people: Sequence[models.Player], season: SeasonSpan
) -> SeasonLine:
    within = figures.within(season.first, season.last)
    standings = standings_of(within, people)
    places = standings.places if standings else ()
    leaders = [player for player in places if player.place == 1]
    by_balance = standings is not None and standings.by_balance
    return SeasonLine(season, _days(within), leaders, by_balance)


def _days(figures: CircleFigures) -> list[tuple[date, int]]:
    """Count the deals of each day, oldest first."""
    days: dict[date, int] = {}
    for session in figures.sessions.values():
        if session.contests:
            days[session.day] = days.get(session.day, 0) + len(session.contests)
    return sorted(days.items())


def _best_pair(figures: CircleFigures, standings: CircleStandings) -> Pair | None:
    """Find the pair with the highest share of calls made, from `PAIR_DEALS` deals on."""
    pairs = [
        Pair(caller, partner, tally.made, tally.decided)
        for caller in (ranked.player.player_id for ranked in standings.places)
        for partner, tally in figures.lifetime(standings.game.slug, caller).record.partners.items()
        if tally.decided >= PAIR_DEALS
    ]
    return max(pairs, key=lambda pair: (Fraction(pair.made, pair.deals), pair.deals), default=None)
