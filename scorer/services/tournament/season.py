"""What the tournaments of a season come to: points by place, the best of them, presences."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple
from uuid import UUID

from scorer.errors import existing
from scorer.games import stored_game
from scorer.services.base.clock import zone_called
from scorer.services.figures.figures import CircleFigures, SessionFigures, circle_figures
from scorer.services.figures.seasons import SeasonSpan
from scorer.services.tournament.tournaments import club_evening, tables_of
from scorer.storage import models, queries
from scorer.storage.queries.tournament import EndedTournament
from scorer.texts import Text
from scorer.tournaments.club import PlayedTable
from scorer.tournaments.standings import SeasonTotal, season_totals


class TournamentResult(NamedTuple):
    """A tournament that has ended: the day of its first turn, and the place of each player.

    Whoever plays for an entry at the end has its place, others who sat at a table have None.
    """

    tournament_id: UUID
    name: str
    game: str
    day: date
    places: Mapping[UUID, int | None]


class TournamentSeason(NamedTuple):
    """The tournaments of a game in a season, oldest first, and what they sum to."""

    game: str
    called: Text
    tournaments: list[TournamentResult]
    totals: list[SeasonTotal[UUID]]
    names: Mapping[UUID, str]


def tournament_seasons(circle_id: UUID, season: SeasonSpan) -> list[TournamentSeason]:
    """Sum the tournaments that have ended and began in a season, game by game."""
    figures = circle_figures(circle_id)
    zone = zone_called(figures.heads.zone)
    games: dict[str, list[TournamentResult]] = {}
    for ended in queries.tournament.ended_tournaments(circle_id):
        day = ended.published_at.astimezone(zone).date()
        if season.holds(day):
            places = _places(circle_id, ended, figures)
            result = TournamentResult(ended.tournament_id, ended.name, ended.game, day, places)
            games.setdefault(ended.game, []).append(result)
    return [
        TournamentSeason(
            game=game,
            called=stored_game(game).name,
            tournaments=results,
            totals=season_totals([result.places for result in results], season.points),
            names=figures.names,
        )
        for game, results in games.items()
    ]


def _places(
    circle_id: UUID, ended: EndedTournament, figures: CircleFigures
) -> Mapping[UUID, int | None]:
    """Return the places of a tournament, reckoned anew only if it or one of its tables changed."""
    key = TournamentResult, ended.tournament_id
    version, sessions, places = figures.kept.get(key, (0, [], {}))
    if version != ended.version or any(
        figures.sessions.get(session.session_id) is not session for session in sessions
    ):
        row = existing(queries.find(models.TournamentRow, circle_id, ended.tournament_id))
        sessions, places = _reckoned(row, figures)
        figures.kept[key] = ended.version, sessions, places
    of_players: Mapping[UUID, int | None] = places
    return of_players


def _reckoned(
    row: models.TournamentRow, figures: CircleFigures
) -> tuple[list[SessionFigures], dict[UUID, int | None]]:
    """Return the sessions that the tables are, and the place of each player."""
    tables, known = tables_of(row), figures.sessions
    sessions = {
        place: known[table.session_id]
        for place, table in tables.items()
        if table.session_id in known
    }
    standings = club_evening(row, tables, sessions, _came_to).state.standings
    of_entries = {line.entry: line.place for line in standings}
    sat = [player for session in sessions.values() for player in session.seats.values()]
    places: dict[UUID, int | None] = dict.fromkeys(sat)
    for player in queries.tournament.entered_players(row.circle_id, row.tournament_id):
        places[player.player_id] = of_entries.get(str(player.entry))
    return [*sessions.values()], places


def _came_to(session: SessionFigures, sides: int) -> PlayedTable:
    """Return the balances of a session by its figures, which are in memory."""
    sign = -1 if session.lowest_leads else 1
    paid = {seat: record.everything.points for seat, record in session.records.items()}
    return PlayedTable(tuple(sign * paid.get(side, 0) for side in range(sides)), over=True)
