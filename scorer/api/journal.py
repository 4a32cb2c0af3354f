"""The journal and the seasons of a circle for programs."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from flask import request, url_for

from scorer.api.answers import argument, spoken
from scorer.api.circles import NewName, game_of_address, ranked, span
from scorer.api.routes import CircleRoutes, Date, Key
from scorer.errors import InvalidError, existing
from scorer.roles import Holder, Role
from scorer.services.base.clock import moment, zone_called
from scorer.services.circle.circles import find
from scorer.services.circle.names import END
from scorer.services.figures import seasons
from scorer.services.journal.journal_page import GROUPS, JournalLine, Value, journal_page
from scorer.texts import say

blueprint = CircleRoutes("api_journal", __name__)
SEASONS = "/<uuid:circle>/seasons"
ONE = f"{SEASONS}/<season>"
MONTH = len("2026-11")


@blueprint.reads("/<uuid:circle>/journal", "Journal", "BeforeSerial", "From", "To", "JournalKind")
def journal(circle: UUID) -> dict[str, Any]:
    """Return a page of all acts except those on deals, newest first, in words."""
    kind, zone = request.args.get("kind", ""), zone_called(find(circle).zone)
    if kind and kind not in GROUPS:
        message = say("One of these is needed: %(all)s.", all=", ".join(GROUPS))
        raise InvalidError.of("unknown-choice", "kind", message)
    before = argument("before", int, say("A whole number is needed."))
    first, last = span()
    page = journal_page(
        circle,
        group=kind,
        since=datetime.combine(first, time(), zone) if first else None,
        until=datetime.combine(last, time(), zone) + timedelta(days=1) if last else None,
        before=before if before and 0 < before < END else None,
        zone=zone,
    )
    criteria: dict[str, Any] = {**request.args, "before": page.older}
    older = url_for(".journal", circle=circle, **criteria) if page.older else None
    return {"entries": list(map(_entry, page.lines)), "next": older}


def _entry(line: JournalLine) -> dict[str, Any]:
    entry = line.entry
    return {
        "serial": entry.serial,
        "at": moment(entry.at),
        "kind": entry.kind,
        "subject": entry.subject,
        "key": entry.key,
        "player": entry.written_by or line.held_by,
        "phone": spoken(line.phone),
        "text": spoken(line.text),
        "changes": [
            {"label": spoken(change.label), "old": _value(change.old), "new": _value(change.new)}
            for change in line.changes
        ],
    }


def _value(value: Value | None) -> object:
    if isinstance(value, int):
        return value
    return value.isoformat() if isinstance(value, date) else spoken(value)


@blueprint.reads(SEASONS, "SeasonList", "Year")
def seasons_of(circle: UUID) -> dict[str, Any]:
    """List the seasons that the circle named, and the months of a year with deals."""
    calendar = seasons.calendar(circle, request.args.get("year", type=int))
    return {
        "year": calendar.year,
        "years": list(calendar.years),
        "seasons": list(map(_line, calendar.named)),
        "months": list(map(_line, calendar.months)),
        "next": None,
    }


def _season(season: seasons.SeasonSpan) -> dict[str, Any]:
    first, last = season.first.isoformat(), season.last.isoformat()
    return {"id": season.key, "name": season.name, "first": first, "last": last}


def _line(line: seasons.SeasonLine) -> dict[str, Any]:
    leaders = [leader.player.name for leader in line.leaders]
    return {**_season(line.season), "deals": line.deals, "leaders": leaders}


@blueprint.reads(ONE, "SeasonStandings", "Game")
def season(circle: UUID, season: str) -> dict[str, Any]:
    """Return a season, or a month by its number, with its standings in a game."""
    wanted = game_of_address()
    page = seasons.season_page(circle, season, wanted)
    return {**_season(page.season), "over": page.over, **ranked(page.standings, wanted)}


@dataclass(frozen=True, slots=True)
class NewSeason:
    """A span of days with a name, both days included."""

    key: Key
    name: str
    first: Date
    last: Date


OF_OWNERS: dict[str, Any] = {"then": seasons_of, "least": Role.OWNER}
blueprint.writes("post", SEASONS, NewSeason, **OF_OWNERS, logged="season-named")(
    seasons.name_season
)


def _named(circle: UUID, key: str) -> UUID:
    """Return the key of a season with a name; raise NotFoundError, also for a month."""
    return UUID(existing(seasons.find_season(circle, key) if len(key) > MONTH else None).key)


@blueprint.writes("put", ONE, NewName, **OF_OWNERS, logged="season-named")
def rename_season(circle: UUID, season: str, body: NewName, by: Holder) -> None:
    """Call a season by another name."""
    seasons.rename_season(circle, _named(circle, season), body.name, by=by)


@blueprint.writes("delete", ONE, None, **OF_OWNERS, logged="season-dropped")
def drop_season(circle: UUID, season: str, by: Holder) -> None:
    """Drop a season; its sessions stay."""
    seasons.drop_season(circle, _named(circle, season), by=by)
