"""Charts as SVG, cached by the browser for as long as their content stays the same."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, request
from flask_babel import format_date, get_locale, gettext

from scorer import charts
from scorer.errors import NotFoundError
from scorer.games import find_game
from scorer.languages import translate
from scorer.rules.sides import named
from scorer.services import players
from scorer.services.figures import circle_figures
from scorer.services.ratings import game_ratings, rating_moves
from scorer.services.score_sheet import chart_deals
from scorer.services.state import load_state
from scorer.web.filters import called, in_words
from scorer.web.records import games_of, level_tallies

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.ledger.records import DealTally
    from scorer.rules.game import Game, Level
    from scorer.services.figures import PlayerFigures
    from scorer.services.ratings import Move
    from scorer.services.state import SessionState

USUAL_WIDTH = 360

pages = Blueprint("charts", __name__)


@pages.get("/circles/<uuid:circle_id>/sessions/<uuid:session_id>/chart.svg")
def balances(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Draw the running balances of a session."""
    state = load_state(circle_id, session_id)
    content = (
        circle_id,
        session_id,
        state.row.version,
        state.names,
        state.marks,
        called(state.row),
    )
    return _answer(content, lambda width, theme: _balance_chart(state, width, theme))


@pages.get("/circles/<uuid:circle_id>/players/<uuid:player_id>/balance.svg")
def lifetime(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Draw the balance of a player over all evenings."""
    name, game, found = _figures(circle_id, player_id)
    lowest_leads = circle_figures(circle_id).lowest_leads(game.slug)
    content = (name, game.slug, lowest_leads, found.evenings)
    return _answer(
        content,
        lambda width, theme: charts.lifetime_chart(
            _evenings(name, found), width=width, theme=theme, lower_is_better=lowest_leads
        ),
    )


@pages.get("/circles/<uuid:circle_id>/players/<uuid:player_id>/bids.svg")
def levels(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Draw how many of a player's calls were made, level by level."""
    name, game, found = _figures(circle_id, player_id)
    counted = level_tallies(game, found)
    if not counted:
        raise NotFoundError(player_id)
    content = (name, [(level.code, tally.made, tally.deals) for level, tally in counted])
    return _answer(
        content,
        lambda width, theme: charts.levels_chart(
            _level_counts(name, counted), width=width, theme=theme
        ),
    )


@pages.get("/circles/<uuid:circle_id>/players/<uuid:player_id>/rating.svg")
def rating(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Draw how the rating of a player moved, deal by deal."""
    name = players.find(circle_id, player_id).name
    found = game_ratings(circle_id, request.args.get("game", ""))
    moves = rating_moves(circle_id, player_id, found.game) if found else []
    if not moves:
        raise NotFoundError(player_id)
    content = (name, [(move.place, move.after) for move in moves])
    return _answer(
        content,
        lambda width, theme: charts.rating_chart(
            _rating_line(name, moves), width=width, theme=theme
        ),
    )


def _answer(content: object, draw: Callable[[int, str], bytes]) -> Response:
    """Answer with a chart of the content, or with 304 where the browser has it already."""
    width = request.args.get("width", USUAL_WIDTH, type=int)
    theme = "dark" if request.args.get("theme") == "dark" else "light"
    response = Response(mimetype="image/svg+xml")
    version = repr((content, f"{theme} {width} {get_locale()}"))
    response.set_etag(hashlib.sha256(version.encode()).hexdigest()[:32])
    response.cache_control.no_cache = True
    response.cache_control.private = True
    response.make_conditional(request)
    if response.status_code != 304:
        response.set_data(draw(width, theme))
    return response


def _figures(circle_id: UUID, player_id: UUID) -> tuple[str, Game[Any, Any], PlayerFigures]:
    """Return the figures of a player in the game asked for, by default the one played most."""
    name = players.find(circle_id, player_id).name
    games = games_of(circle_id, player_id)
    wanted = request.args.get("game", "")
    if not games:
        raise NotFoundError(player_id)
    slug = wanted if wanted in games else games[0]
    return name, find_game(slug), circle_figures(circle_id).lifetime(slug, player_id)


def _rating_line(name: str, moves: list[Move]) -> charts.RatingLine:
    ratings = [moves[0].before, *(move.after for move in moves)]
    days = [format_date(moves[end].place.day, "d MMM y") for end in (0, -1)]
    return charts.RatingLine(
        points=tuple(rating.points for rating in ratings),
        margins=tuple(rating.margin for rating in ratings),
        first=days[0],
        last=days[1] if days[0] != days[1] else "",
        title=gettext("Rating of %(name)s", name=name),
        description=gettext(
            "The rating of %(name)s, deal by deal, and how far off it may be.", name=name
        ),
    )


def _evenings(name: str, found: PlayerFigures) -> charts.Lifetime:
    days = [format_date(found.evenings[end].day, "d MMM y") for end in (0, -1)]
    return charts.Lifetime(
        points=tuple(evening.points for evening in found.evenings),
        first=days[0],
        last=days[1] if len(found.evenings) > 1 else "",
        title=gettext("Balance of %(name)s", name=name),
        description=gettext("The balance of %(name)s, session by session.", name=name),
    )


def _level_counts(name: str, counted: list[tuple[Level, DealTally]]) -> charts.Levels:
    language = get_locale().language
    return charts.Levels(
        rows=tuple(
            charts.LevelCount(translate(level.name, language), tally.made, tally.deals)
            for level, tally in counted
        ),
        title=gettext("Calls of %(name)s", name=name),
        description=gettext("How many calls of each level were made, and how sure that is."),
    )


def _balance_chart(state: SessionState, width: int, theme: str) -> bytes:
    firsts = [side[0] for side in state.sides]
    names = tuple(tuple(state.names[seat] for seat in side) for side in state.sides)
    all_of_them = [in_words(named(side, state.names)) for side in state.sides]
    balances = charts.Balances(
        names=names,
        opening=tuple(state.opening[seat] for seat in firsts),
        deals=tuple(
            charts.DealPayouts(deal.number, deal.payouts, amended=deal.amended)
            for deal in chart_deals(state)
        ),
        since=tuple(state.since(seat) for seat in firsts) if state.changes else (),
        marks=tuple(state.marks[seat] for seat in firsts),
    )
    wording = charts.Wording(
        title=gettext("Balances: %(title)s", title=called(state.row)),
        description=gettext(
            "The running balance of %(names)s, deal by deal.", names=", ".join(all_of_them)
        ),
        deals=gettext("deals"),
        amended=gettext("amended"),
        no_deals=gettext("No deals yet"),
        together=gettext("%(names)s and %(last)s"),
    )
    return charts.balance_chart(
        balances, wording, width=width, theme=theme, lower_is_better=state.lowest_leads
    )
