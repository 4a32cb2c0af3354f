"""The journal and the seasons of a circle for programs."""

from datetime import date, datetime, time, timedelta
from typing import Any, Literal
from uuid import UUID

from flask import request, url_for

from scorer.api.answers import Page, listed
from scorer.api.circles import GameStandings, StandingsDocument, named_game
from scorer.api.routes import FROM, GAME, TO, CircleRoutes, Query
from scorer.errors import InvalidError, existing
from scorer.roles import Holder, Role
from scorer.rules.questions import NewName
from scorer.services.base.clock import zone_called
from scorer.services.circle.circles import find
from scorer.services.circle.names import END
from scorer.services.figures import seasons
from scorer.services.journal.journal_page import GROUPS, journal_page
from scorer.shapes import Name, Shape, gives
from scorer.texts import say

blueprint = CircleRoutes("api_journal", __name__)
SEASONS = "/<uuid:circle>/seasons"
ONE = f"{SEASONS}/<season>"
MONTH = len("2026-11")


BEFORE_SERIAL = Query("before", int, "The last serial of the page before.")


class JournalChange(Shape):
    """A value before and after; words, a day, or an amount in cents."""

    label: str = gives("What it is called.")
    old: str | int | None = gives("The value before.")
    new: str | int | None = gives("The value after.")


class ListedAct(Shape):
    """An entry of the journal."""

    serial: int = gives("Its number in the journal.", "entry.serial")
    at: datetime = gives("When it was written.", "entry.at")
    kind: str = gives("What was done.", "entry.kind")
    subject: str = gives("To what it was done.", "entry.subject")
    key: str = gives("The key of that.", "entry.key")
    player: str | None = gives(
        "Who held the phone then, or else holds it today.",
        lambda line: line.entry.written_by or line.held_by,
    )
    phone: str | None = gives("The phone or the program that wrote it.")
    text: str = gives("What was done, in words.")
    changes: list[JournalChange] = gives("The values that changed.")


@blueprint.reads(
    "/<uuid:circle>/journal",
    listed("entries", ListedAct),
    *(BEFORE_SERIAL, FROM, TO, Query("kind", Literal[*GROUPS], "What it is about.")),
)
def journal(
    circle: UUID, before: int | None, first: date | None, last: date | None, kind: str | None
) -> Page:
    """Return a page of all acts except those on deals, newest first, in words."""
    zone = zone_called(find(circle).zone)
    if kind and kind not in GROUPS:
        message = say("One of these is needed: %(all)s.", all=", ".join(GROUPS))
        raise InvalidError.of("unknown-choice", "kind", message)
    page = journal_page(
        circle,
        group=kind or "",
        since=datetime.combine(first, time(), zone) if first else None,
        until=datetime.combine(last, time(), zone) + timedelta(days=1) if last else None,
        before=before if before and 0 < before < END else None,
        zone=zone,
    )
    criteria: dict[str, Any] = {**request.args, "before": page.older}
    older = url_for(".journal", circle=circle, **criteria) if page.older else None
    return Page(page.lines, older)


class SeasonDays(Shape):
    """A season, or a month with deals."""

    id: str = gives("Its key; of a month its number, such as 2026-11.", "season.key")
    name: str = gives("Its name; empty for a month.", "season.name")
    first: date = gives("Its first day.", "season.first")
    last: date = gives("Its last day.", "season.last")


class ListedSeason(SeasonDays):
    """A season in a list."""

    deals: int = gives("The number of its deals.")
    leaders: list[Name] = gives(
        "Who leads it or won it.", lambda line: [leader.player.name for leader in line.leaders]
    )


class SeasonList(Shape):
    """The seasons that the circle named, and the months of a year with deals."""

    year: int = gives("The year of the months.")
    years: list[int] = gives("All years with deals.")
    seasons: list[ListedSeason] = gives("The named seasons.", "named")
    months: list[ListedSeason] = gives("The months of the year.")
    next: str | None = gives("Always null: there is one page.", lambda _: None)


YEAR = Query("year", int, "A year; left out, the last one played.")
blueprint.reads(SEASONS, SeasonList, YEAR, name="seasons_of")(seasons.calendar)


class SeasonStandings(SeasonDays, StandingsDocument):
    """A season with its standings in a game."""

    over: bool = gives("Whether its last day is past.")


@blueprint.reads(ONE, SeasonStandings, GAME)
def season(circle: UUID, season: str, game: str | None) -> GameStandings:
    """Return a season, or a month by its number, with its standings in a game."""
    wanted = named_game(game)
    page = seasons.season_page(circle, season, wanted)
    return GameStandings(page.standings, wanted, page.season, page.over)


OF_OWNERS: dict[str, Any] = {"then": seasons.calendar, "least": Role.OWNER}
blueprint.writes("post", SEASONS, body=seasons.NewSeason, **OF_OWNERS, logged="season-named")(
    seasons.name_season
)


def _named(circle: UUID, key: str) -> UUID:
    """Return the key of a season with a name; raise NotFoundError, also for a month."""
    return UUID(existing(seasons.find_season(circle, key) if len(key) > MONTH else None).key)


@blueprint.writes("put", ONE, **OF_OWNERS, logged="season-named")
def rename_season(circle: UUID, season: str, name: NewName, by: Holder) -> None:
    """Call a season by another name."""
    seasons.rename_season(circle, _named(circle, season), name, by=by)


@blueprint.writes("delete", ONE, **OF_OWNERS, logged="season-dropped")
def drop_season(circle: UUID, season: str, by: Holder) -> None:
    """Drop a season; its sessions stay."""
    seasons.drop_season(circle, _named(circle, season), by=by)
